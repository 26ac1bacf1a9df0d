import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessibleAtAnyWidth, expectToast, test } from '../fixtures.ts';
import { server } from '../server.ts';
import { chooseUserAction, userRow } from '../users-screen.ts';

const run = promisify(execFile);

/** What a program gets that calls with a key, by curl. */
async function call(key: string, path: string, ...options: string[]): Promise<{ status: number; body: string }> {
  const authorization = `Authorization: Bearer ${key}`;
  const written = ['-s', '-w', '\n%{http_code}', '-H', authorization, ...options, server.url() + path];
  const { stdout } = await run('curl', written);
  const end = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(end)), body: stdout.slice(0, end) };
}

async function createServiceAccount(page: Page, name: string, role: string): Promise<void> {
  await page.getByRole('button', { name: 'Create Service Account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create Service Account' });
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('Name is required')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Access Role').selectOption({ label: role });
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog).toBeHidden();
  await expect(userRow(page, name)).toContainText('Service account');
}

/** Opens the keys of a service account. */
async function openKeys(page: Page, name: string): Promise<Locator> {
  await userRow(page, name)
    .getByRole('button', { name: `API keys of ${name}` })
    .click();
  return page.getByRole('dialog', { name: `API Keys of ${name}` });
}

/** The key that is shown, once its dialog is closed. */
async function takeKey(page: Page): Promise<string> {
  const shown = page.getByRole('dialog', { name: 'Your API Key' });
  const key = await shown.locator('code').first().textContent();
  await expectAccessibleAtAnyWidth(page);
  await shown.getByRole('button', { name: 'I have copied it' }).click();
  await expect(shown).toBeHidden();
  return key ?? '';
}

test('a service account gets a key, calls with it, rotates and loses it [§2.11] [DECISIONS §13]', async ({
  signedIn: page,
}) => {
  const name = 'nightly-import';
  await page.goto(`/users?q=${name}`);
  await createServiceAccount(page, name, 'Operator');
  const keys = await openKeys(page, name);
  await expect(keys.getByText('No API keys yet')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);

  // The empty list has one as well.
  await keys.getByRole('button', { name: 'Create API Key' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create API Key' });
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(form.getByText('Choose at least one permission')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await form.getByRole('textbox', { name: 'Name' }).fill('clinic feed');
  await form.getByLabel('Filter permissions').fill('tenants');
  await expect(form.getByLabel('Delete tenants')).toHaveCount(0);
  await form.getByLabel('View tenants').check();
  await form.getByLabel('Allowed addresses').fill('127.0.0.0/8');
  await form.getByRole('button', { name: 'Create' }).click();
  const key = await takeKey(page);
  expect(key).toMatch(/^apk_/);

  expect(await call(key, '/api/tenant/get')).toMatchObject({ status: 200 });
  const refused = await call(key, '/api/users/get');
  expect(refused.status).toBe(403);
  expect(refused.body).toContain("You do not have the permission 'users.read'.");
  const me = await call(key, '/identity/auth/me');
  expect(JSON.parse(me.body).result).toMatchObject({ username: name, role: 'Operator' });

  await keys.getByRole('button', { name: 'Rotate clinic feed' }).click();
  const rotation = page.getByRole('dialog', { name: 'Rotate API Key' });
  await expect(rotation).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await rotation.getByRole('button', { name: 'Rotate' }).click();
  const newer = await takeKey(page);
  await expect(keys.getByText(/^Old secret until/)).toBeVisible();
  for (const one of [key, newer]) expect(await call(one, '/api/tenant/get')).toMatchObject({ status: 200 });
  await expectAccessibleAtAnyWidth(page);

  await keys.getByRole('button', { name: 'Revoke clinic feed' }).click();
  const revocation = page.getByRole('dialog', { name: 'Revoke API Key' });
  await expect(revocation).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  const told = expectToast(page, 'The API key has been revoked.');
  await revocation.getByRole('button', { name: 'Revoke' }).click();
  await told;
  for (const one of [key, newer]) {
    const gone = await call(one, '/api/tenant/get');
    expect(gone.status).toBe(401);
    expect(gone.body).toContain('This API key was revoked.');
  }
  await expect(keys.getByText('No API keys yet')).toBeVisible();
  await keys.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(keys).toBeHidden();
  await chooseUserAction(page, name, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(userRow(page, name)).toHaveCount(0);
});
