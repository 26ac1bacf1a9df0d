import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Button } from '../../../components/button/button.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import { selectSession } from '../../../session/session-slice.ts';
import type { SessionOwner } from './session-owner.ts';
import { SessionsTable } from './sessions-table.tsx';
import { WhoseSessions } from './whose-sessions.tsx';

interface SessionsModalProps {
  show: boolean;
  /** The user whose sessions are shown; absent: the signed-in user, who can then choose another one. */
  user?: SessionOwner;
  onClose: () => void;
}

/** The open sessions and API tokens of a user; each can be signed out. */
export function SessionsModal({ show, user, onClose }: SessionsModalProps) {
  const { t } = useTranslation();
  const { id, username, email } = useSelector(selectSession);
  const self = { id, name: username || email };
  const [chosen, setChosen] = useState<SessionOwner>();
  const owner = user ?? chosen ?? self;
  const footer = (
    <Button variant="secondary" onClick={onClose}>
      {t('sessions.close')}
    </Button>
  );
  return (
    <Modal
      show={show}
      title={t('sessions.title')}
      subtitle={owner.name}
      size="xl"
      bodyHeight="22rem"
      footer={footer}
      onClose={onClose}
    >
      {!user && <WhoseSessions isOwn={owner.id === id} onChoose={setChosen} />}
      <SessionsTable userId={owner.id === id ? undefined : owner.id} />
    </Modal>
  );
}
