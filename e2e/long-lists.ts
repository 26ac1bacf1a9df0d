import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, fetchWhole } from './fixtures.ts';
import { addTenant } from './manage-tenant-screen.ts';
import { query } from './postgres.ts';

const LONG = ['Allergy & Asthma Associates of the Greater Chattahoochee Valley', 'St. Bartholomew Outpatient Pharmacy'];
const ZONES = ['(UTC-06:00) Central Time (Chicago)', '(UTC-10:00) Hawaii-Aleutian Time (Honolulu)'];

interface LongList {
  /** The call whose first rows are repeated. */
  call: RegExp;
  /** What the repeated rows have of their own. */
  fields: (index: number) => object;
}

const longTenants: LongList = {
  call: /\/api\/tenant\/get(\?|$)/,
  fields: (index) => ({
    code: `ALLERGYASTHMA${index}`,
    customerCode: LONG[index % 2],
    firstName: 'Maximiliane',
    lastName: 'Featherstonehaugh',
    city: 'Rancho Santa Margarita',
    phone: '+1 (949) 555-0134',
    isActive: index % 3 > 0,
    subscriptionEndDate: index % 4 === 0 ? '2026-01-31' : '2099-01-31',
    timezone: { displayName: ZONES[index % 2] },
  }),
};

/** The lists, with 300 rows of long texts where the server of the tests has few. */
export const LISTS: { path: string; long?: LongList }[] = [
  { path: '/tenants', long: longTenants },
  { path: '/licence', long: longTenants },
  {
    path: '/users',
    long: {
      call: /\/api\/users\/get(\?|$)/,
      fields: (index) => ({
        userName: `maximiliane.feath${index}`,
        fName: 'Maximiliane',
        lName: 'Featherstonehaugh',
        email: `maximiliane.featherstonehaugh${index}@chattahoochee-allergy.example`,
        hasPassword: index % 2 === 0,
      }),
    },
  },
  {
    path: '/database',
    long: {
      call: /\/api\/managedatabase\/getalldatabase/,
      fields: (index) => ({
        databaseName: `ALLERGY_ASTHMA_CHATTAHOOCHEE_${index}`,
        tenantCode: `ALLERGYASTHMA${index}`,
        customerCode: LONG[index % 2],
        copiedFrom: 'ALLERGY_ASTHMA_CHATTAHOOCHEE',
        isOutdated: index % 2 === 0,
        sizeBytes: 123_456_789_012,
      }),
    },
  },
  { path: '/permission' },
  { path: '/permission?view=roles' },
  {
    path: '/faqs',
    long: {
      call: /\/api\/faq\/get(\?|$)/,
      fields: (index) => ({ name: LONG[index % 2], code: `RECALLS-OF-BATCHES-${index}` }),
    },
  },
  { path: '/audit' },
];

/** Makes a first row for each list, which is repeated. */
export async function addFirstRows(page: Page, code: string): Promise<void> {
  await addTenant(page, code);
  await query(
    'apotheca',
    `insert into faqs (name, code, overview, sort_order, is_active, published, created_at, updated_at)
     values ($1, $1, '', 0, true, true, now(), now())`,
    [code],
  );
}

/** Opens a list, and waits until its rows and its font are there. @param rows how many a long one has; absent: 300 */
export async function openList(
  page: Page,
  { path, long, rows: count = 300 }: (typeof LISTS)[number] & { rows?: number },
): Promise<void> {
  if (long) {
    // The list may be loaded again at any time, and is the same list then.
    const ids = Array.from({ length: count }, () => randomUUID());
    await page.route(long.call, async (route) => {
      const answer = await (await fetchWhole(route)).json();
      const rows = ids.map((id, index) => ({
        ...answer.result[index % answer.result.length],
        id,
        ...long.fields(index),
      }));
      await route.fulfill({ json: { ...answer, result: rows } });
    });
  }
  await page.goto(path);
  await expect(page.locator('tr[data-index="0"]')).toBeVisible();
  if (long) await expect(page.getByText(`Displaying ${count} of ${count} results`)).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
}
