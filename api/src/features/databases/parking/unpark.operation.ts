import { z } from 'zod';
import { appendAudit } from '../../../audit/audit.service.ts';
import { databaseExists, databaseSize } from '../../../db/cluster/cluster.ts';
import { allowConnections, allowLogin, closeDatabase, endSessions } from '../../../db/cluster/database-sessions.ts';
import { createRole, grantConnect, revokeConnect } from '../../../db/cluster/restored-database.ts';
import { changeRegistryFirst } from '../../../db/cluster/session.ts';
import { isServerAway } from '../../../db/clusters.ts';
import { refuseBy } from '../../../db/errors/postgres-errors.ts';
import type { Trx } from '../../../db/platform.ts';
import { AppError } from '../../../errors.ts';
import { type Further, onFurtherServer } from '../../../operations/further-server.ts';
import { operationKind, type Run } from '../../../operations/operation-kind.ts';
import { getOperation } from '../../../operations/operations.service.ts';
import { auditDatabase } from '../database-audit.ts';
import { keptUntil, minuteOf } from '../database-parking.ts';
import { reopenKept, replaceLost, swapAndOpen, takeBackSwap } from '../database-swap.ts';
import {
  type DatabaseRow,
  deleteDatabase,
  findDatabaseById,
  findReadyDatabaseByName,
  lockDatabaseRow,
} from '../databases.repository.ts';
import { grantRights, loginRoleOf, reopenDatabase } from '../databases.service.ts';
import { refuseSlots } from '../following.ts';
import { applyLogins } from '../logins/logins.service.ts';
import { exchangeContents, parkAnew, returnParkedDatabase } from '../parked-databases.repository.ts';
import { type Exchanged, exchangeServers, prepareExchange, takeBackOther, takeBackTarget } from '../server-exchange.ts';
import { isSubdomainFree } from '../tenant-subdomains.service.ts';
import { getParked, getSuccessor, type Parked } from './parking.service.ts';

/**
 * Puts a parked database back as it was, with its tenant, role, password and connection string. One that was replaced takes turns with
 * what replaced it, which is parked then.
 */
export const unparkOperation = operationKind({
  name: 'unpark',
  participle: 'put back',
  input: z.object({ databaseId: z.string() }),
  steps: [
    { name: 'Ending sessions', cancellable: true },
    { name: 'Putting back', cancellable: false },
  ],
  async prepare({ platform, clusters }, { databaseId }) {
    const found = await getParked(platform, databaseId);
    const { name } = found.parked;
    const server = await clusters.of(found.row.serverId);
    const successor = await getSuccessor(platform, server.platform, found);
    if (successor) await refuseSlots({ clusters }, successor);
    else if (await findReadyDatabaseByName(platform, name)) throw nameTaken(name);
    return {
      database: { id: successor?.id ?? databaseId, name: successor?.name ?? name },
      claims: successor ? [databaseId, successor.id] : [databaseId],
      sizeBytes: 0,
    };
  },
  async run(run, { databaseId }) {
    const found = await getParked(run.connection, databaseId);
    try {
      await onFurtherServer(run, found.row.serverId, async (further) => {
        // Before it is asked what PostgreSQL has: until then it may have the other one's name.
        await takeBack(run, found, further);
        const successor = await getSuccessor(run.connection, further.cluster, found);
        if (!successor) return putBackDeleted(run, found);
        if (successor.serverId === found.row.serverId) return takeTurns(run, found, successor);
        await moveBack(run, found, { target: successor, other: found.row, further });
      });
    } catch (error) {
      // The next run may come only when the server of the parked rows is back: until then nobody waits for it.
      await openSuccessor(run, found).catch(() => {});
      throw error;
    }
  },
  async undo(run, { databaseId }) {
    const found = await getParked(run.connection, databaseId);
    try {
      const successor = await onFurtherServer(run, found.row.serverId, (further) => takeBack(run, found, further));
      await reopenKept(run, successor);
    } catch (error) {
      await openSuccessor(run, found).catch(() => {});
      // In its first step nothing was begun there, and nobody waits for a server that may never come back.
      const isBegun = (await getOperation(run.context, run.operationId)).step > 0;
      if (isBegun || !isServerAway(error)) throw error;
    }
  },
});

