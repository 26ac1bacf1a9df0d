import type { Platform } from '../../../db/platform.ts';
import { hasSubdomain } from '../../../db/subdomains.ts';

/** A tenant whose database is ready, by its code or its subdomain; at most two. */
export function findTenantsBy(platform: Platform, { code, subdomain }: { code?: string; subdomain?: string }) {
  const tenants = platform
    .selectFrom('tenants as t')
    .innerJoin('databases as d', 'd.tenantId', 't.id')
    .select([
      't.id',
      't.code',
      't.subdomain',
      't.isActive',
      't.subscriptionStartDate',
      't.subscriptionEndDate',
      't.postponedTo',
    ])
    .where('d.state', '=', 'ready')
    .limit(2);
  return (
    code === undefined ? tenants.where(hasSubdomain('t', String(subdomain))) : tenants.where('t.code', '=', code)
  ).execute();
}
