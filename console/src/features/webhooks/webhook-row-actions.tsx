import { type Webhook, webhookRoutes } from '@apotheca/contract/webhooks';
import { Ellipsis, History, KeyRound, ListChecks, Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/button/button.tsx';
import { MenuButton } from '../../components/popup/menu-button.tsx';
import { useRefusal } from '../../rights/rights.tsx';
import type { WebhookDialog } from './webhook-dialog.ts';

interface WebhookRowActionsProps {
  webhook: Webhook;
  onOpen: (dialog: WebhookDialog) => void;
}

/** The buttons of one webhook in the list. A chat has no secret to rotate. */
export function WebhookRowActions({ webhook, onOpen }: WebhookRowActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const { name, kind } = webhook;
  const open = (dialog: 'edit' | 'rotate' | 'delete' | 'deliveries' | 'history') => () =>
    onOpen({ kind: dialog, webhook });
  return (
    <>
      <IconButton icon={ListChecks} label={t('webhooks.actions.deliveries', { name })} onClick={open('deliveries')} />
      <MenuButton
        icon={Ellipsis}
        label={t('webhooks.actions.more', { name })}
        items={[
          {
            label: t('webhooks.actions.edit', { name }),
            icon: Pencil,
            refusal: refusal(webhookRoutes.edit),
            onSelect: open('edit'),
          },
          {
            label: kind === 'chat' ? t('webhooks.actions.rotateChat') : t('webhooks.actions.rotate', { name }),
            icon: KeyRound,
            disabled: kind === 'chat',
            refusal: refusal(webhookRoutes.rotate),
            onSelect: open('rotate'),
          },
          { label: t('webhooks.actions.history', { name }), icon: History, onSelect: open('history') },
          {
            label: t('webhooks.actions.delete', { name }),
            icon: Trash2,
            danger: true,
            refusal: refusal(webhookRoutes.delete),
            onSelect: open('delete'),
          },
        ]}
      />
    </>
  );
}
