import type { Trx } from '../../db/platform.ts';
import { isSubdomainTaken, lockSubdomains } from './tenant-subdomains.repository.ts';

/**
 * Whether no other tenant has a subdomain, in any case: programs that look up either of two by it would be refused. It stays so until the
 * transaction ends.
 * @param id the tenant that takes it
 */
export async function isSubdomainFree(
  trx: Trx,
  { id, subdomain }: { id: string; subdomain: string },
): Promise<boolean> {
  await lockSubdomains(trx);
  return !(await isSubdomainTaken(trx, subdomain, id));
}
