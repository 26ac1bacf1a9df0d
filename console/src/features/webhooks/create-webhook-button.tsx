import { webhookRoutes } from '@apotheca/contract/webhooks';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button/button.tsx';
import { useRefusal } from '../../rights/rights.tsx';
import type { WebhookDialog } from './webhook-dialog.ts';

/** Opens the dialog for a new webhook. */
export function CreateWebhookButton({ onOpen }: { onOpen: (dialog: WebhookDialog) => void }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  return (
    <Button icon={Plus} refusal={refusal(webhookRoutes.create)} onClick={() => onOpen({ kind: 'create' })}>
      {t('webhooks.create.open')}
    </Button>
  );
}