/** Opens the database that took the place of a parked one of another server, unless the two have changed places. */
async function openSuccessor(run: Run, { row, parked: { replacedBy } }: Parked): Promise<void> {
  if (replacedBy === null) return;
  // PostgreSQL may be at work on that commit, though the run has lost its session.
  const target = await run.context.platform.transaction().execute((trx) => lockDatabaseRow(trx, replacedBy));
  if (!target || target.serverId === row.serverId) return;
  await takeBackTarget(run, { target, other: row });
  await reopenKept(run, target);
}

/**
 * Takes back what an earlier run has changed in PostgreSQL, and the registry does not know of.
 * @returns the database that took the parked one's place; undefined: that was deleted, or there is none
 */
async function takeBack(run: Run, { row, parked }: Parked, further: Further): Promise<DatabaseRow | undefined> {
  if (parked.replacedBy === null) return undefined;
  const target = await findDatabaseById(run.connection, parked.replacedBy);
  if (!target) return undefined;
  const exchanged = { target, other: row, further };
  if (target.serverId === row.serverId) {
    await takeBackSwap(run, exchanged);
  } else {
    await takeBackOther(exchanged);
    await takeBackTarget(run, exchanged);
  }
  return target;
}

/** Puts back a database that was deleted. @throws AppError conflict when its name, or its tenant's code or subdomain, is taken */
async function putBackDeleted(run: Run, { row, parked }: Parked): Promise<void> {
  const { context, actor } = run;
  const { name, tenant } = parked;
  await run.step(1);
  await changeRegistryFirst(
    run,
    async (trx) => {
      if (tenant) await refuseTakenSubdomain(trx, tenant);
      await returnParkedDatabase(trx, parked);
      const what = tenant ? `Tenant ${tenant.code}` : `Database ${name}`;
      const result = { id: row.id, databaseName: name };
      await run.succeed(trx, { message: `Success! ${what} has been put back.`, result });
      await auditDatabase(run, trx, 'databases.unpark', row.id, { name });
      if (!tenant) return;
      const entity = { entity: 'tenants', entityId: String(tenant.id) };
      await appendAudit(context, trx, { actor, action: 'tenants.unpark', ...entity, changes: { code: tenant.code } });
    },
    (cluster) => reopenDatabase(cluster, row),
  ).catch(refuseBy({ databases__name: () => nameTaken(name), tenants__code: () => codeTaken(String(tenant?.code)) }));
}

async function refuseTakenSubdomain(trx: Trx, tenant: Record<string, unknown>): Promise<void> {
  const [id, code, subdomain] = [String(tenant.id), String(tenant.code), String(tenant.subdomain ?? '')];
  if (subdomain && !(await isSubdomainFree(trx, { id, subdomain }))) throw subdomainTaken(code, subdomain);
}

/** Puts back the rows that a database had before it was replaced, and parks those that it has now. */
async function takeTurns(run: Run, { row, parked }: Parked, successor: DatabaseRow): Promise<void> {
  const { context, cluster } = run;
  await run.step(0);
  if (!(await databaseExists(cluster, successor.physicalName))) return takePlaceOfLost(run, row, successor);
  await allowLogin(cluster, successor.roleName, false);
  await endSessions(cluster, successor.physicalName);
  await closeDatabase(cluster, successor.physicalName);
  await renewRights(run, row, successor);
  await run.step(1);
  const sizeBytes = await databaseSize(cluster, successor.physicalName);
  // What was promised to be kept is kept, also where databases are no longer parked.
  const until = keptUntil(context) ?? parked.keptUntil;
  await swapAndOpen(
    run,
    { target: successor, other: row },
    async (trx) => {
      await grantConnect(trx, successor.physicalName, successor.roleName);
      await revokeConnect(trx, row.physicalName, successor.roleName);
    },
    async (trx) => {
      await exchangeContents(trx, row, { ...successor, sizeBytes });
      await parkAnew(trx, row.id, { parkedAt: context.now(), keptUntil: until });
      await finishTurn(run, trx, successor, until);
    },
  );
}

