import { EVENT_KINDS } from '@apotheca/contract/events';
import type { DeliveryState, WebhookDelivery } from '@apotheca/contract/webhooks';
import type { TFunction } from 'i18next';
import type { Column } from '../../components/data-table/data-table.tsx';
import { Badge } from '../../components/display/badge.tsx';
import { Moment } from '../../components/display/moment.tsx';
import { localMinute, zonedMinute } from '../../lib/moment.ts';
import { formatCount } from '../../lib/numbers.ts';
import { messageText } from '../../locales/messages.ts';

const TONES = { pending: 'warning', delivered: 'success', failed: 'danger' } as const satisfies Record<
  DeliveryState,
  string
>;

/** The columns of a webhook's deliveries. @param isGone whether one is not in the list any more, and only shown */
export const deliveryColumns = (
  t: TFunction,
  isGone: (delivery: WebhookDelivery) => boolean,
): Column<WebhookDelivery>[] => {
  const eventText = ({ eventType }: WebhookDelivery) =>
    messageText(EVENT_KINDS.find(({ type }) => type === eventType)?.name ?? '') || t('webhooks.deliveries.test');
  const stateText = (delivery: WebhookDelivery) =>
    isGone(delivery) ? t('webhooks.deliveries.gone') : t(`webhooks.deliveries.states.${delivery.state}`);
  const attemptsText = ({ attempts, dueOnUtc }: WebhookDelivery) =>
    dueOnUtc === null || attempts === 0
      ? formatCount(attempts)
      : t('webhooks.deliveries.next', { attempts: formatCount(attempts), moment: localMinute(new Date(dueOnUtc)) });
  const answerText = ({ lastStatus, lastAnswer }: WebhookDelivery) =>
    [lastStatus === null ? '' : String(lastStatus), messageText(lastAnswer)].filter((part) => part !== '').join(' ');
  return [
    {
      id: 'event',
      header: t('webhooks.deliveries.columns.event'),
      width: 190,
      pinned: true,
      cell: (delivery) => eventText(delivery),
      text: eventText,
    },
    {
      id: 'occurred',
      header: t('webhooks.deliveries.columns.occurred'),
      width: 165,
      below: 'event',
      onCard: true,
      cell: ({ occurredOnUtc }) => <Moment moment={occurredOnUtc} />,
      text: ({ occurredOnUtc }) => zonedMinute(new Date(occurredOnUtc)),
    },
    {
      id: 'state',
      header: t('webhooks.deliveries.columns.state'),
      width: 110,
      onCard: true,
      cell: (delivery) => (
        <Badge tone={isGone(delivery) ? 'muted' : TONES[delivery.state]}>{stateText(delivery)}</Badge>
      ),
      text: stateText,
    },
    {
      id: 'attempts',
      header: t('webhooks.deliveries.columns.attempts'),
      width: 230,
      cell: (delivery) => <span className="num">{attemptsText(delivery)}</span>,
      text: attemptsText,
    },
    {
      id: 'answer',
      header: t('webhooks.deliveries.columns.answer'),
      width: 330,
      cell: (delivery) => <span className="text-muted">{answerText(delivery)}</span>,
      text: answerText,
    },
  ];
};
