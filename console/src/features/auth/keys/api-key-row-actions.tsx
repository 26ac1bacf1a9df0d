import type { ApiKey } from '@apotheca/contract/api-keys';
import { RotateCw, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/button/icon-button.tsx';
import type { KeyDialog } from './api-key-dialogs.tsx';

interface ApiKeyRowActionsProps {
  apiKey: ApiKey;
  canRotate: boolean;
  onOpen: (dialog: KeyDialog) => void;
}

/** The buttons of one API key. */
export function ApiKeyRowActions({ apiKey, canRotate, onOpen }: ApiKeyRowActionsProps) {
  const { t } = useTranslation();
  const { name, isExpired } = apiKey;
  return (
    <>
      {canRotate && (
        <IconButton
          icon={RotateCw}
          label={isExpired ? t('apiKeys.rotate.expired') : t('apiKeys.rotate.open', { name })}
          disabled={isExpired}
          onClick={() => onOpen({ kind: 'rotate', apiKey })}
        />
      )}
      <IconButton
        icon={Trash2}
        label={t('apiKeys.revoke.open', { name })}
        onClick={() => onOpen({ kind: 'revoke', apiKey })}
      />
    </>
  );
}
