import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button/button.tsx';
import type { WebhookDialog } from './webhook-dialog.ts';

/** Opens the dialog for a new webhook. */
export function CreateWebhookButton({ onOpen }: { onOpen: (dialog: WebhookDialog) => void }) {
  const { t } = useTranslation();
  return (
    <Button icon={Plus} onClick={() => onOpen({ kind: 'create' })}>
      {t('webhooks.create.open')}
    </Button>
  );
}
