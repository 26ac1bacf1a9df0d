import { sql } from 'kysely';
import type { ClusterSession } from './session.ts';

/**
 * The comment on every database and role that this installation has made. Several installations may share one PostgreSQL server;
 * each manages only its own.
 */
export async function ownershipMark(connection: ClusterSession): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(connection);
  return markFor(rows[0]?.name ?? '');
}

/** The mark of an installation. @param name of its control database, or of its own database on another server */
export const markFor = (name: string): string => `Made by Apotheca, control database ${name}`;

/**
 * The comment on a database that is being copied or loaded, until it is finished: it may still have values which nobody may see, or lack rows.
 * Without its registry row, and as of a moment, nothing else tells.
 */
export const unfinishedMark = async (connection: ClusterSession): Promise<string> =>
  `${await ownershipMark(connection)}, unfinished copy`;
