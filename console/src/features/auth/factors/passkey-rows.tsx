import type { OwnFactors, Passkey } from '@apotheca/contract/second-factors';
import { Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../../../components/button/button.tsx';
import { localMinute } from '../../../lib/moment.ts';
import { canUsePasskeys } from '../../../transport/runtime-config.ts';
import type { FactorDialog } from './factor-dialog.ts';

interface PasskeyRowsProps {
  factors: OwnFactors;
  onOpen: (dialog: FactorDialog) => void;
}

/** The user's passkeys, and a button to add one where they work, or why they do not. */
export function PasskeyRows({ factors, onOpen }: PasskeyRowsProps) {
  const { t } = useTranslation();
  const { passkeys, passkeyOrigin } = factors;
  const canAdd = canUsePasskeys() && passkeyOrigin === location.origin;
  return (
    <>
      <div className="factor-row">
        <div>
          <h3 className="factor-section">{t('factors.card.passkeys')}</h3>
          {passkeys.length === 0 && <span className="text-muted">{t('factors.card.passkeysNone')}</span>}
          {!canAdd && <p className="text-muted">{t(...whyNot(passkeyOrigin))}</p>}
        </div>
        {canAdd && (
          <Button variant="secondary" onClick={() => onOpen({ kind: 'add-passkey' })}>
            {t('factors.card.passkeyAdd')}
          </Button>
        )}
      </div>
      {passkeys.map((passkey) => (
        <PasskeyRow key={passkey.id} passkey={passkey} onOpen={onOpen} />
      ))}
    </>
  );
}

/** Why passkeys do not work here, as arguments of `t`. */
function whyNot(passkeyOrigin: string | null) {
  if (passkeyOrigin === null) return ['factors.card.passkeysNowhere', {}] as const;
  if (passkeyOrigin !== location.origin) return ['factors.card.passkeysElsewhere', { origin: passkeyOrigin }] as const;
  return ['factors.card.passkeysUnknown', {}] as const;
}

interface PasskeyRowProps {
  passkey: Passkey;
  onOpen: PasskeyRowsProps['onOpen'];
}

function PasskeyRow({ passkey, onOpen }: PasskeyRowProps) {
  const { t } = useTranslation();
  const { name, createdOnUtc, lastUsedOnUtc } = passkey;
  const moment = localMinute(new Date(createdOnUtc));
  return (
    <div className="factor-row">
      <div>
        <div>{name}</div>
        <span className="text-muted">
          {lastUsedOnUtc === null
            ? t('factors.card.never', { moment })
            : t('factors.card.used', { moment, used: localMinute(new Date(lastUsedOnUtc)) })}
        </span>
      </div>
      <div>
        <IconButton
          icon={Pencil}
          label={t('factors.card.rename', { name })}
          onClick={() => onOpen({ kind: 'rename-passkey', passkey })}
        />
        <IconButton
          icon={Trash2}
          label={t('factors.card.remove', { name })}
          onClick={() => onOpen({ kind: 'remove-passkey', passkey })}
        />
      </div>
    </div>
  );
}
