import type { DatabaseServerState } from '@apotheca/contract/databaseservers';
import type { Actor } from '../../actor.ts';
import { changedVersion } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { HOME_SERVER } from '../../db/clusters.ts';
import { AppError } from '../../errors.ts';
import { counted } from '../../wording.ts';
import {
  countDatabases,
  deleteServer as deleteServerRow,
  type ServerRow,
  updateServer,
} from './databaseservers.repository.ts';
import { auditServer, requireServer } from './server-records.ts';

/** Places no new tenants on a server. @returns how many databases still live there @throws AppError not-found */
export async function drainDatabaseServer(
  context: Context,
  actor: Actor,
  id: string,
): Promise<{ id: string; databases: number }> {
  const { databases } = await setState(context, actor, id, 'draining', 'drain');
  return { id, databases };
}

/** Takes a server out of use. @throws AppError not-found; protected for the home one; in-use while databases live there */
export async function retireDatabaseServer(context: Context, actor: Actor, id: string): Promise<{ id: string }> {
  await setState(context, actor, id, 'retired', 'retire');
  return { id };
}

/** Places new tenants on a server again. @throws AppError not-found */
export async function activateDatabaseServer(context: Context, actor: Actor, id: string): Promise<{ id: string }> {
  await setState(context, actor, id, 'active', 'activate');
  return { id };
}

function setState(
  context: Context,
  actor: Actor,
  id: string,
  state: DatabaseServerState,
  verb: 'drain' | 'retire' | 'activate',
): Promise<{ databases: number }> {
  return context.platform.transaction().execute(async (trx) => {
    const before = await requireServer(trx, id);
    const databases = (await countDatabases(trx)).get(id)?.databases ?? 0;
    if (state === 'retired') refuseUsed(before, databases);
    if (before.state === state) return { databases };
    await updateServer(trx, id, { state, updatedBy: actor.id, updatedAt: context.now() });
    const changes = changedVersion({ state: before.state, version: before.version }, { state });
    await auditServer(context, trx, actor, verb, id, { name: before.name, ...changes });
    return { databases };
  });
}

/** Deletes the record of a server. @throws AppError not-found; protected for the home one; in-use while databases live there */
export async function deleteDatabaseServer(context: Context, actor: Actor, id: string): Promise<void> {
  await context.platform.transaction().execute(async (trx) => {
    const row = await requireServer(trx, id);
    refuseUsed(row, (await countDatabases(trx)).get(id)?.databases ?? 0);
    await deleteServerRow(trx, id);
    await auditServer(context, trx, actor, 'delete', id, { name: row.name });
  });
}

/** @throws AppError protected, in-use */
function refuseUsed({ id, name }: ServerRow, databases: number): void {
  if (id === HOME_SERVER) {
    throw new AppError('protected', {
      message: 'The home server has the control database: it is never taken out of use.',
    });
  }
  if (databases === 0) return;
  const live = databases === 1 ? 'lives' : 'live';
  throw new AppError('in-use', {
    message: `${counted(databases, 'database')} still ${live} on ${name}, counting clones and kept deleted ones.`,
  });
}
