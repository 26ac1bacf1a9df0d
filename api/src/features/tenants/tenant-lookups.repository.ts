import type { TrackedList } from '../../db/json-list.ts';
import type { Platform } from '../../db/platform.ts';

export const tenantStatusesList: TrackedList<unknown> = {
  tables: ['tenant_statuses'],
  select: () => ({ name: 'tenant-statuses', rows: 'select id, name from tenant_statuses order by sort_order' }),
};

export const emrsList: TrackedList<unknown> = {
  tables: ['emrs'],
  select: () => ({ name: 'emrs', rows: 'select id, name from emrs order by sort_order' }),
};

/** Time zones from west to east. */
export const timezonesList: TrackedList<unknown> = {
  tables: ['timezones'],
  select: () => ({
    name: 'timezones',
    rows: 'select id, display_name as "displayName" from timezones order by offset_minutes, display_name',
  }),
};

const ofName = ['id', 'name'] as const;

export const listStatuses = (platform: Platform) => platform.selectFrom('tenantStatuses').select(ofName).execute();

export const listEmrs = (platform: Platform) => platform.selectFrom('emrs').select(ofName).execute();

export const listTimezones = (platform: Platform) =>
  platform.selectFrom('timezones').select(['id', 'displayName as name']).execute();

/** The id of a status. */
export async function findTenantStatus(platform: Platform, name: string): Promise<string | undefined> {
  const status = platform.selectFrom('tenantStatuses').select('id').where('name', '=', name);
  return (await status.executeTakeFirst())?.id;
}
