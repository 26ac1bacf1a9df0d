import { Readable } from 'node:stream';
import type pg from 'pg';
import type { Actor } from '../../../actor.ts';
import { type AuditEvent, appendAudit, auditBeforehand } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import { csvHeading, csvRow } from '../../../csv.ts';
import { onBudget, TimeBudget } from '../../../db/connections/time-budget.ts';
import { refuseHeldTable } from '../../../db/tenant-connection.ts';
import { AppError } from '../../../errors.ts';
import type { DatabaseRow } from '../databases.repository.ts';
import { getDatabaseByName } from '../databases.service.ts';
import { whileUnclaimed } from '../logins/logins.service.ts';
import { countRejectedRows } from '../tenant-database/counts.repository.ts';
import { BEGIN } from '../tenant-database/tenant-change.ts';
import { dropRejectedRows, listRejectedRows, type RejectedRow } from './rejected-rows.repository.ts';

/** How many rows are in memory at once at most. */
const PAGE = 1_000;
/** The most characters of a database's name in a file name: file systems allow 255 bytes, and a character takes up to 4. */
const MAX_NAME = 50;

const COLUMNS = ['table', 'source', 'line', 'kind', 'column', 'reason', 'row'] as const satisfies (keyof RejectedRow)[];

/** A file of the rows that were rejected when a database was adopted. The download is audited before. @throws AppError not-found */
export async function openRejectedRows(context: Context, actor: Actor, databaseName: string) {
  const { row, rows } = await getAdopted(context, databaseName);
  await context.platform
    .transaction()
    .execute((trx) => appendAudit(context, trx, eventOf(actor, 'download', row, rows)));
  return {
    content: Readable.from(csv(context, row)),
    name: `${row.name.slice(0, MAX_NAME)} rejected rows.csv`,
    type: 'text/csv; charset=utf-8',
  };
}

/**
 * Deletes the rows that were rejected when a database was adopted. A copy that an operation makes meanwhile would keep them.
 * @throws AppError not-found, busy
 */
export async function deleteRejectedRows(context: Context, actor: Actor, databaseName: string) {
  const { row, rows } = await getAdopted(context, databaseName);
  await whileUnclaimed(context, row.id, async ({ row: place }) => {
    const work = async (client: pg.Client) => {
      // PostgreSQL ends the transaction around this, and with it what keeps copies away, where it is idle for as long as others may read there.
      await client.query(BEGIN);
      // It waits for who reads there. Only then the entry, for which all others that are audited wait.
      await dropRejectedRows(client).catch(refuseHeldTable);
      await auditBeforehand(context, eventOf(actor, 'delete', row, rows), () => client.query('commit'));
    };
    await context.tenants.with(place, work, { unlimited: true });
  });
  return { databaseName: row.name, rows };
}

/** A database that has rejected rows, and their number. */
async function getAdopted(context: Context, databaseName: string): Promise<{ row: DatabaseRow; rows: number }> {
  const row = await getDatabaseByName(context, databaseName);
  const rows = await context.tenants.with(row, countRejectedRows);
  if (rows === 0) throw new AppError('not-found', { message: `${row.name} has no rejected rows.` });
  return { row, rows };
}

const eventOf = (actor: Actor, action: 'delete' | 'download', { id, name }: DatabaseRow, rows: number): AuditEvent => ({
  actor,
  action: `databases.rejected-rows-${action}`,
  entity: 'databases',
  entityId: id,
  changes: { name, rows },
});

/** Each page is read on a session of its own, with its own time: a long file takes longer than a call may. */
async function* csv(context: Context, row: DatabaseRow): AsyncGenerator<string> {
  yield csvHeading(COLUMNS);
  for (let after = '0'; ; ) {
    const read = () => context.tenants.with(row, (client) => listRejectedRows(client, after, PAGE));
    const page = await onBudget(new TimeBudget(), read);
    const last = page.at(-1);
    if (!last) return;
    yield page.map((row) => csvRow(COLUMNS.map((column) => row[column]))).join('');
    after = last.id;
  }
}
