import type { Context } from '../../../context.ts';
import { dropLoginRole, listMembers, statementTimeoutOf } from '../../../db/cluster/login-roles.ts';
import { readerName } from '../../../db/cluster/names.ts';
import { type Cluster, forEachCluster, HOME_SERVER, sessionsWithin } from '../../../db/clusters.ts';
import { attemptEachPlaced } from '../attempt-each.ts';
import { lockDatabaseRow } from '../databases.repository.ts';
import { getDatabaseById } from '../databases.service.ts';
import { findLogins, listDatabasesWithoutVerifiers, listOwnRoles } from './logins.repository.ts';
import { applyLogins } from './logins.service.ts';

/**
 * Makes the logins anew whose verifiers are not noted yet, as they come from a version before that. Sessions go on.
 * @param stopping aborts it
 */
export async function noteVerifiers(context: Context, stopping?: AbortSignal): Promise<void> {
  await attemptEachPlaced(
    await listDatabasesWithoutVerifiers(context.platform),
    ({ id }) =>
      context.utility.transaction().execute(async (trx) => {
        // One that an operation works on comes later.
        const row = await lockDatabaseRow(trx, id);
        if (row?.state !== 'ready') return;
        await applyLogins(context, await sessionsWithin(context, row.serverId, trx), row);
      }),
    'verifiers of logins could not be noted',
    stopping,
  );
}

/**
 * Makes the logins on other servers as the registry has them, where a change was made there and a kill kept it from the registry: a new
 * login is dropped, as nobody knows its password, and the one before has no end again. Limits of time are those of the registry.
 * @param stopping aborts it
 */
export async function repairLogins(context: Context, stopping?: AbortSignal): Promise<void> {
  const repair = async ({ id, platform }: Cluster) => {
    if (id === HOME_SERVER) return;
    const members = await listMembers(platform);
    const names = members.map(({ roleName }) => roleName);
    const registered = new Map((await findLogins(context.platform, names)).map((login) => [login.roleName, login]));
    for (const { roleName, hasEnd, statementTimeout } of members) {
      if (stopping?.aborted) return;
      const login = registered.get(roleName);
      if (!login) continue;
      const isOther = statementTimeout !== statementTimeoutOf(login);
      if (isOther || (hasEnd && login.validUntil === null)) await applyAnew(context, login.databaseId);
    }
    const strays = members.filter(({ roleName }) => !registered.has(roleName));
    if (strays.length === 0) return;
    const databases = new Map(
      (await listOwnRoles(context.platform, id)).flatMap((each) => [
        [each.roleName, each.id],
        [readerName(each.roleName), each.id],
      ]),
    );
    for (const { roleName, memberOf } of strays) {
      if (stopping?.aborted) return;
      const databaseId = databases.get(memberOf);
      if (databaseId) await dropStrayLogin(context, { serverId: id, databaseId, roleName });
    }
  };
  await forEachCluster(context, repair, stopping);
}

/** Waits for whoever changes the logins of a database now. */
async function applyAnew(context: Context, databaseId: string): Promise<void> {
  await context.utility.transaction().execute(async (trx) => {
    await lockDatabaseRow(trx, databaseId);
    const row = await getDatabaseById(trx, databaseId);
    await applyLogins(context, await sessionsWithin(context, row.serverId, trx), row);
  });
}

async function dropStrayLogin(
  context: Context,
  { serverId, databaseId, roleName }: { serverId: string; databaseId: string; roleName: string },
): Promise<void> {
  await context.utility.transaction().execute(async (trx) => {
    await lockDatabaseRow(trx, databaseId);
    // Whoever was making it has registered it now.
    if ((await findLogins(trx, [roleName])).length > 0) return;
    await dropLoginRole((await sessionsWithin(context, serverId, trx)).cluster, roleName);
  });
}
