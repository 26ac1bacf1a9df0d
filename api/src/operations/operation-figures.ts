import { OPERATION_KINDS, type OperationKindName } from '@apotheca/contract/operations';
import { Counter, type Registry } from 'prom-client';
import type { Context } from '../context.ts';
import { ANY_ENDED, type EndedOperation } from '../db/operation-queue.ts';
import { addFigures } from '../figures.ts';
import { countFailedLately, countUnfinished, type UnfinishedOperations } from './waiting-operations.repository.ts';

/** Adds how many operations wait, run and have ended to the figures. What ended counts in the process that ran it. */
export function measureOperations(
  { platform, queue, now }: Pick<Context, 'platform' | 'queue' | 'now'>,
  registry: Registry,
): void {
  addFigures(registry, () => countUnfinished(platform, now()), {
    operations: {
      help: 'Operations that have not ended, by kind: they wait for a worker (queued), or have begun (running)',
      labels: ['kind', 'state'],
      samplesOf: (unfinished) => OPERATION_KINDS.flatMap((kind) => samplesOf(kind, unfinished)),
    },
    operations_oldest_waiting_seconds: {
      help: 'Age of the oldest operation that waits for a worker, by who started it; 0: none waits',
      labels: ['started_by'],
      samplesOf: (unfinished) => [
        { labels: { started_by: 'person' }, value: Math.max(0, ...unfinished.map((one) => one.oldestOfPeople)) },
        { labels: { started_by: 'server' }, value: Math.max(0, ...unfinished.map((one) => one.oldestOfServer)) },
      ],
    },
  });
  addFigures(registry, () => countFailedLately(platform), {
    operations_failed_lately: {
      help: 'Operations that failed within the last hour, by kind',
      labels: ['kind'],
      // Of the table: what a start gives up is counted before the first scrape of that process, so its counter shows no increase.
      samplesOf: (failed) =>
        OPERATION_KINDS.map((kind) => ({
          labels: { kind },
          value: failed.find((one) => one.kind === kind)?.count ?? 0,
        })),
    },
  });
  const ended = new Counter({
    name: 'operations_ended_total',
    help: 'Operations that this process has ended, by kind and how they ended',
    labelNames: ['kind', 'state'],
    registers: [registry],
  });
  // From the start on: the first failure of a kind is an increase only where there was a 0 before.
  for (const kind of OPERATION_KINDS) for (const state of ENDS) ended.inc({ kind, state }, 0);
  queue.ended.on(ANY_ENDED, ({ kind, state }: EndedOperation) => ended.inc({ kind, state }));
}

const ENDS: readonly EndedOperation['state'][] = ['succeeded', 'failed', 'cancelled'];

function samplesOf(kind: OperationKindName, unfinished: readonly UnfinishedOperations[]) {
  const { queued = 0, running = 0 } = unfinished.find((one) => one.kind === kind) ?? {};
  return [
    { labels: { kind, state: 'queued' }, value: queued },
    { labels: { kind, state: 'running' }, value: running },
  ];
}
