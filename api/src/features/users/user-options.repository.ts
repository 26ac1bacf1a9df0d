import { onlyRow, type TrackedList } from '../../db/json-list.ts';
import type { Platform } from '../../db/platform.ts';

/** The options of the user form's selects, in the shape of contract/users `userOptions`: clinical roles in their order, roles by name. */
export const userOptionsList: TrackedList<unknown> = {
  tables: ['clinical_roles', 'roles'],
  select: () => ({
    name: 'user-options',
    rows: `
      select
        (
          select coalesce(json_agg(c), '[]')
          from (select id, role_description as "roleDescription" from clinical_roles order by sort_order) c
        ) as "clinicalRoles",
        (select coalesce(json_agg(r), '[]') from (select id, name as "roleName" from roles order by name) r) as roles`,
    toResult: onlyRow,
  }),
};

export const listRoles = (platform: Platform) => platform.selectFrom('roles').select(['id', 'name']).execute();

export const listClinicalRoles = (platform: Platform) =>
  platform.selectFrom('clinicalRoles').select(['id', 'roleDescription as name']).execute();
