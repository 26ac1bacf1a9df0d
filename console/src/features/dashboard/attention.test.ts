import { describe, expect, it } from 'vitest';
import { makeTenant } from '../../testing/tenants.ts';
import { endingTenants } from './attention.ts';

const tenantEnding = (subscriptionEndDate: string) => makeTenant({ subscriptionEndDate });

describe('tenants that need attention', () => {
  it.each([
    ['2026-11-19', -1],
    ['2025-11-20', -365],
    ['2026-11-20', 0],
    ['2026-12-20', 30],
  ])('one ending %s is included, with %i days left [§9]', (end, daysLeft) => {
    const tenant = tenantEnding(end);
    expect(endingTenants([tenant], '2026-11-20')).toEqual([{ tenant, daysLeft }]);
  });

  it.each(['2026-12-21', ''])("one ending '%s' is not included [§9]", (end) => {
    expect(endingTenants([tenantEnding(end)], '2026-11-20')).toEqual([]);
  });

  it('days are counted correctly over a change to winter time [§9]', () => {
    expect(endingTenants([tenantEnding('2026-11-10')], '2026-10-20')[0]?.daysLeft).toBe(21);
  });
});
