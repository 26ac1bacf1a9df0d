import { ArrowLeft, Users } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import type { SessionOwner } from './session-owner.ts';
import { UserChoice } from './user-choice.tsx';

interface WhoseSessionsProps {
  /** The signed-in user's sessions are shown. */
  isOwn: boolean;
  /** Called with undefined for the signed-in user. */
  onChoose: (user: SessionOwner | undefined) => void;
}

/** Switches between the signed-in user's sessions and another user's. The users are loaded only when needed. */
export function WhoseSessions({ isOwn, onChoose }: WhoseSessionsProps) {
  const { t } = useTranslation();
  const [isChoosing, setChoosing] = useState(false);
  function handleBack() {
    setChoosing(false);
    onChoose(undefined);
  }
  const common = { variant: 'secondary', size: 'small' } as const;
  return (
    <div className="whose-sessions">
      {isChoosing && <UserChoice onPick={onChoose} />}
      {isChoosing || !isOwn ? (
        <Button {...common} icon={ArrowLeft} onClick={handleBack}>
          {t('sessions.own')}
        </Button>
      ) : (
        <Button {...common} icon={Users} onClick={() => setChoosing(true)}>
          {t('sessions.another')}
        </Button>
      )}
    </div>
  );
}
