import { sql } from 'kysely';
import type { Platform } from '../../../db/platform.ts';

/** A database, and the anonymized clones of it that live on another server than it does. */
export interface PartedClones {
  source: string;
  clones: string[];
}

/**
 * The anonymized clones that live on another server than their source once a database has moved, by source: it is that, or one of them.
 * @param serverId the server that it moves to
 */
export async function listPartedClones(
  platform: Platform,
  databaseId: string,
  serverId: string,
): Promise<PartedClones[]> {
  const { rows } = await sql<PartedClones>`
    select source.name as source, array_agg(d.name::text order by d.name) as clones
    from anonymized_clones a
    join databases d on d.id = a.database_id and d.state = 'ready'
    join databases source on source.id = d.copied_from and source.state = 'ready'
    where (d.id = ${databaseId} and source.server_id <> ${serverId})
      or (source.id = ${databaseId} and d.server_id <> ${serverId})
    group by source.name
    order by source.name`.execute(platform);
  return rows;
}
