import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Platform } from './platform.ts';

/** How many rows go in one statement: with the rows that go along, far less than it may take (decision 019). */
const MOST = 5_000;

/**
 * Deletes what has expired, some rows at a time: one statement for all of a backlog would be given up, and so would the next one, which has
 * more to delete. Rows that others have locked are waited for by nobody: they go another time.
 * @param table as PostgreSQL calls it
 * @param isExpired whether a row of it goes
 * @param stopping ends it after the statement under way: the next round goes on
 */
export async function deleteExpired(
  platform: Platform,
  table: string,
  isExpired: RawBuilder<SqlBool>,
  stopping?: AbortSignal,
): Promise<void> {
  for (let isMore = true; isMore && !stopping?.aborted; ) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any (array(
        select ctid from ${sql.table(table)} where ${isExpired} limit ${MOST} for update skip locked
      ))`.execute(platform);
    isMore = numAffectedRows === BigInt(MOST);
  }
}