/** The same where the rows are on the server that a move has left: the database goes back there. */
async function moveBack(run: Run, { row, parked }: Parked, exchanged: Exchanged): Promise<void> {
  const { context, cluster } = run;
  const { target } = exchanged;
  await run.step(0);
  if (!(await databaseExists(cluster, target.physicalName))) throw lost(target.name);
  await allowLogin(cluster, target.roleName, false);
  await endSessions(cluster, target.physicalName);
  await closeDatabase(cluster, target.physicalName);
  await run.step(1);
  await prepareExchange(run, exchanged);
  // The rows may be older than the reader, or than what the role may do.
  await grantRights(context, { ...target, serverId: row.serverId, physicalName: row.physicalName });
  const sizeBytes = await databaseSize(cluster, target.physicalName);
  const until = keptUntil(context) ?? parked.keptUntil;
  await exchangeServers(run, exchanged, async (trx) => {
    await exchangeContents(trx, row, { ...target, sizeBytes });
    await parkAnew(trx, row.id, { parkedAt: context.now(), keptUntil: until });
    await finishTurn(run, trx, target, until);
  });
}

/**
 * Gives the successor's role and reader the rights in a parked database that they have now: the rows may be older than the reader, or
 * than what the role may do. Nobody else may connect to it.
 */
async function renewRights({ context, cluster }: Run, row: DatabaseRow, successor: DatabaseRow): Promise<void> {
  try {
    await allowConnections(cluster, row.physicalName, true);
    await grantRights(context, { ...successor, physicalName: row.physicalName });
  } finally {
    await closeDatabase(cluster, row.physicalName);
  }
}

/** Gives a parked database the place of a successor that PostgreSQL has lost, perhaps with its role. */
async function takePlaceOfLost(run: Run, row: DatabaseRow, successor: DatabaseRow): Promise<void> {
  const { context, cluster } = run;
  const { physicalName } = row;
  await run.step(1);
  await createRole(cluster, { ...loginRoleOf(context, successor), physicalName });
  await applyLogins(context, run, { ...successor, physicalName });
  await renewRights(run, row, successor);
  await replaceLost(run, { target: successor, other: row }, async (trx) => {
    await exchangeContents(trx, row, successor);
    await deleteDatabase(trx, row.id);
    await finishTurn(run, trx, successor);
  });
}

async function finishTurn(run: Run, trx: Trx, { id, name }: DatabaseRow, until?: Date): Promise<void> {
  const kept = until ? ` What it was until now can be put back until ${minuteOf(until)}.` : '';
  const message = `Success! Database ${name} has been put back.${kept}`;
  await run.succeed(trx, { message, result: { id, databaseName: name } });
  await auditDatabase(run, trx, 'databases.unpark', id, { name, ...(until && { keptUntil: until.toISOString() }) });
}

const lost = (name: string): AppError =>
  new AppError('conflict', {
    message: `${name} cannot be put back: its database server no longer has what replaced it. Reconcile, on the Database Management screen, says what can be done.`,
  });

const nameTaken = (name: string): AppError =>
  new AppError('conflict', {
    message: `Another database is named ${name} now: please rename it, then ${name} can be put back.`,
  });

const codeTaken = (code: string): AppError =>
  new AppError('conflict', {
    message: `Another tenant has the code ${code} now: please change it, then ${code} can be put back.`,
  });

const subdomainTaken = (code: string, subdomain: string): AppError =>
  new AppError('conflict', {
    message: `Another tenant has the subdomain ${subdomain} now: please change it, then ${code} can be put back.`,
  });
