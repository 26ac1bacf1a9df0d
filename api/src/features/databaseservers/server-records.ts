import type { Actor } from '../../actor.ts';
import { appendAudit } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/platform.ts';
import { AppError } from '../../errors.ts';
import { lockServer, type ServerRow } from './databaseservers.repository.ts';

/** The record of a server, locked until the transaction ends. @throws AppError not-found */
export async function requireServer(trx: Trx, id: string): Promise<ServerRow> {
  const row = await lockServer(trx, id);
  if (!row) throw noServer();
  return row;
}

export const noServer = (): AppError => new AppError('not-found', { message: 'There is no such database server.' });

/** Audits what was done with the record of a server. */
export function auditServer(
  context: Context,
  trx: Trx,
  actor: Actor,
  verb: 'create' | 'edit' | 'check' | 'drain' | 'retire' | 'activate' | 'delete',
  entityId: string,
  changes: Record<string, unknown>,
): Promise<void> {
  const action = `databaseservers.${verb}`;
  return appendAudit(context, trx, { actor, action, entity: 'databaseservers', entityId, changes });
}
