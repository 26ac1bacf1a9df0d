import { sql } from 'kysely';
import type { Trx } from '../../db/platform.ts';
import { hasSubdomain } from '../../db/subdomains.ts';

/** Lets one transaction after the other give subdomains: of two that take one at once, the second sees it. */
export async function lockSubdomains(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('subdomains-of-tenants', 0))`.execute(trx);
}

/** Whether another tenant has a subdomain, in any case, whatever the state of its database. */
export async function isSubdomainTaken(trx: Trx, subdomain: string, exceptId: string): Promise<boolean> {
  const { rows } = await sql`
    select from tenants where ${hasSubdomain('tenants', subdomain)} and id <> ${exceptId} limit 1`.execute(trx);
  return rows.length > 0;
}
