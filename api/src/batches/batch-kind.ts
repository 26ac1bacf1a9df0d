import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { z } from 'zod';
import type { Actor } from '../actor.ts';
import { appendAudit } from '../audit/audit.service.ts';
import type { Context } from '../context.ts';
import { isServerAway, pingServer } from '../db/clusters.ts';
import { onBudget, TimeBudget } from '../db/connections/time-budget.ts';
import { refusalOf } from '../db/errors/postgres-refusals.ts';
import { AppError } from '../errors.ts';
import { type OperationKind, operationKind, type Run } from '../operations/operation-kind.ts';
import { cancelOperation, findState, waitForOperation } from '../operations/operations.service.ts';
import { findServerWaitedFor } from '../operations/waiting-operations.repository.ts';
import { counted } from '../wording.ts';
import { planRows, type RowPlan, reasonsOf, refusalOfError } from './batch-plan.ts';
import type { BatchSubject } from './batch-subject.ts';
import { type BatchRow, findBatch, listRows, noteRow, takeBatch } from './batches.repository.ts';
import { countRows, noBatch } from './batches.service.ts';

const WRITING = 0;
const FINISHING = 1;

/**
 * Whether the next row would fail as well: the batch ends, and can be started again. Another server than the control database's own takes down
 * only the rows of its own databases.
 */
const isNoRowsFault = (error: unknown, { code }: AppError): boolean =>
  code === 'disk-full' || (code === 'database-away' && !isServerAway(error));

/** How often rows are tried for which there was too much to do. */
const PASSES = 3;
/** How long to wait before what there was too much to do for is tried again, in milliseconds. */
const PAUSE = 2_000;

const pause = (signal: AbortSignal): Promise<unknown> => setTimeout(PAUSE, undefined, { signal }).catch(() => {});

/** What a row counts for when the time of a batch is estimated, in bytes. */
const ROW_BYTES = 8_000_000;

type Input = { batchId: string };

/**
 * The operation that writes the rows of a batch, one after the other or a few at a time: each is a change of its own, as by the call for one
 * record. Run again after a kill or a cancellation, it goes on with the rows that are left.
 */
export const batchKind = (subject: BatchSubject): OperationKind<Input> =>
  operationKind({
    name: subject.kind,
    participle: subject.words.participle,
    entity: subject.entity,
    input: z.object({ batchId: z.string() }),
    steps: [
      { name: subject.words.step, cancellable: true },
      { name: 'Finishing', cancellable: false },
    ],
    async prepare({ platform }, { batchId }, { id, actor }) {
      const left = (await listRows(platform, batchId)).filter(isLeft).length;
      return {
        database: { id, name: subject.nameOf(left) },
        claims: [],
        sizeBytes: left * ROW_BYTES,
        async register(trx) {
          const operation = { operationId: id, scopes: actor.scopes ?? null };
          const { startedBy, isThere, isDone } = await takeBatch(trx, { id: batchId, kind: subject.kind }, operation);
          if (!isThere) throw noBatch(subject.words.gone);
          if (isDone) throw new AppError('conflict', { message: subject.words.taken });
          if (startedBy !== undefined) throw new AppError('busy', { message: subject.words.busy(startedBy) });
        },
      };
    },
    async run(run, { batchId }) {
      await run.step(WRITING);
      const batch = await findBatch(run.context.platform, batchId, subject.kind);
      if (!batch) throw noBatch(subject.words.none);
      const { asked, scopes } = batch;
      // By an API key, with no more than what the key may do.
      const actor = { ...run.actor, ...(scopes && { scopes }) };
      try {
        for (let left = PASSES - 1; await writeRows(subject, run, actor, { batchId, asked, left }); left -= 1)
          await pause(run.signal);
        await run.step(FINISHING);
      } catch (error) {
        throw isCancellation(error) ? await cancelled(subject, run, { batchId, asked }) : error;
      }
      await finish(subject, run, { batchId, asked });
    },
  });

