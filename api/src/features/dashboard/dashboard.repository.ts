import type { TrackedList } from '../../db/json-list.ts';

/** How many users (not deleted), tenants and databases (ready) there are: one row. */
export const countsList: TrackedList<unknown> = {
  tables: ['users', 'databases'],
  select: () => ({
    name: 'dashboard-counts',
    rows: `
      select
        (select count(*) from users where deleted_at is null) as users,
        count(tenant_id) as tenants,
        count(*) as databases
      from databases
      where state = 'ready'`,
  }),
};
