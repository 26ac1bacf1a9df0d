import { isTypedName } from '@apotheca/contract/text';
import { isIntact } from '../../../db/cluster/cluster.ts';
import type { ClusterSession } from '../../../db/cluster/session.ts';
import type { Platform } from '../../../db/platform.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { type DatabaseRow, findDatabaseById } from '../databases.repository.ts';
import { findParkedDatabase, type ParkedDatabase, parkedDatabasesList } from '../parked-databases.repository.ts';

/** All parked databases. */
export const listParked = parkedDatabasesList;

/** A parked database: its row in the registry, and how it was before. */
export interface Parked {
  row: DatabaseRow;
  parked: ParkedDatabase;
}

/** A parked database, or one whose removal has begun. @throws AppError not-found */
export async function getParked(platform: Platform, id: string): Promise<Parked> {
  const parked = await findParkedDatabase(platform, id);
  const row = parked && (await findDatabaseById(platform, id));
  if (!row) throw new AppError('not-found', { message: 'This database is no longer kept.' });
  return { row, parked };
}

/** A parked database that is to be removed: its name must have been typed. @throws AppError not-found, invalid */
export async function getParkedByName(platform: Platform, id: string, typed: string): Promise<Parked> {
  const found = await getParked(platform, id);
  if (!isTypedName(typed, found.parked.name)) {
    throw fieldError('invalid', 'databaseName', 'Input value must be the same as the database name');
  }
  return found;
}

/**
 * The database that took the place of a parked one; undefined where the parked one was deleted.
 * @throws AppError conflict while it is not in use itself, or when PostgreSQL has lost the parked one
 */
export async function getSuccessor(
  platform: Platform,
  cluster: ClusterSession,
  { row, parked }: Parked,
): Promise<DatabaseRow | undefined> {
  const { name, replacedBy } = parked;
  if (row.state !== 'parked' || !(await isIntact(cluster, row))) {
    throw new AppError('conflict', { message: `${name} cannot be put back: PostgreSQL no longer has it.` });
  }
  if (replacedBy === null) return undefined;
  const successor = await findDatabaseById(platform, replacedBy);
  if (successor?.state === 'ready') return successor;
  throw new AppError('conflict', {
    message: `${name} was replaced, and what replaced it has been deleted: please put that back first.`,
  });
}
