import type { Platform } from '../../db/platform.ts';

const FIELDS = [
  'p.id',
  'p.name',
  'p.module',
  'p.identifier',
  'p.sortOrder',
  'p.isActive',
  'p.isMenu',
  'p.icon',
  'p.route',
  'p.parentPermissionId',
  'p.isBuiltIn',
  'p.version',
  'p.createdBy',
  'p.updatedBy',
] as const;

/** All menus, siblings in their order. */
export function listMenus(platform: Platform) {
  return platform
    .selectFrom('permissions as p')
    .select(FIELDS)
    .where('p.isMenu', '=', true)
    .orderBy('p.sortOrder')
    .orderBy('p.createdAt')
    .orderBy('p.id')
    .execute();
}

/** The active menus of a role, siblings in their order. */
export function listActiveMenusOfRole(platform: Platform, roleId: string) {
  return platform
    .selectFrom('permissions as p')
    .innerJoin('rolePermissions as rp', 'rp.permissionId', 'p.id')
    .select(FIELDS)
    .where('rp.roleId', '=', roleId)
    .where('p.isMenu', '=', true)
    .where('p.isActive', '=', true)
    .orderBy('p.sortOrder')
    .orderBy('p.createdAt')
    .orderBy('p.id')
    .execute();
}

export async function roleExists(platform: Platform, id: string): Promise<boolean> {
  return (await platform.selectFrom('roles').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}
