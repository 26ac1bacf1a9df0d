import { sql } from 'kysely';
import { z } from 'zod';
import { isSetAhead } from '../../../db/due-moments.ts';
import type { Platform, Trx } from '../../../db/platform.ts';

/** What was found in a database that is to be adopted. */
const inspection = z.object({
  encoding: z.string(),
  /** Length of the archive within its file; of a server 0. */
  archiveBytes: z.number(),
  sizeBytes: z.number(),
  hasLargeObjects: z.boolean(),
  tables: z.array(
    z.object({
      id: z.string(),
      schema: z.string(),
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.number().nullable(),
    }),
  ),
});
export type Inspection = z.infer<typeof inspection>;

export async function insertSource(
  platform: Platform,
  source: { id: string; inspection: Inspection; connection: Buffer | null; createdAt: Date },
): Promise<void> {
  await platform
    .insertInto('adoptionSources')
    .values({ ...source, inspection: JSON.stringify(source.inspection) })
    .execute();
}

/** An inspected database. */
export interface SourceRow extends Inspection {
  id: string;
  /** How to connect to its server, encrypted; null: it is an archive. */
  connection: Buffer | null;
}

export async function findSource(platform: Platform, id: string): Promise<SourceRow | undefined> {
  const row = await platform
    .selectFrom('adoptionSources')
    .select(['inspection', 'connection'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row && { ...inspection.parse(row.inspection), id, connection: row.connection };
}

/** Locks a source so that it is not removed before the transaction has ended. @returns whether there is one */
export async function lockSource(trx: Trx, id: string): Promise<boolean> {
  const row = await trx.selectFrom('adoptionSources').select('id').where('id', '=', id).forShare().executeTakeFirst();
  return row !== undefined;
}

export async function deleteSource(platform: Platform, id: string): Promise<void> {
  await platform.deleteFrom('adoptionSources').where('id', '=', id).execute();
}

/**
 * Deletes the sources that are kept no longer and that no operation reads. When one was inspected by a clock that was ahead nobody knows:
 * it counts as old, as it has the way into somebody's database.
 * @param keptFor in milliseconds
 */
export async function deleteOldSources(platform: Platform, now: Date, keptFor: number): Promise<void> {
  const longest = sql`make_interval(secs => ${keptFor / 1_000})`;
  await platform
    .deleteFrom('adoptionSources')
    .where((eb) =>
      eb.or([eb('createdAt', '<', new Date(now.getTime() - keptFor)), isSetAhead('createdAt', now, longest)]),
    )
    .where(
      sql<boolean>`not exists (
        select from operations o
        where o.kind = 'adopt' and o.state in ('queued', 'running') and o.input ->> 'sourceId' = adoption_sources.id::text
      )`,
    )
    .execute();
}

export async function listSourceIds(platform: Platform): Promise<string[]> {
  const rows = await platform.selectFrom('adoptionSources').select('id').execute();
  return rows.map(({ id }) => id);
}
