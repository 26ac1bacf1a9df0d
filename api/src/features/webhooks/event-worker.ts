import type { Context } from '../../context.ts';
import type { Worker } from '../../worker.ts';
import { queueAlerts } from './alerts/alert-mails.ts';
import { makeDestinations } from './destinations.ts';
import { queueDeliveries, type Sending, sendDue } from './dispatch.ts';

/** How many deliveries a server process sends at once: receivers that hang do not hold up all others. */
const CONCURRENCY = 16;
/** How often an idle worker looks for what has happened and what is due, in milliseconds. */
const POLL = 1_000;

/**
 * Tells others what happens, in this server process, until it is stopped. The rows of the control database say what is due: what a killed
 * process had begun is sent again when its claim has ended.
 */
export function startEvents(
  context: Context,
  onError: (error: unknown) => void,
  { poll = POLL, timeout }: { poll?: number; timeout?: number } = {},
): Worker {
  const stopping = new AbortController();
  const { signal } = stopping;
  const destinations = makeDestinations(context.webhookHosts);
  const sending: Sending = { destinations, stopping: signal, onError, ...(timeout && { timeout }) };
  const underWay = new Set<Promise<void>>();
  /** Does a step again and again, with a pause between unless it is woken. Each has a loop of its own: none waits until another has caught up. */
  const repeat = (step: () => Promise<void>) => {
    let woken = Promise.withResolvers<void>();
    const work = async () => {
      while (!signal.aborted) {
        woken = Promise.withResolvers();
        await step().catch(onError);
        const pause = setTimeout(woken.resolve, poll);
        await woken.promise;
        clearTimeout(pause);
      }
    };
    return { working: work(), wake: () => woken.resolve() };
  };
  const send = repeat(async () => {
    for (const delivery of await sendDue(context, sending, CONCURRENCY - underWay.size)) follow(delivery);
  });
  const follow = (delivery: Promise<void>) => {
    underWay.add(delivery);
    void delivery.then(() => {
      underWay.delete(delivery);
      // Its record's next one may go, or another one in its place.
      send.wake();
    });
  };
  const queue = repeat(async () => {
    if (await queueDeliveries(context)) send.wake();
  });
  const loops = [send, queue, repeat(() => queueAlerts(context))];
  return {
    async stop() {
      stopping.abort();
      for (const { wake } of loops) wake();
      await Promise.all(loops.map(({ working }) => working));
      await Promise.all(underWay);
    },
  };
}
