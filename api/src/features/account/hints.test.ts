import { HINT_NAMES, type Hint, hintRoutes } from '@apotheca/contract/hints';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { expect, it } from 'vitest';
import { insertAccount, signInTo } from '../../testing/accounts.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { providerSettings } from '../../testing/provider.ts';

const test = useTestApp();

const get = async (token?: string): Promise<Hint | null> =>
  (await test.call(hintRoutes.get, token === undefined ? {} : { token })).result.hint;
const dismiss = (hint: string, token?: string) =>
  test.call(hintRoutes.dismiss, { body: { hint }, ...(token !== undefined && { token }) });
const query = (text: string, values: unknown[] = []) => test.context.pool.query(text, values);

async function signInAs(role: string) {
  const account = await insertAccount(test, { role });
  return { ...account, token: (await signInTo(test, account)).accessToken };
}

it('who is told of nothing by mail is told so, where mails are sent [§2.29]', async () => {
  const { id, token } = await signInAs('Viewer');
  await dismiss('no-second-factor', token);
  expect(await get(token)).toBeNull();
  test.context.mail = { url: 'smtp://localhost', from: 'console@clinic.test' } as never;
  try {
    expect(await get(token)).toBe('no-alerts');
    await query(
      `insert into alerts (user_id, event_types, mode, hour, time_zone, entry_cursor, due_at)
       values ($1, '{backup.failed}', 'daily', 6, 'UTC', 0, now())`,
      [id],
    );
    expect(await get(token)).toBeNull();
  } finally {
    delete test.context.mail;
  }
});

it('nobody is told to do what they may not [§2.29]', async () => {
  const [viewer, operator] = [await signInAs('Viewer'), await signInAs('Operator')];
  expect(await get(viewer.token)).toBe('no-second-factor');
  expect(await get(operator.token)).toBe('no-tenant');
  await dismiss('no-second-factor', viewer.token);
  expect(await get(viewer.token)).toBeNull();
});

it('where passwords are off for somebody, no second factor is missing [§2.29]', async () => {
  const { userName, token } = await signInAs('Viewer');
  test.context.onlyLocalAccount = 'somebody else';
  try {
    expect(await get(token)).toBeNull();
    test.context.onlyLocalAccount = userName.toUpperCase();
    expect(await get(token)).toBe('no-second-factor');
  } finally {
    delete test.context.onlyLocalAccount;
  }
});

it('a dismissed hint is gone for its person alone, for good, also when it is dismissed twice [§2.29]', async () => {
  const [one, other] = [await signInAs('Operator'), await signInAs('Operator')];
  const twice = await Promise.all([dismiss('no-tenant', one.token), dismiss('no-tenant', one.token)]);
  expect(twice.map(({ status, result }) => [status, result])).toEqual([
    [200, { hint: 'no-second-factor' }],
    [200, { hint: 'no-second-factor' }],
  ]);
  expect(await get(one.token)).toBe('no-second-factor');
  expect(await get(other.token)).toBe('no-tenant');
  for (const hint of HINT_NAMES) await dismiss(hint, one.token);
  expect(await get(one.token)).toBeNull();
  await query('delete from users where id = $1', [one.id]);
  expect((await query('select from dismissed_hints where user_id = $1', [one.id])).rowCount).toBe(0);
});

it('an unknown hint is refused, and a dismissal is not audited [§2.29]', async () => {
  const { token } = await signInAs('Viewer');
  const entries = async () => (await query('select count(*) from audit_entries')).rows[0].count;
  const before = await entries();
  const refused = await dismiss('no-coffee', token);
  expect(refused.status).toBe(400);
  expect(refused.errors).toEqual({ hint: ['There is no such hint'] });
  await dismiss('no-second-factor', token);
  expect(await entries()).toBe(before);
});

// Last, as a tenant is there from then on.
it('the first thing that is not done yet is shown, and the next one once it is done [§2.29]', async () => {
  const { id, userName, token } = await signInAs('Administrator');
  expect(await get(token)).toBe('no-tenant');
  await test.call(tenantRoutes.create, { body: tenantInput('HINTED') });
  expect(await get(token)).toBe('no-schedule');
  // A schedule also says which backups are deleted, which an Operator may not.
  expect(await get((await signInAs('Operator')).token)).toBe('no-second-factor');
  await query(
    `with remover as (insert into roles (name) values ('Remover') returning id)
     insert into role_permissions select remover.id, p.id from remover, permissions p where p.identifier = 'databases.delete'`,
  );
  expect(await get((await signInAs('Remover')).token)).toBe('no-second-factor');
  await query(`update backup_schedules set frequency = 'daily' where database_id is null`);
  expect(await get(token)).toBe('no-second-factor');
  await query(`insert into totp_factors (user_id, secret, last_step, created_at) values ($1, '\\x00', 0, now())`, [id]);
  // Both the seeded administrator and this one can sign in.
  expect(await get(token)).toBeNull();
  await query(`update users set is_active = false where user_name <> (select user_name from users where id = $1)`, [
    id,
  ]);
  expect(await get(token)).toBe('one-administrator');
  await insertAccount(test, { role: 'Administrator', passwordHash: null });
  expect(await get(token)).toBe('one-administrator');
  const { id: other } = await insertAccount(test, { role: 'Administrator', passwordHash: null });
  await query(
    `insert into user_identities (issuer, subject, user_id, created_at) values ('https://left.example', 's', $1, now())`,
    [other],
  );
  // Nobody can sign in by a provider that the settings do not name any more.
  expect(await get(token)).toBe('one-administrator');
  test.context.oidcProviders = [providerSettings('https://left.example')];
  expect(await get(token)).toBeNull();
  test.context.oidcProviders = [];
  await insertAccount(test, { role: 'Administrator' });
  expect(await get(token)).toBeNull();
  test.context.onlyLocalAccount = userName.toUpperCase();
  expect(await get(token)).toBe('one-administrator');
  delete test.context.onlyLocalAccount;
  await query(`update backup_schedules set frequency = 'off' where database_id is null`);
  expect(await get(token)).toBe('no-schedule');
});
