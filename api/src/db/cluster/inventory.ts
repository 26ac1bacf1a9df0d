import { sql } from 'kysely';
import { ownershipMark, unfinishedMark } from './ownership-mark.ts';
import type { ClusterSession } from './session.ts';
import { swappedMark } from './swap-mark.ts';

/** A database of a PostgreSQL server. */
export interface ClusterDatabase {
  name: string;
  /** Whether this installation made it. */
  isOurs: boolean;
  /** Whether this installation made it and never finished it. */
  isUnfinished: boolean;
  /**
   * Whether a DROP DATABASE of it was interrupted (datconnlimit -2).
   * @see https://www.postgresql.org/docs/15/catalog-pg-database.html
   */
  isInvalid: boolean;
  /** Whether the administrator may drop it: another installation on the server may have another one. */
  canBeDropped: boolean;
}

/** The databases of a server, and the names of the roles there that this installation made. */
export async function readInventory(
  cluster: ClusterSession,
): Promise<{ databases: ClusterDatabase[]; roles: string[] }> {
  const mark = await ownershipMark(cluster);
  const { rows: databases } = await sql<ClusterDatabase>`
    select datname as name, datconnlimit = -2 as "isInvalid", pg_has_role(datdba, 'usage') as "canBeDropped",
      coalesce(comment = ${mark} or starts_with(comment, ${swappedMark(mark)}), false) as "isOurs",
      coalesce(comment = ${await unfinishedMark(cluster)}, false) as "isUnfinished"
    from pg_database cross join lateral shobj_description(oid, 'pg_database') as d (comment)`.execute(cluster);
  const { rows: roles } = await sql<{ name: string }>`
    select rolname as name from pg_roles where shobj_description(oid, 'pg_authid') = ${mark}`.execute(cluster);
  return { databases, roles: roles.map(({ name }) => name) };
}
