import type { ApiKey } from '@apotheca/contract/api-keys';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useDeleteApiKeyMutation } from '../../../api/api-keys.ts';
import { DeleteRecordDialog } from '../../../forms/delete-record-dialog.tsx';
import { selectSession } from '../../../session/session-slice.ts';

interface RevokeKeyDialogProps {
  show: boolean;
  apiKey: ApiKey;
  onClose: () => void;
}

/** Asks before a key is revoked. */
export function RevokeKeyDialog({ apiKey: { id, name }, ...dialog }: RevokeKeyDialogProps) {
  const { t } = useTranslation();
  const { id: deletedBy } = useSelector(selectSession);
  const [send] = useDeleteApiKeyMutation();
  return (
    <DeleteRecordDialog
      {...dialog}
      title={t('apiKeys.revoke.title')}
      message={<p>{t('apiKeys.revoke.what', { name })}</p>}
      confirmLabel={t('apiKeys.revoke.confirm')}
      send={() => send({ id, deletedBy })}
    />
  );
}
