import { type Webhook, webhookRoutes } from '@apotheca/contract/webhooks';
import { History, KeyRound, ListChecks, Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { RowActions } from '../../components/data-table/row-actions.tsx';
import { useRefusal } from '../../rights/rights.tsx';
import type { WebhookDialog } from './webhook-dialog.ts';

interface WebhookRowActionsProps {
  webhook: Webhook;
  onOpen: (dialog: WebhookDialog) => void;
}

/** The actions of one webhook in the list. A chat has no secret to rotate. */
export function WebhookRowActions({ webhook, onOpen }: WebhookRowActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const { name, kind } = webhook;
  const open = (dialog: 'edit' | 'rotate' | 'delete' | 'deliveries' | 'history') => () =>
    onOpen({ kind: dialog, webhook });
  return (
    <RowActions
      name={name}
      actions={[
        { icon: ListChecks, label: t('webhooks.actions.deliveries', { name }), onSelect: open('deliveries') },
        {
          label: t('webhooks.actions.edit', { name }),
          icon: Pencil,
          inMenu: true,
          refusal: refusal(webhookRoutes.edit),
          onSelect: open('edit'),
        },
        {
          label: kind === 'chat' ? t('webhooks.actions.rotateChat') : t('webhooks.actions.rotate', { name }),
          icon: KeyRound,
          inMenu: true,
          disabled: kind === 'chat',
          refusal: refusal(webhookRoutes.rotate),
          onSelect: open('rotate'),
        },
        { label: t('webhooks.actions.history', { name }), icon: History, inMenu: true, onSelect: open('history') },
        {
          label: t('webhooks.actions.delete', { name }),
          icon: Trash2,
          inMenu: true,
          danger: true,
          refusal: refusal(webhookRoutes.delete),
          onSelect: open('delete'),
        },
      ]}
    />
  );
}
