import { lastDay } from '@apotheca/contract/tenant-access';
import { EXPIRY_PAST, type tenantBulkRoutes } from '@apotheca/contract/tenant-bulks';
import { EXPIRY_BEFORE_START } from '@apotheca/contract/tenant-form';
import type { z } from 'zod';
import { type BulkSubject, changeOf } from '../../bulks/bulk-subject.ts';
import { fieldError } from '../../errors.ts';
import { utcDay } from '../../wording.ts';
import { followTenant } from './access/tenant-access.service.ts';
import { listTenantsWithName } from './tenants.repository.ts';
import { setSubscriptionEnd, setTenantActive } from './tenants.service.ts';

type TenantEnds = Pick<
  Awaited<ReturnType<typeof listTenantsWithName>>[number],
  'subscriptionStartDate' | 'subscriptionEndDate' | 'postponedTo'
>;
type Asked = Omit<z.output<typeof tenantBulkRoutes.plan.body>, 'ids'>;

const ACTIVE = 'Active';
const EXPIRY = 'Expiry Date';
const flag = (value: boolean): string => (value ? 'yes' : 'no');

export const tenantBulk: BulkSubject<Asked> = {
  name: 'tenants',
  noun: 'tenant',
  done: { activate: 'activated', deactivate: 'deactivated', extend: 'extended' },
  columns: [{ field: 'subscriptionEndDate', heading: EXPIRY }],
  refuse({ now }, { action, subscriptionEndDate: end = '' }) {
    if (action === 'extend' && end < utcDay(now())) throw fieldError('invalid', 'subscriptionEndDate', EXPIRY_PAST);
  },
  async openRecords({ platform }, _actor, { action, subscriptionEndDate: end = '' }) {
    const tenants = new Map((await listTenantsWithName(platform)).map((row) => [row.id, row]));
    return (id) => {
      const there = tenants.get(id);
      if (!there) return undefined;
      return {
        record: there.code,
        plan() {
          if (action === 'extend') refuseShorter(there, end);
          const isActive = action === 'activate';
          const change =
            action === 'extend'
              ? changeOf(EXPIRY, endBefore(there, end), end)
              : changeOf(ACTIVE, flag(there.isActive), flag(isActive));
          return {
            ...change,
            async write(context, actor) {
              if (action === 'extend') await setSubscriptionEnd(context, actor, id, end, there);
              else await setTenantActive(context, actor, id, isActive);
              await followTenant(context, actor, id);
            },
          };
        },
      };
    };
  },
};

/** The end of a subscription from which it moves to a day, as it is told. */
export function endBefore(
  { subscriptionEndDate, postponedTo }: Omit<TenantEnds, 'subscriptionStartDate'>,
  end: string,
): string {
  const isMoved = end !== subscriptionEndDate;
  // Where it was put off to that very day, lists and programs still have the end before.
  return isMoved && postponedTo !== null && postponedTo !== end ? postponedTo : subscriptionEndDate;
}

/** A mistyped year would close the databases of all that are selected. @throws AppError invalid before the start, or the end that there is */
function refuseShorter(tenant: TenantEnds, end: string): void {
  const refuse = (why: string) => fieldError('invalid', 'subscriptionEndDate', why);
  if (end < tenant.subscriptionStartDate) throw refuse(EXPIRY_BEFORE_START);
  const present = lastDay(tenant);
  if (end < present) throw refuse(`Its subscription ends later already, on ${present}.`);
}
