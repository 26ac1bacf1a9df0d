import type { Webhook } from '@apotheca/contract/webhooks';
import type { TFunction } from 'i18next';
import type { Column } from '../../components/data-table/data-table.tsx';
import { RowName } from '../../components/data-table/row-name.tsx';
import { Badge } from '../../components/display/badge.tsx';
import { Moment } from '../../components/display/moment.tsx';
import { zonedMinute } from '../../lib/moment.ts';
import { formatCount } from '../../lib/numbers.ts';

/** How it stands with a webhook: what a person has to look at comes first. */
function stateOf({ isActive, inactiveReason, failed, pending }: Webhook) {
  if (inactiveReason !== '') return { state: 'gone', tone: 'danger' } as const;
  if (!isActive) return { state: 'inactive', tone: 'muted' } as const;
  if (failed > 0) return { state: 'failed', tone: 'danger' } as const;
  return pending > 0
    ? ({ state: 'pending', tone: 'warning' } as const)
    : ({ state: 'active', tone: 'success' } as const);
}

/** The columns of the list of webhooks. */
export const webhookColumns = (t: TFunction, onOpen: (webhook: Webhook) => void): Column<Webhook>[] => {
  const stateText = (webhook: Webhook) =>
    t(`webhooks.states.${stateOf(webhook).state}`, {
      failed: formatCount(webhook.failed),
      pending: formatCount(webhook.pending),
    });
  const lastText = ({ lastDeliveredOnUtc: last }: Webhook) =>
    last === null ? t('webhooks.never') : zonedMinute(new Date(last));
  return [
    {
      id: 'name',
      header: t('webhooks.columns.name'),
      width: 200,
      pinned: true,
      cell: (webhook) => <RowName opens={() => onOpen(webhook)}>{webhook.name}</RowName>,
      text: ({ name }) => name,
    },
    {
      id: 'kind',
      filterBy: ({ kind }) => kind,
      header: t('webhooks.columns.kind'),
      width: 110,
      cell: ({ kind }) => t(`webhooks.kinds.${kind}`),
      text: ({ kind }) => t(`webhooks.kinds.${kind}`),
    },
    {
      id: 'host',
      header: t('webhooks.columns.host'),
      width: 220,
      cell: ({ url }) => <span className="code">{hostOf(url)}</span>,
      text: ({ url }) => hostOf(url),
    },
    {
      id: 'state',
      header: t('webhooks.columns.state'),
      width: 170,
      onCard: true,
      filterBy: ({ isActive }) => (isActive ? 'on' : 'off'),
      filterValues: { on: t('webhooks.filters.on'), off: t('webhooks.filters.off') },
      cell: (webhook) => <Badge tone={stateOf(webhook).tone}>{stateText(webhook)}</Badge>,
      text: stateText,
    },
    {
      id: 'lastDelivered',
      header: t('webhooks.columns.lastDelivered'),
      width: 165,
      onCard: true,
      cell: (webhook) =>
        webhook.lastDeliveredOnUtc === null ? (
          <span className="text-muted">{lastText(webhook)}</span>
        ) : (
          <Moment moment={webhook.lastDeliveredOnUtc} />
        ),
      text: lastText,
    },
  ];
};

/** Of an address the host alone: the rest may be a secret, and the screen may be seen by others. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');
