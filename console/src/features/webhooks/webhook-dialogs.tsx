import type { Webhook } from '@apotheca/contract/webhooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useDeleteWebhookMutation, useRotateWebhookMutation } from '../../api/webhooks.ts';
import { useLastingDialog } from '../../components/dialog/use-lasting-dialog.ts';
import { notify } from '../../components/toast/toast.tsx';
import { DeleteRecordDialog } from '../../forms/delete-record-dialog.tsx';
import { RecordHistoryModal } from '../../history/record-history-modal.tsx';
import { selectSession } from '../../session/session-slice.ts';
import { DeliveriesModal } from './deliveries-modal.tsx';
import { ShownSecretModal } from './shown-secret-modal.tsx';
import { useIssuedSecret } from './use-issued-secret.ts';
import type { ShownSecret, WebhookDialog } from './webhook-dialog.ts';
import { WebhookModal } from './webhook-modal.tsx';

interface WebhookDialogsProps {
  dialog: WebhookDialog;
  onClose: () => void;
}

type SecretDialog = { kind: 'none' } | { kind: 'secret'; shown: ShownSecret };

/** The dialog that is open, and the one of a secret that was just issued, which is not kept for after the end of the session. */
export function WebhookDialogs({ dialog, onClose }: WebhookDialogsProps) {
  const [secret, setSecret] = useState<SecretDialog>({ kind: 'none' });
  const { key, ...opened } = useLastingDialog(dialog);
  const { key: secretKey, dialog: issued, show } = useLastingDialog(secret);
  function showSecret(shown: ShownSecret) {
    onClose();
    setSecret({ kind: 'secret', shown });
  }
  return (
    <>
      <DialogOf key={key} {...opened} onIssued={showSecret} onClose={onClose} />
      {issued.kind === 'secret' && (
        <ShownSecretModal
          key={`secret ${secretKey}`}
          show={show}
          shown={issued.shown}
          onClose={() => setSecret({ kind: 'none' })}
        />
      )}
    </>
  );
}

interface DialogOfProps extends WebhookDialogsProps {
  show: boolean;
  onIssued: (shown: ShownSecret) => void;
}

function DialogOf({ dialog, onIssued, ...shared }: DialogOfProps) {
  switch (dialog.kind) {
    case 'none':
      return null;
    case 'create':
      return <WebhookModal onIssued={onIssued} {...shared} />;
    case 'edit':
      return <WebhookModal webhook={dialog.webhook} onIssued={onIssued} {...shared} />;
    case 'rotate':
      return <RotateSecretDialog webhook={dialog.webhook} onIssued={onIssued} {...shared} />;
    case 'delete':
      return <DeleteWebhookDialog webhook={dialog.webhook} {...shared} />;
    case 'deliveries':
      return <DeliveriesModal webhook={dialog.webhook} {...shared} />;
    case 'history':
      return (
        <RecordHistoryModal
          record={{ entity: 'webhooks', id: dialog.webhook.id }}
          name={dialog.webhook.name}
          {...shared}
        />
      );
  }
}

interface WebhookDialogProps {
  show: boolean;
  webhook: Webhook;
  onClose: () => void;
}

/** Asks before a webhook gets another secret, and shows that. */
function RotateSecretDialog({
  show,
  webhook: { id, name },
  onIssued,
  onClose,
}: WebhookDialogProps & { onIssued: (shown: ShownSecret) => void }) {
  const { t } = useTranslation();
  const { id: updatedBy } = useSelector(selectSession);
  const [send] = useRotateWebhookMutation();
  const issued = useIssuedSecret({ onIssued, onClose });
  return (
    <DeleteRecordDialog
      show={show}
      title={t('webhooks.rotate.title')}
      message={<p>{t('webhooks.rotate.what', { name })}</p>}
      confirmLabel={t('webhooks.rotate.confirm')}
      send={async () => issued.keep(name, await send({ id, updatedBy }))}
      tell={({ message }) => notify.success(message)}
      onClose={issued.show}
    />
  );
}

/** Asks before a webhook is deleted. */
function DeleteWebhookDialog({ webhook: { id, name }, ...dialog }: WebhookDialogProps) {
  const { t } = useTranslation();
  const { id: deletedBy } = useSelector(selectSession);
  const [send] = useDeleteWebhookMutation();
  return (
    <DeleteRecordDialog
      {...dialog}
      title={t('webhooks.delete.title')}
      message={<p>{t('webhooks.delete.what', { name })}</p>}
      confirmLabel={t('webhooks.delete.confirm')}
      send={() => send({ id, deletedBy })}
    />
  );
}