const isCancellation = (error: unknown): boolean => error instanceof AppError && error.code === 'cancelled';

interface Batch {
  batchId: string;
  asked: unknown;
}

const isLeft = ({ outcome, state }: BatchRow): boolean =>
  (outcome === 'create' || outcome === 'change') && (state === 'waiting' || state === 'begun');

/**
 * Begins no further row once the run is cancelled, or a row has shown that the next one would fail as well. What others have begun comes to its
 * end before.
 * @param left how many passes may follow this one
 * @returns whether another pass is to follow, which compares anew the rows for which there was too much to do
 * @throws the reason
 */
async function writeRows(
  subject: BatchSubject,
  run: Run,
  actor: Actor,
  { batchId, asked, left }: Batch & { left: number },
): Promise<boolean> {
  const { context, signal } = run;
  const rows = await listRows(context.platform, batchId);
  for (const { cells, state } of rows) if (state === 'begun') await subject.settle?.(context, cells);
  const plans = await planRows(subject, context, actor, { asked, rows });
  const turn = pLimit((await subject.atOnce?.(context, asked, signal)) ?? 1);
  const start: Starting = pLimit(1);
  let fault: unknown;
  let isLate = false;
  let ended = 0;
  const write = async (row: BatchRow, plan: RowPlan | undefined) => {
    if (fault !== undefined || signal.aborted) return;
    if (plan && isLeft(row)) await writeRow(subject, run, actor, { row, plan, start, isLast: left === 0 });
    ended += 1;
    run.progress(ended / rows.length);
  };
  const catching = (error: unknown) => {
    if (left > 0 && error instanceof AppError && error.code === 'overloaded') isLate = true;
    else fault ??= error;
  };
  await Promise.all(rows.map((row, place) => turn(() => write(row, plans[place]).catch(catching))));
  signal.throwIfAborted();
  if (fault !== undefined) throw fault;
  return isLate;
}

/** Rows are started one after the other, also where several go on at once: so each finds what the one before has taken. */
type Starting = (work: () => Promise<unknown>) => Promise<unknown>;

interface Writing {
  row: BatchRow;
  plan: RowPlan;
  start: Starting;
  isLast: boolean;
}

/** Whether a row would still do what was shown. Where an operation does it, what is shown of it may change with the rows before it. */
const isAsPlanned = (plan: RowPlan, row: BatchRow): boolean =>
  plan.outcome === row.outcome &&
  (plan.version ?? null) === row.version &&
  (plan.start !== undefined || isDeepStrictEqual(plan.changes, row.changes));

/** Writes a row, if it still does what was planned. @throws AppError overloaded, unless it is its last pass */
async function writeRow(
  subject: BatchSubject,
  run: Run,
  actor: Actor,
  { row, plan, start, isLast }: Writing,
): Promise<void> {
  const { context, signal } = run;
  const note = (noted: Parameters<typeof noteRow>[2]) => noteRow(context.platform, row, noted);
  const refuse = (error: AppError) => note({ state: 'failed', reasons: reasonsOf(subject, refusalOfError(error)) });
  const isBegun = row.state === 'begun';
  const earlier = isBegun && row.operationId !== null ? await findState(context, row.operationId) : undefined;
  const hasFailed = earlier === 'failed' || earlier === 'cancelled';
  // Its operation was started by the run before this one; what is there now may be what that has made. One that failed is done anew.
  const hasStarted = earlier !== undefined && !hasFailed;
  if (!hasStarted) {
    // The run before this one has written it, and was killed before it noted that.
    if (isBegun && plan.outcome === 'same') return note({ state: 'done' });
    if (plan.outcome === 'refused') return note({ state: 'failed', reasons: plan.reasons });
    if (!isAsPlanned(plan, row)) return refuse(new AppError('stale', { message: subject.words.stale }));
  }
  const operationId = (hasFailed ? null : row.operationId) ?? randomUUID();
  // What it changes now: it may have been planned anew since the plan that was asked for.
  await note({ state: 'begun', operationId, ...(!hasStarted && { changes: plan.changes }) });
  try {
    if (!hasStarted) {
      await start(async () => {
        signal.throwIfAborted();
        // Each row gets the time of a call, however many there are.
        await onBudget(new TimeBudget(), async () => {
          await (plan.start?.(context, actor, operationId) ?? plan.write?.(context, actor));
        });
      });
    }
    // How it ends is found out when the batch is started again.
    if ((hasStarted || plan.start) && !(await endOf(run, actor, operationId))) return;
  } catch (error) {
    // Whoever cancels the batch cancels the operation of its row, which is then to be done again.
    if (isCancellation(error) && isCancellation(signal.reason)) {
      await note({ state: 'waiting', operationId: null });
      throw error;
    }
    if (signal.aborted && error === signal.reason) throw error;
    const refusal = error instanceof AppError ? error : refusalOf(error);
    if (!refusal || isNoRowsFault(error, refusal)) throw error;
    if (refusal.code === 'overloaded' && !isLast) throw refusal;
    return refuse(refusal);
  }
  await note({ state: 'done' });
}

