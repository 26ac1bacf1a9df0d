import type { Context } from '../../context.ts';
import type { Platform, Trx } from '../../db/platform.ts';
import { AppError } from '../../errors.ts';
import { setSize } from './database-sizes.repository.ts';
import { type DatabaseRow, setSchemaVersion } from './databases.repository.ts';
import { findParkedVersion, insertParkedDatabase } from './parked-databases.repository.ts';

const DAY = 86_400_000;

/** Until when a database is kept that is deleted or replaced now; undefined: it is dropped at once. */
export function keptUntil({ parkDays, now }: Context): Date | undefined {
  return parkDays === 0 ? undefined : new Date(now().getTime() + parkDays * DAY);
}

/**
 * A sentence for a confirmation, with a space before it: until when what is deleted or replaced now can be put back. Empty where it
 * is dropped at once.
 */
export function describeKeeping(context: Context, subject: string): string {
  const until = keptUntil(context);
  return until ? ` ${subject} can be put back until ${minuteOf(until)}.` : '';
}

/** A moment for a text: '2026-11-27 23:20 UTC'. */
export const minuteOf = (moment: Date): string => `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/**
 * Parks a database that is deleted, in the transaction that deletes its tenant. PostgreSQL must block connections to it, and logins
 * of its role.
 */
export async function parkDeleted(context: Context, trx: Trx, row: DatabaseRow, until: Date): Promise<void> {
  const { id: databaseId, tenantId } = row;
  const parkedAt = context.now();
  await insertParkedDatabase(trx, { databaseId, tenantId, replacedBy: null, parkedAt, keptUntil: until });
}

/**
 * Parks the rows that a database had before it was replaced.
 * @param target the database as it was
 * @param databaseId of the registry's row that holds its old rows now
 */
export async function parkReplaced(
  context: Context,
  trx: Trx,
  { target, databaseId, keptUntil }: { target: DatabaseRow; databaseId: string; keptUntil: Date },
): Promise<void> {
  const { id: replacedBy, schemaVersion, sizeBytes } = target;
  const parkedAt = context.now();
  await insertParkedDatabase(trx, { databaseId, tenantId: null, replacedBy, parkedAt, keptUntil });
  await setSchemaVersion(trx, databaseId, schemaVersion);
  await setSize(trx, databaseId, { sizeBytes, measuredAt: parkedAt });
}

/**
 * Refuses to drop a database while rows that it replaced are parked: only into it they can be put back, and its role has rights there.
 * @throws AppError conflict
 */
export async function refuseParkedVersion(platform: Platform, id: string, name: string): Promise<void> {
  const parkedAt = await findParkedVersion(platform, id);
  if (!parkedAt) return;
  throw new AppError('conflict', {
    message: `What ${name} was until ${minuteOf(parkedAt)} is still kept: please remove that first.`,
  });
}
