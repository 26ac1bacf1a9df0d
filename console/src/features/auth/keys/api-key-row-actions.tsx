import type { ApiKey } from '@apotheca/contract/api-keys';
import { RotateCw, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type RowAction, RowActions } from '../../../components/data-table/row-actions.tsx';
import type { KeyDialog } from './api-key-dialogs.tsx';

interface ApiKeyRowActionsProps {
  apiKey: ApiKey;
  canRotate: boolean;
  onOpen: (dialog: KeyDialog) => void;
}

/** The actions of one API key. */
export function ApiKeyRowActions({ apiKey, canRotate, onOpen }: ApiKeyRowActionsProps) {
  const { t } = useTranslation();
  const { name, isExpired } = apiKey;
  const rotate: RowAction = {
    icon: RotateCw,
    label: isExpired ? t('apiKeys.rotate.expired') : t('apiKeys.rotate.open', { name }),
    disabled: isExpired,
    onSelect: () => onOpen({ kind: 'rotate', apiKey }),
  };
  return (
    <RowActions
      name={name}
      actions={[
        ...(canRotate ? [rotate] : []),
        {
          icon: Trash2,
          danger: true,
          label: t('apiKeys.revoke.open', { name }),
          onSelect: () => onOpen({ kind: 'revoke', apiKey }),
        },
      ]}
    />
  );
}
