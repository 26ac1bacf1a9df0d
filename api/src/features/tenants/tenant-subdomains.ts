import type { Trx } from '../../db/platform.ts';
import { type AppError, fieldError } from '../../errors.ts';
import { isSubdomainFree } from '../databases/tenant-subdomains.service.ts';
import type { TenantRow } from './tenants.repository.ts';

type Owned = Pick<TenantRow, 'id' | 'subdomain'>;

/**
 * Refuses a subdomain that another tenant has, in any case: programs that look up either of them by it would be refused. Those that share one
 * already keep it.
 * @param before the subdomain that it replaces
 * @throws AppError already-exists
 */
export async function refuseTakenSubdomain(trx: Trx, { id, subdomain }: Owned, before = ''): Promise<void> {
  if (isNew(subdomain, before) && !(await isSubdomainFree(trx, { id, subdomain }))) throw subdomainTaken();
}

/**
 * The subdomains of all tenants, for callers that choose many.
 * @returns takes one for a tenant, or for what the caller calls one that is not there yet; as {@link refuseTakenSubdomain} does
 */
export function openSubdomains(tenants: readonly Owned[]): (tenant: Owned, before?: string) => void {
  const owners = new Map(tenants.map(({ id, subdomain }) => [subdomain.toLowerCase(), id]));
  return ({ id, subdomain }, before = '') => {
    if (!isNew(subdomain, before)) return;
    const key = subdomain.toLowerCase();
    if ((owners.get(key) ?? id) !== id) throw subdomainTaken();
    owners.set(key, id);
  };
}

const isNew = (subdomain: string, before: string): boolean =>
  subdomain !== '' && subdomain.toLowerCase() !== before.toLowerCase();

const subdomainTaken = (): AppError => fieldError('already-exists', 'subdomain', 'Another tenant has this subdomain.');
