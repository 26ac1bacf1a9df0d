import type { TenantPermission } from '@apotheca/contract/tenant-permissions';
import { LRUCache } from 'lru-cache';
import type { Actor } from '../../actor.ts';
import { auditBeforehand } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { getDatabaseOfTenant } from '../databases/databases.service.ts';
import {
  findDatabaseOfCode,
  listActiveModules,
  listTenantPermissionRows,
  updateTenantPermission,
} from './tenant-permissions.repository.ts';
import { listCatalogue } from './tenant-sync.repository.ts';

/** The permissions that the last sync brought into a tenant's database. @throws AppError not-found */
export async function listTenantPermissions(context: Context, tenantId: string): Promise<TenantPermission[]> {
  return context.tenants.with(await getDatabaseOfTenant(context, tenantId), listTenantPermissionRows);
}

/** How long the modules of a tenant are believed, in milliseconds. */
const MODULES_HOLD = 60_000;
/** Of how many tenants a server process keeps the modules. */
const MOST_TENANTS = 1_000;
const kept = new LRUCache<string, Promise<readonly string[]>>({ max: MOST_TENANTS, ttl: MODULES_HOLD });

/**
 * The modules of which a tenant has an active permission, as they were at most a minute ago. None for a code that nobody has, and where
 * the tenant's database cannot be read: for readers who are not signed in, to whom neither is told.
 */
export async function modulesOfTenant(context: Context, code: string): Promise<readonly string[]> {
  const database = await findDatabaseOfCode(context.platform, code);
  if (!database) return [];
  // Not by the code: it can be written in endless ways (case, width, invisible characters), each of which would be a connection.
  const key = `${context.clusters.home.url} ${database.serverId} ${database.physicalName}`;
  const known = kept.get(key);
  if (known) return known;
  const modules = context.tenants.with(database, listActiveModules).catch(() => {
    kept.delete(key);
    return [];
  });
  kept.set(key, modules);
  return modules;
}

interface Switch {
  tenantId: string;
  identifier: string;
  isActive: boolean;
}

/**
 * Switches a tenant's own permission on or off; later syncs keep that (DECISIONS §10). Nothing is written if it has that state already.
 * @returns its name
 * @throws AppError not-found; conflict where it is to be on and the catalogue has it inactive for all
 */
export async function setTenantPermission(
  context: Context,
  actor: Actor,
  { tenantId, identifier, isActive }: Switch,
): Promise<string> {
  const database = await getDatabaseOfTenant(context, tenantId);
  if (isActive) await refuseInactive(context, identifier);
  return context.tenants.with(database, async (client) => {
    await client.query('begin');
    const changed = await updateTenantPermission(client, identifier, isActive);
    if (!changed) throw new AppError('not-found', { message: 'The tenant has no such permission.' });
    const { name, wasActive } = changed;
    const changes = { identifier, isActive: [wasActive, isActive] };
    const event = { actor, action: 'permissions.switch', entity: 'tenants', entityId: tenantId, changes };
    const commit = () => client.query('commit');
    await (wasActive === isActive ? commit() : auditBeforehand(context, event, commit));
    return name;
  });
}

/** A tenant has such a row only to remember what it has switched off; the next sync would take back what is switched on. @throws AppError conflict */
async function refuseInactive({ platform }: Context, identifier: string): Promise<void> {
  const isSame = (row: { identifier: string }) => row.identifier.toLowerCase() === identifier.toLowerCase();
  const found = (await listCatalogue(platform)).find(isSame);
  if (!found || found.isActive) return;
  const what = found.isMenu ? `${found.name}, or a menu that it is in,` : found.name;
  throw new AppError('conflict', { message: `${what} is inactive for all tenants.` });
}
