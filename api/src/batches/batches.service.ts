import {
  IMPORT_RESULTS,
  type ImportCounts,
  type ImportedRow,
  type ImportReport,
  type ImportResult,
  ROWS_OF_PROGRESS,
} from '@apotheca/contract/imports';
import { isEnded, type OperationState } from '@apotheca/contract/operations';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import type { Platform } from '../db/platform.ts';
import { AppError } from '../errors.ts';
import type { OperationKind } from '../operations/operation-kind.ts';
import { startOperation } from '../operations/operations.service.ts';
import { refuseChangedPlan } from '../plan.ts';
import { idOf, planOf, planRows } from './batch-plan.ts';
import type { BatchSubject, SentRow } from './batch-subject.ts';
import {
  type AskedBatch,
  type BatchRow,
  countOutcomes,
  deletePlanOf,
  deletePlansBefore,
  findBatch,
  findBegun,
  insertBatch,
  listEndedRows,
  listRows,
  lockBatch,
  replaceRows,
} from './batches.repository.ts';

export type BatchPlan = ReturnType<typeof planOf>;

export interface BatchReport extends Omit<ImportReport, 'rows'> {
  asked: unknown;
  /** With the id of a selected record. */
  rows: (ImportedRow & { id?: string })[];
}

/** How long a plan is kept that was never started, in milliseconds: a day. */
const KEPT = 24 * 60 * 60 * 1000;

/**
 * Says what rows would do, and keeps both for the call that does it, in place of the caller's plan before.
 * @param asked what is asked of all of them
 */
export async function planBatch<Asked>(
  subject: BatchSubject<Asked>,
  context: Context,
  actor: Actor,
  sent: { asked: Asked; rows: readonly SentRow[] },
): Promise<BatchPlan> {
  const rows = await planRows(subject as BatchSubject, context, actor, sent);
  const id = await context.platform.transaction().execute(async (trx) => {
    const made = { kind: subject.kind, asked: sent.asked, createdBy: ownerOf(actor), createdAt: context.now() };
    await deletePlanOf(trx, made.kind, made.createdBy);
    const batchId = await insertBatch(trx, made);
    await replaceRows(trx, batchId, rows);
    return batchId;
  });
  return planOf(id, rows);
}

/** Calls are made by users. */
function ownerOf({ id }: Actor): string {
  if (id === null) throw new AppError('not-allowed');
  return id;
}

/**
 * Starts to write the rows of a batch, unless they would do something else than was planned; then the new plan is kept. One that has begun goes on:
 * whoever never got the answer of the start, or got a failure, may send it again.
 * @param sentPlan digest of the plan
 * @returns the operation's id
 * @throws AppError not-found for a plan of somebody else; conflict for one that is done; plan-changed with the new plan; busy
 */
export async function startBatch(
  subject: BatchSubject,
  kind: OperationKind<{ batchId: string }>,
  context: Context,
  actor: Actor,
  { id, plan: sentPlan }: { id: string; plan: string },
): Promise<string> {
  const { platform } = context;
  const { words } = subject;
  const find = async (connection: Platform) => requireOwn(await findBatch(connection, id, subject.kind), actor, words);
  const start = () =>
    startOperation(context, actor, kind, { batchId: id }).catch(async (error: unknown) => {
      if (!isBusy(error)) throw error;
      // It may be this very batch that is at work: by a start that was sent at the same time.
      const now = await find(platform);
      if (!hasBegun(now)) throw error;
      return goOn(now, words, () => Promise.reject(error));
    });
  const found = await find(platform);
  if (hasBegun(found)) return goOn(found, words, start);
  const rows = await planRows(subject, context, actor, { asked: found.asked, rows: await listRows(platform, id) });
  const plan = planOf(id, rows);
  if (plan.digest !== sentPlan) {
    const begun = await platform.transaction().execute(async (trx) => {
      // Another start may have begun to write the rows meanwhile.
      await lockBatch(trx, id);
      const now = await find(trx);
      if (hasBegun(now)) return now;
      await replaceRows(trx, id, rows);
      return undefined;
    });
    if (begun) return goOn(begun, words, start);
  }
  refuseChangedPlan(sentPlan, plan, words.plan);
  return start();
}

/** @returns the batch, if it is one of the actor's. @throws AppError not-found */
function requireOwn<Batch extends { createdBy: string }>(
  found: Batch | undefined,
  actor: Actor,
  words: BatchSubject['words'],
): Batch {
  if (found?.createdBy !== actor.id) throw noBatch(words.gone);
  return found;
}

const isBusy = (error: unknown): boolean => error instanceof AppError && error.code === 'busy';

type Begun = { operationId: string; state: OperationState };

const hasBegun = (batch: { operationId: string | null; state: OperationState | null }): batch is Begun =>
  batch.operationId !== null;

/**
 * A batch that has begun, started once more. Its rows are not planned anew, as each says how far it has come.
 * @returns the id of the operation that goes on, or of the one that takes up what a failed or cancelled one has left
 * @throws AppError conflict where all is done
 */
async function goOn(
  { operationId, state }: Begun,
  { taken }: BatchSubject['words'],
  start: () => Promise<string>,
): Promise<string> {
  if (state === 'succeeded') throw new AppError('conflict', { message: taken });
  return isEnded(state) ? start() : operationId;
}

/**
 * What a batch has done so far, row by row.
 * @param asked its id, or that of an operation that has written it; empty: the newest one, null where there is none. With `fromLine` only some rows
 * that are no longer waiting, from there on: who looks at one that goes on asks every other second, and all rows are megabytes
 * @throws AppError not-found
 */
export async function getBatchReport(
  { kind, words }: BatchSubject,
  { platform, now }: Context,
  { fromLine, ...asked }: Omit<AskedBatch, 'kind'> & { fromLine?: number | undefined },
): Promise<BatchReport | null> {
  const begun = await findBegun(platform, { ...asked, kind }, now());
  if (!begun && asked.id === undefined && asked.operationId === undefined) return null;
  if (!begun) throw noBatch(words.none);
  const { createdAt, kind: _, ...batch } = begun;
  const counts = await countRows(platform, batch.id);
  const rows =
    fromLine === undefined
      ? await listRows(platform, batch.id)
      : await listEndedRows(platform, batch.id, fromLine, ROWS_OF_PROGRESS);
  return {
    ...batch,
    startedOnUtc: createdAt.toISOString(),
    counts,
    rows: rows.map((row) => {
      const { line, cells, record, changes, reasons } = row;
      return { line, ...idOf(cells), record, changes, reasons, result: resultOf(row) };
    }),
  };
}

/** How many rows of a batch came to each result. */
export async function countRows(platform: Platform, batchId: string): Promise<ImportCounts> {
  const counts = Object.fromEntries(IMPORT_RESULTS.map((result) => [result, 0])) as ImportCounts;
  for (const { count, ...row } of await countOutcomes(platform, batchId)) counts[resultOf(row)] += count;
  return counts;
}

/** What became of a row. */
export function resultOf({ outcome, state }: Pick<BatchRow, 'outcome' | 'state'>): ImportResult {
  if (outcome === 'same') return 'same';
  if (outcome === 'refused' || state === 'failed') return 'refused';
  if (state !== 'done') return 'waiting';
  return outcome === 'create' ? 'created' : 'changed';
}

/** Forgets plans that nobody has started. */
export const forgetOldPlans = ({ platform, now }: Context): Promise<void> =>
  deletePlansBefore(platform, new Date(now().getTime() - KEPT));

/** The refusal of an id that no batch has. */
export const noBatch = (message: string): AppError => new AppError('not-found', { message });
