import type { EventType } from '@apotheca/contract/events';
import type { DeliveryState, IssuedSecret, WebhookDelivery, WebhookKind } from '@apotheca/contract/webhooks';
import { appendAudit } from '../audit/audit.service.ts';
import { makeDestinations } from '../features/webhooks/destinations.ts';
import { queueDeliveries, type Sending, sendDue } from '../features/webhooks/dispatch.ts';
import { createWebhook, listWebhookDeliveries } from '../features/webhooks/webhooks.service.ts';
import type { TestApp } from './app.ts';

const TESTER = { id: null, name: 'tester', address: '198.51.100.1' };

let made = 0;

/** Functions that make webhooks, let things happen, and tell of them. */
export function useWebhooks(test: TestApp) {
  const sending: Sending = {
    destinations: makeDestinations(['127.0.0.1']),
    stopping: new AbortController().signal,
    onError: (error) => test.background.push(error),
  };
  const queue = () => queueDeliveries(test.context);
  const send = async (change: Partial<Sending> = {}) => {
    const begun = await sendDue(test.context, { ...sending, ...change }, 100);
    await Promise.all(begun);
    return begun.length;
  };
  return {
    queue,
    send,
    /** Queues and sends until nothing is due. */
    async tell(change: Partial<Sending> = {}) {
      await queue();
      while ((await send(change)) > 0);
    },
    /** A webhook without the call that makes one, whose session would end while a test lets time pass. */
    async create(url: string, eventTypes: EventType[], kind: WebhookKind = 'standard'): Promise<IssuedSecret> {
      made += 1;
      return createWebhook(test.context, TESTER, { name: `webhook ${made}`, kind, url, eventTypes, isActive: true });
    },
    /** The newest deliveries of a webhook, oldest first. */
    deliveries: async (webhookId: string, state?: DeliveryState): Promise<WebhookDelivery[]> =>
      (await listWebhookDeliveries(test.context, { webhookId, state })).toReversed(),
    /** Lets something happen to a record that needs none of its writes. */
    happen: (action: string, entityId: string, changes: Record<string, unknown> = {}) =>
      test.context.platform.transaction().execute((trx) =>
        appendAudit(test.context, trx, {
          actor: TESTER,
          action,
          entity: action.split('.')[0] ?? '',
          entityId,
          changes,
        }),
      ),
  };
}