/**
 * Waits for the end of a row's operation, and cancels it when the batch is cancelled. A server that stops waits no longer: the operation
 * goes on by itself.
 * @returns whether it has ended; false: it goes on, and can no longer be cancelled
 * @throws AppError its failure; database-away where its server does not answer; cancelled also where it is cancelled and still waits for that
 */
async function endOf({ context, signal }: Run, actor: Actor, operationId: string): Promise<boolean> {
  const stop = Promise.withResolvers<undefined>();
  const onAbort = () => stop.resolve(undefined);
  signal.addEventListener('abort', onAbort);
  try {
    while (!signal.aborted) {
      if (await Promise.race([waitForOperation(context, operationId, false), stop.promise])) return true;
      await leaveIfServerAway(context, actor, operationId);
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  if (!isCancellation(signal.reason)) throw signal.reason;
  const isCancelled = await tryCancel(context, actor, operationId);
  // One that can no longer be cancelled has almost ended, unless its server is away.
  const hasEnded = (await waitForOperation(context, operationId, false)) !== undefined;
  if (isCancelled && !hasEnded) throw new AppError('cancelled');
  return hasEnded;
}

const tryCancel = (context: Context, actor: Actor, operationId: string): Promise<boolean> =>
  cancelOperation(context, actor, operationId).then(
    () => true,
    () => false,
  );

/**
 * Cancels an operation that waits for its database server, so that the rows behind it have their turn. One that can no longer be cancelled is
 * waited for.
 * @throws AppError database-away
 */
async function leaveIfServerAway(context: Context, actor: Actor, operationId: string): Promise<void> {
  const serverId = await findServerWaitedFor(context.platform, operationId);
  if (serverId === undefined) return;
  await pingServer(await context.clusters.of(serverId)).catch(async (error: unknown) => {
    if (!isServerAway(error) || (await tryCancel(context, actor, operationId))) throw error;
  });
}

/** The end of a cancelled batch, which says how far it came. */
async function cancelled(subject: BatchSubject, { context }: Run, { batchId, asked }: Batch): Promise<AppError> {
  const counts = await countRows(context.platform, batchId);
  const message = subject.words.cancelled(counted(counts.waiting, 'row'), subject.describe(counts, asked));
  return new AppError('cancelled', { message, result: { id: batchId, counts } });
}

async function finish(subject: BatchSubject, run: Run, { batchId, asked }: Batch): Promise<void> {
  const { context, actor } = run;
  const counts = await countRows(context.platform, batchId);
  await run.connection.transaction().execute(async (trx) => {
    await run.succeed(trx, { message: subject.describe(counts, asked), result: { id: batchId, counts } });
    const event = { actor, action: subject.action, entity: subject.entity, entityId: batchId };
    await appendAudit(context, trx, { ...event, changes: { ...(asked as object | null), ...counts } });
  });
}
