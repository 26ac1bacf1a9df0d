import { Readable } from 'node:stream';
import type { Actor } from '../../../actor.ts';
import { appendAudit } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import { csvHeading, csvRow } from '../../../csv.ts';
import { onBudget, TimeBudget } from '../../../db/connections/time-budget.ts';
import { AppError } from '../../../errors.ts';
import { getDatabaseByName } from '../databases.service.ts';
import { hasRejectedRows, listRejectedRows, type RejectedRow } from './rejected-rows.repository.ts';

/** How many rows are in memory at once. */
const PAGE = 1_000;
/** The most characters of a database's name in a file name: file systems allow 255 bytes, and a character takes up to 4. */
const MAX_NAME = 50;

const COLUMNS = ['table', 'source', 'line', 'kind', 'column', 'reason', 'row'] as const satisfies (keyof RejectedRow)[];

/** A file of the rows that were rejected when a database was adopted. The download is audited before. @throws AppError not-found */
export async function openRejectedRows(context: Context, actor: Actor, databaseName: string) {
  const { id, physicalName, name } = await getDatabaseByName(context, databaseName);
  if (!(await context.tenants.with(physicalName, hasRejectedRows))) {
    throw new AppError('not-found', { message: `${name} has no rejected rows.` });
  }
  await context.platform.transaction().execute((trx) =>
    appendAudit(context, trx, {
      actor,
      action: 'databases.rejected-rows-download',
      entity: 'databases',
      entityId: id,
      changes: { databaseName: name },
    }),
  );
  return {
    content: Readable.from(csv(context, physicalName)),
    name: `${name.slice(0, MAX_NAME)} rejected rows.csv`,
    type: 'text/csv; charset=utf-8',
  };
}

/** Each page is read on a session of its own, with its own time: a long file takes longer than a call may. */
async function* csv(context: Context, physicalName: string): AsyncGenerator<string> {
  yield csvHeading(COLUMNS);
  for (let after = '0'; ; ) {
    const read = () => context.tenants.with(physicalName, (client) => listRejectedRows(client, after, PAGE));
    const page = await onBudget(new TimeBudget(), read);
    const last = page.at(-1);
    if (!last) return;
    yield page.map((row) => csvRow(COLUMNS.map((column) => row[column]))).join('');
    after = last.id;
  }
}
