import type { Webhook } from '@apotheca/contract/webhooks';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useListWebhooksQuery } from '../../api/webhooks.ts';
import { ListTable } from '../../components/data-table/list-table.tsx';
import { useListView } from '../../components/data-table/use-list-view.ts';
import { KEPT_FRESH } from '../../lists/list-freshness.ts';
import { useList } from '../../lists/use-list.ts';
import { CreateWebhookButton } from './create-webhook-button.tsx';
import { webhookColumns } from './webhook-columns.tsx';
import type { WebhookDialog } from './webhook-dialog.ts';
import { WebhookRowActions } from './webhook-row-actions.tsx';

/** Two icon buttons of 30 px and the cell's padding. */
const ACTIONS_WIDTH = 80;

/** All webhooks, by name, and how it stands with their deliveries. */
export function WebhooksTable({ onOpen }: { onOpen: (dialog: WebhookDialog) => void }) {
  const { t } = useTranslation();
  const view = useListView(['name']);
  const columns = useMemo(() => webhookColumns(t, (webhook) => onOpen({ kind: 'edit', webhook })), [t, onOpen]);
  const query = useListWebhooksQuery(undefined, { refetchOnMountOrArgChange: true, ...KEPT_FRESH });
  const list = useList(query, view, { columns });
  const rowActions = useCallback(
    (webhook: Webhook) => <WebhookRowActions webhook={webhook} onOpen={onOpen} />,
    [onOpen],
  );
  return (
    <ListTable
      {...list}
      label={t('webhooks.title')}
      name="webhooks"
      filterLabel={t('webhooks.filter')}
      downloadLabel={t('webhooks.download')}
      noMatchText={t('webhooks.noMatch')}
      emptyText={t('webhooks.empty')}
      emptyHint={t('webhooks.emptyHint')}
      hiddenText={({ name }) => t('webhooks.hidden', { name })}
      emptyAction={<CreateWebhookButton onOpen={onOpen} />}
      rowActions={rowActions}
      actionsWidth={ACTIONS_WIDTH}
    />
  );
}
