import { expect, test } from '../fixtures.ts';
import { addTenant } from '../manage-tenant-screen.ts';
import { query } from '../postgres.ts';
import { tenantRow } from '../tenants-screen.ts';

test('on a phone the day and the state of a licence are whole, however long its customer is called [§2.12] [§9]', async ({
  signedIn: page,
}) => {
  await addTenant(page, 'LICLONG');
  await query(
    'apotheca',
    "update tenants set customer_code = 'Allergy and Asthma Associates of the Valley', subscription_start_date = '2020-01-01', subscription_end_date = '2020-01-31' where code = 'LICLONG'",
  );
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/licence?q=LICLONG');
  await expect(page.locator('tr[data-index]')).toHaveCount(1);
  for (const what of ['.expired-day', '.badge']) {
    const cell = page.locator('td:not(.visually-hidden)').filter({ has: page.locator(what) });
    await expect(cell).toHaveCount(1);
    expect(await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), what).toBe(0);
    await expect(cell).toBeInViewport({ ratio: 1 });
  }
});

test('an expired licence is red, as in the list of tenants [§2.12] [§9]', async ({ signedIn: page }) => {
  await addTenant(page, 'LICOVER');
  await addTenant(page, 'LICGOES');
  await query(
    'apotheca',
    "update tenants set subscription_start_date = '2020-01-01', subscription_end_date = (case code when 'LICOVER' then '2020-01-31' else '2999-01-31' end)::date where code in ('LICOVER', 'LICGOES')",
  );
  for (const path of ['/tenants', '/licence']) {
    await page.goto(path);
    await expect(tenantRow(page, 'LICOVER').locator('.expired-day')).toHaveText(/Expired\s+2020-01-31/);
    await expect(tenantRow(page, 'LICGOES')).toContainText('2999-01-31');
    await expect(tenantRow(page, 'LICGOES').locator('.expired-day')).toHaveCount(0);
  }
  await expect(page.getByRole('heading', { name: 'Licence Management', level: 1 })).toBeVisible();
  await expect(tenantRow(page, 'LICOVER').getByRole('button')).toHaveText(['']);
});
