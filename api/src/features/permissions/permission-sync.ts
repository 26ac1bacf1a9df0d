import { randomUUID } from 'node:crypto';

/** What a permission or menu is, in the catalogue and in a tenant. */
interface PermissionContent {
  id: string;
  /** Of menus only: the id of the parent menu in the catalogue. */
  parentPermissionId: string | null;
  module: string;
  name: string;
  identifier: string;
  route: string | null;
  icon: string | null;
  sortOrder: number;
  isMenu: boolean;
}

export interface CataloguePermission extends PermissionContent {
  /** A menu is active if it and all that it is in are. */
  isActive: boolean;
}

/** A permission in a tenant's database. Its ids are the tenant's own. */
export interface TenantPermission extends PermissionContent {
  isActive: boolean;
  /** `isActive` as the last sync wrote it. If the two differ, the tenant has switched it. */
  syncedIsActive: boolean;
}

/** What a sync changes, and what it leaves alone. */
export interface PermissionComparison {
  added: TenantPermission[];
  /** The rows to write. */
  changed: TenantPermission[];
  removed: TenantPermission[];
  /** Switched off by the tenant itself: they stay off. */
  kept: TenantPermission[];
}

/**
 * Compares catalogue, tenant and last sync (DECISIONS §10). Permissions are identified by their identifier, ignoring case. A tenant's row
 * keeps its id, so parents are found by identifier too. Tenants get what is active. What a tenant has switched off it keeps meanwhile as
 * well, as only its row knows of that.
 */
export function comparePermissions(
  all: readonly CataloguePermission[],
  present: readonly TenantPermission[],
): PermissionComparison {
  const switchedOff = new Set(present.filter((row) => !row.isActive && row.syncedIsActive).map(keyOf));
  const catalogue = all.filter((row) => row.isActive || switchedOff.has(keyOf(row)));
  const wanted = new Set(catalogue.map(keyOf));
  const staying = new Map(present.filter((row) => wanted.has(keyOf(row))).map((row) => [keyOf(row), row]));
  const ids = tenantIds(catalogue, staying);
  const merged = catalogue.map((permission) => {
    const parentPermissionId = ids.get(permission.parentPermissionId ?? '') ?? null;
    const row = { ...permission, id: ids.get(permission.id) ?? permission.id, parentPermissionId };
    const before = staying.get(keyOf(permission));
    return { before, after: { ...row, isActive: before ? isActiveAfter(before) : true, syncedIsActive: true } };
  });
  const removed = present.filter((row) => staying.get(keyOf(row)) !== row);
  // A menu whose parent is removed leaves it, even if another permission gets the parent's id.
  const removedIds = new Set<string | null>(removed.map(({ id }) => id));
  const isChanged = (before: TenantPermission, after: TenantPermission) =>
    !isSame(before, after) || removedIds.has(before.parentPermissionId);
  return {
    added: merged.filter(({ before }) => !before).map(({ after }) => after),
    changed: merged.filter(({ before, after }) => before && isChanged(before, after)).map(({ after }) => after),
    removed,
    kept: merged.map(({ after }) => after).filter(({ isActive }) => !isActive),
  };
}

const keyOf = ({ identifier }: PermissionContent): string => identifier.toLowerCase();

/** The ids that the catalogue's permissions have in a tenant, by their ids in the catalogue. */
function tenantIds(
  catalogue: readonly CataloguePermission[],
  staying: ReadonlyMap<string, TenantPermission>,
): Map<string, string> {
  const taken = new Set([...staying.values()].map(({ id }) => id));
  // A tenant's row may have the id of another permission of the catalogue, if identifiers were changed.
  const freeId = (id: string) => (taken.has(id) ? randomUUID() : id);
  return new Map(catalogue.map((row) => [row.id, staying.get(keyOf(row))?.id ?? freeId(row.id)]));
}

/** What the tenant has switched stays as it is. Everything else is on, as in the catalogue. */
const isActiveAfter = ({ isActive, syncedIsActive }: TenantPermission): boolean =>
  isActive === syncedIsActive || isActive;

const isSame = (one: TenantPermission, other: TenantPermission): boolean =>
  one.parentPermissionId === other.parentPermissionId &&
  one.module === other.module &&
  one.name === other.name &&
  one.identifier === other.identifier &&
  one.route === other.route &&
  one.icon === other.icon &&
  one.sortOrder === other.sortOrder &&
  one.isMenu === other.isMenu &&
  one.isActive === other.isActive &&
  one.syncedIsActive === other.syncedIsActive;
