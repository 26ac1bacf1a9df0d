import { chooseForAll, openDatabases } from '../databases-screen.ts';
import { expect, expectAccessibleAtAnyWidth, expectToast, test } from '../fixtures.ts';
import { query } from '../postgres.ts';

/** The comment on everything that the installation has made in PostgreSQL. */
const MARK = 'Made by Apotheca, control database apotheca';

test('a difference between registry and server is found and fixed [DECISIONS §8]', async ({ dashboard: page }) => {
  const role = 'stray';
  const roles = () => query('postgres', 'select from pg_roles where rolname = $1', [role]);
  const modal = page.getByRole('dialog', { name: 'Reconcile' });
  await openDatabases(page);
  await chooseForAll(page, 'Reconcile');
  await expect(modal.getByRole('status')).toHaveText(/^Registry and server agree: \d+ databases?$/);
  await expectAccessibleAtAnyWidth(page);

  await query('postgres', `create role ${role}; comment on role ${role} is '${MARK}'`);
  await modal.getByRole('button', { name: 'Compare again' }).click();
  await expect(modal.getByRole('status')).toHaveText('Registry and server differ in one point:');
  await expect(modal.getByRole('listitem')).toContainText(`The login role ${role} belongs to no database.`);
  await expectAccessibleAtAnyWidth(page);
  await modal.getByRole('button', { name: `Delete role: ${role}` }).click();
  const confirmation = page.getByRole('dialog', { name: `Delete role: ${role}` });
  await expect(confirmation).toBeVisible();
  expect(await roles()).toHaveLength(1);
  await expectAccessibleAtAnyWidth(page);
  await confirmation.getByRole('button', { name: 'Delete role' }).click();
  await expectToast(page, `Done: Delete role, ${role}.`);
  await expect(modal.getByRole('status')).toHaveText(/^Registry and server agree/);
  expect(await roles()).toEqual([]);
});
