/** A permission as the catalogue has it; only active ones are synced. */
export interface CataloguePermission {
  id: string;
  module: string;
  name: string;
  identifier: string;
  sortOrder: number;
}

/** A permission as a tenant has it. */
export interface TenantPermission extends CataloguePermission {
  isActive: boolean;
  /** `isActive` as the last sync wrote it: where the two differ, the tenant decided. */
  syncedIsActive: boolean;
}

/** What a sync has to do, and what it leaves alone. */
export interface PermissionComparison {
  added: CataloguePermission[];
  /** As they are to be written. */
  changed: TenantPermission[];
  removed: TenantPermission[];
  /** Switched off by the tenant itself: they stay off. */
  kept: TenantPermission[];
}

/** Compares catalogue, tenant and last sync (DECISIONS §10). Permissions are told apart by their identifiers, ignoring case. */
export function comparePermissions(
  catalogue: readonly CataloguePermission[],
  present: readonly TenantPermission[],
): PermissionComparison {
  const known = new Map(present.map((permission) => [keyOf(permission), permission]));
  const wanted = new Set(catalogue.map(keyOf));
  const changed = catalogue.flatMap((permission) => {
    const before = known.get(keyOf(permission));
    if (!before) return [];
    const after = merge(permission, before);
    return isSame(before, after) ? [] : [after];
  });
  return {
    added: catalogue.filter((permission) => !known.has(keyOf(permission))),
    changed,
    removed: present.filter((permission) => !wanted.has(keyOf(permission))),
    kept: present.filter(
      (permission) => wanted.has(keyOf(permission)) && !permission.isActive && isDecided(permission),
    ),
  };
}

const keyOf = ({ identifier }: CataloguePermission): string => identifier.toLowerCase();

const isDecided = ({ isActive, syncedIsActive }: TenantPermission): boolean => isActive !== syncedIsActive;

/** The tenant keeps its row and what it decided; the rest is the catalogue's. */
function merge({ id: _, ...permission }: CataloguePermission, before: TenantPermission): TenantPermission {
  if (isDecided(before)) return { ...before, ...permission };
  return { ...before, ...permission, isActive: true, syncedIsActive: true };
}

const isSame = (one: TenantPermission, other: TenantPermission): boolean =>
  one.module === other.module &&
  one.name === other.name &&
  one.identifier === other.identifier &&
  one.sortOrder === other.sortOrder &&
  one.isActive === other.isActive &&
  one.syncedIsActive === other.syncedIsActive;
