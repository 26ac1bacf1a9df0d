import { sql } from 'kysely';
import type { Platform } from '../../db/platform.ts';

export interface Counts {
  users: number;
  tenants: number;
  databases: number;
}

/** How many users (not deleted), tenants and databases (ready) there are. */
export async function countAll(platform: Platform): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select
      (select count(*)::int from users where deleted_at is null) as users,
      count(tenant_id)::int as tenants,
      count(*)::int as databases
    from databases
    where state = 'ready'`.execute(platform);
  return rows[0] ?? { users: 0, tenants: 0, databases: 0 };
}
