import type { TrackedList } from '../../db/json-list.ts';
import type { Platform } from '../../db/platform.ts';

const FIELDS = `
  p.id, p.name, p.module, p.identifier, p.sort_order as "sortOrder", p.is_active as "isActive", p.is_menu as "isMenu", p.icon,
  p.route, p.parent_permission_id as "parentPermissionId", p.is_built_in as "isBuiltIn", p.version,
  p.created_by as "createdBy", p.updated_by as "updatedBy"`;

/** All menus, siblings in their order. */
export const menusList: TrackedList<unknown> = {
  tables: ['permissions'],
  select: () => ({
    name: 'menus',
    rows: `
      select ${FIELDS}
      from permissions p
      where p.is_menu
      order by p.sort_order, p.created_at, p.id`,
  }),
};

/** The active menus of a role, siblings in their order. */
export const menusOfRoleList: TrackedList<{ roleId: string }> = {
  tables: ['permissions', 'role_permissions'],
  select: ({ roleId }) => ({
    name: 'menus-of-role',
    values: [roleId],
    rows: `
      select ${FIELDS}
      from permissions p
      join role_permissions rp on rp.permission_id = p.id
      where rp.role_id = $1 and p.is_menu and p.is_active
      order by p.sort_order, p.created_at, p.id`,
  }),
};

export async function roleExists(platform: Platform, id: string): Promise<boolean> {
  return (await platform.selectFrom('roles').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}
