import type { ErrorCode } from '@apotheca/contract/errors';
import { z } from 'zod';
import type { Actor } from '../actor.ts';
import { appendAudit } from '../audit/audit.service.ts';
import type { Context } from '../context.ts';
import { onBudget, TimeBudget } from '../db/connections/time-budget.ts';
import { refusalOf } from '../db/errors/postgres-refusals.ts';
import { AppError } from '../errors.ts';
import { type OperationKind, operationKind, type Run } from '../operations/operation-kind.ts';
import { counted } from '../wording.ts';
import { planRows, type RowPlan, reasonsOf, refusalOfError } from './import-plan.ts';
import type { ImportSubject } from './import-subject.ts';
import { findImport, type ImportRow, listRows, noteRow, takeImport } from './imports.repository.ts';
import { countRows, describeCounts, noImport } from './imports.service.ts';

const WRITING = 0;
const FINISHING = 1;

/** Errors after which the next row would fail as well: the import ends, and can be started again. */
const NO_ROWS_FAULT: ReadonlySet<ErrorCode> = new Set(['database-away', 'disk-full']);

/** What a row counts for when the time of an import is estimated, in bytes. */
const ROW_BYTES = 8_000_000;

type Input = { importId: string };

/**
 * The operation that writes the rows of a CSV file, one after the other: each is a change of its own, as by the form. Run again after a
 * kill or a cancellation, it goes on with the rows that are left.
 */
export const importKind = (subject: ImportSubject): OperationKind<Input> =>
  operationKind({
    name: `import-${subject.name}`,
    participle: 'imported',
    entity: subject.name,
    permissions: [subject.permission],
    input: z.object({ importId: z.string() }),
    steps: [
      { name: `Writing ${subject.name}`, cancellable: true },
      { name: 'Finishing', cancellable: false },
    ],
    async prepare({ platform }, { importId }, { id, actor }) {
      const rows = await listRows(platform, importId);
      return {
        database: { id, name: subject.name },
        claims: [],
        sizeBytes: rows.filter(isLeft).length * ROW_BYTES,
        async register(trx) {
          const operation = { operationId: id, scopes: actor.scopes ?? null };
          const { startedBy, isThere } = await takeImport(trx, { id: importId, subject: subject.name }, operation);
          if (!isThere) throw noImport();
          if (startedBy === undefined) return;
          const message = `Another file of ${subject.name} is being imported (started by ${startedBy}). Please try again when that has ended.`;
          throw new AppError('busy', { message });
        },
      };
    },
    async run(run, { importId }) {
      await run.step(WRITING);
      if (run.attempt > 1) await subject.settle?.(run.context);
      try {
        await writeRows(subject, run, importId);
        await run.step(FINISHING);
      } catch (error) {
        throw error instanceof AppError && error.code === 'cancelled' ? await cancelled(subject, run, importId) : error;
      }
      await finish(subject, run, importId);
    },
  });

const isLeft = ({ outcome, state }: ImportRow): boolean =>
  (outcome === 'create' || outcome === 'change') && (state === 'waiting' || state === 'begun');

/** A cancelled run ends between two rows. @throws the reason of the cancellation */
async function writeRows(subject: ImportSubject, run: Run, importId: string): Promise<void> {
  const { context } = run;
  const actor = await actorOf(subject, run, importId);
  const rows = await listRows(context.platform, importId);
  const plans = await planRows(subject, context, actor, rows);
  for (const [place, row] of rows.entries()) {
    run.signal.throwIfAborted();
    const plan = plans[place];
    if (plan && isLeft(row)) await writeRow(subject, context, actor, row, plan);
    run.progress((place + 1) / rows.length);
  }
}

/** Whoever started the operation; if that was by an API key, with no more than what the key may do. */
async function actorOf({ name }: ImportSubject, { context, actor }: Run, importId: string): Promise<Actor> {
  const scopes = (await findImport(context.platform, importId, name))?.scopes;
  return { ...actor, ...(scopes && { scopes }) };
}

/** Writes a row, if it still does what was planned. */
async function writeRow(
  subject: ImportSubject,
  context: Context,
  actor: Actor,
  row: ImportRow,
  plan: RowPlan,
): Promise<void> {
  const note = (noted: Parameters<typeof noteRow>[2]) => noteRow(context.platform, row, noted);
  // The run before this one has written it, and was killed before it noted that.
  if (row.state === 'begun' && plan.outcome === 'same') return note({ state: 'done' });
  if (plan.outcome === 'refused') return note({ state: 'failed', reasons: plan.reasons });
  const refuse = (error: AppError) => note({ state: 'failed', reasons: reasonsOf(subject, refusalOfError(error)) });
  const { write } = plan;
  if (!write || plan.outcome !== row.outcome || (plan.version ?? null) !== row.version)
    return refuse(changedMeanwhile());
  await note({ state: 'begun' });
  try {
    // Each row gets the time of a call, however many there are.
    await onBudget(new TimeBudget(), () => write(context, actor));
  } catch (error) {
    const refusal = error instanceof AppError ? error : refusalOf(error);
    if (!refusal || NO_ROWS_FAULT.has(refusal.code)) throw error;
    return refuse(refusal);
  }
  await note({ state: 'done' });
}

const changedMeanwhile = () =>
  new AppError('stale', {
    message: 'Somebody else has changed this since the file was looked at. Please import it again.',
  });

/** The end of a cancelled import, which says how far it came. */
async function cancelled(subject: ImportSubject, { context }: Run, importId: string): Promise<AppError> {
  const counts = await countRows(context.platform, importId);
  const left = counted(counts.waiting, 'row');
  const message = `The import was cancelled with ${left} to go. What was written stays: ${describeCounts(subject, counts)}`;
  return new AppError('cancelled', { message, result: { id: importId, counts } });
}

async function finish(subject: ImportSubject, run: Run, importId: string): Promise<void> {
  const { context, actor } = run;
  const counts = await countRows(context.platform, importId);
  await run.connection.transaction().execute(async (trx) => {
    await run.succeed(trx, { message: describeCounts(subject, counts), result: { id: importId, counts } });
    const event = { actor, action: `${subject.name}.import`, entity: subject.name, entityId: importId };
    await appendAudit(context, trx, { ...event, changes: { ...counts } });
  });
}
