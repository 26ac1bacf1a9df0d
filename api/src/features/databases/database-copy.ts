import type { Context } from '../../context.ts';
import { allowConnections, withoutSessions } from '../../db/cluster/database-sessions.ts';
import { dropOwned } from '../../db/cluster/owned-objects.ts';
import type { Trx } from '../../db/platform.ts';
import { backendPid, cancellable } from '../../operations/cancellable.ts';
import type { OperationStep, Preparation, Run } from '../../operations/operation-kind.ts';
import { dropAndUnregister } from './database-dropping.ts';
import { refuseDuplicateName, refuseUnusableName } from './database-names.ts';
import { type DatabaseRow, findDatabaseById } from './databases.repository.ts';
import {
  buildDatabase,
  getDatabaseById,
  getDatabaseByName,
  holdAsFound,
  registerDatabase,
} from './databases.service.ts';
import { makeReady } from './ready-database.ts';

/** The steps of every operation that copies a database. */
export const COPY_STEPS: readonly OperationStep[] = [
  { name: 'Waiting for sessions to end', cancellable: true },
  { name: 'Copying', cancellable: true },
  { name: 'Making it available', cancellable: false },
];

/**
 * Registers a copy under a new name. Its id is the operation's.
 * @throws AppError reserved-name, already-exists; conflict where the source has left its server since it was read
 */
export async function registerCopy(
  context: Context,
  trx: Trx,
  copy: { id: string; name: string; tenantId: string | null; source: DatabaseRow },
): Promise<void> {
  const { id, name, tenantId, source } = copy;
  await registerDatabase(context, trx, {
    id,
    name,
    tenantId,
    copiedFrom: source.id,
    schemaVersion: source.schemaVersion,
    serverId: source.serverId,
  }).catch(refuseDuplicateName);
  await holdAsFound(trx, source);
}

/**
 * What an operation needs to know before it clones a database under a new name.
 * @param refuse looks at the source @throws AppError not-found, reserved-name, already-exists; what `refuse` throws
 */
export async function prepareClone(
  context: Context,
  { copyFrom, databaseName }: { copyFrom: string; databaseName: string },
  id: string,
  refuse: (source: DatabaseRow) => void = () => {},
): Promise<Preparation> {
  const source = await getDatabaseByName(context, copyFrom);
  refuse(source);
  await refuseUnusableName(context, databaseName);
  return {
    database: { id, name: databaseName },
    claims: [id, source.id],
    sizeBytes: source.sizeBytes,
    register: (trx) => registerCopy(context, trx, { id, name: databaseName, tenantId: null, source }),
  };
}

/**
 * Copies a database, on its own server, with CREATE DATABASE … TEMPLATE (DECISIONS §6). The source's sessions are ended after a short grace, and connections
 * to it are blocked meanwhile.
 * @param finish ends the operation, in the transaction that makes the copy ready
 */
export async function runCopy(run: Run, finish: (trx: Trx, copy: DatabaseRow) => Promise<void>): Promise<void> {
  const { context, connection, cluster, operationId } = run;
  const copy = await getDatabaseById(connection, operationId);
  const source = await getDatabaseById(connection, copy.copiedFrom ?? '');
  const pid = await backendPid(run);
  await run.step(0);
  await cancellable(run, pid, () =>
    withoutSessions(cluster, source.physicalName, async () => {
      await run.step(1);
      await buildDatabase(context, run, copy, source.physicalName);
    }),
  );
  // The source's role could not be dropped while it has rights in the copy.
  await context.tenants.with(copy, (client) => dropOwned(client, source.roleName, source.physicalName), {
    unlimited: true,
  });
  await run.step(2);
  await makeReady(context, run, copy, (trx) => finish(trx, copy));
}

/** Drops an unfinished copy and allows connections to its source again. */
export async function undoCopy(
  run: Run,
  unregister: (trx: Trx, copy: DatabaseRow) => Promise<void> = async () => {},
): Promise<void> {
  const { connection, cluster, operationId } = run;
  const copy = await findDatabaseById(connection, operationId);
  if (!copy) return;
  await dropAndUnregister(run, copy, (trx) => unregister(trx, copy));
  const source = copy.copiedFrom && (await findDatabaseById(connection, copy.copiedFrom));
  if (source) await allowConnections(cluster, source.physicalName, true);
}
