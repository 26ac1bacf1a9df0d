import { type ApiKey, apiKeyRoutes } from '@apotheca/contract/api-keys';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { api } from '../../../api/http/client.ts';
import { addDays } from '../../../lib/expiry.ts';
import { localDay, localMinute } from '../../../lib/moment.ts';
import { makeApiKey } from '../../../testing/api-keys.ts';
import { field, fill, findField } from '../../../testing/fields.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import { signedIn } from '../../../testing/session.ts';
import { findRow, textsOf } from '../../../testing/table.ts';
import { ApiKeysCard } from './api-keys-card.tsx';

const DAY = 24 * 3600 * 1000;
const KEY = `apk_0aB1cD2eF3g_${'x'.repeat(49)}`;
const later = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
const minute = (moment: string) => localMinute(new Date(moment));

let keys: ApiKey[] = [];
/** Of whom the keys were asked for: null for the signed-in user. */
let asked: (string | null)[] = [];
const expiresOnUtc = later(90 * DAY);
const issued = { id: makeApiKey().id, key: KEY, expiresOnUtc };
/** The bodies of the calls that issue a key. */
let sent: Record<string, unknown>[] = [];
const issue = async ({ request }: { request: Request }) => {
  sent.push((await request.json()) as Record<string, unknown>);
  return ok(issued, 'The API key is shown only once.');
};

mockServer(
  onRoute(apiKeyRoutes.list, ({ request }) => {
    asked.push(new URL(request.url).searchParams.get('userId'));
    return ok({ keys, scopes: ['tenants.read', 'tenants.write', 'users.read'] });
  }),
  onRoute(apiKeyRoutes.create, issue),
  onRoute(apiKeyRoutes.rotate, issue),
);

beforeEach(() => {
  keys = [];
  asked = [];
  sent = [];
});

const own = { name: 'ada', isService: false };
const robot = { userId: makeApiKey().id, name: 'robot', isService: true };
const render = (owner: { userId?: string; name: string; isService: boolean } = own) =>
  renderWithStore(<ApiKeysCard owner={owner} />);
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

async function openCreate(owner = own) {
  const view = render(owner);
  await screen.findByText('No API keys yet');
  // The empty list has one as well.
  const [open] = screen.getAllByRole('button', { name: 'Create API Key' });
  if (open) fireEvent.click(open);
  await findField('Name');
  return view;
}

test('the list shows what a key may do, from where, its last use and its end [DECISIONS §13]', async () => {
  const [soon, used] = [later(3 * DAY - 60_000), '2026-03-01T10:00:00.000Z'];
  const previousUntilUtc = later(DAY);
  keys = [
    makeApiKey({ name: 'plain', scopes: ['tenants.read', 'tenants.write'] }),
    makeApiKey({ name: 'used', lastUsedOnUtc: used, lastUsedAddress: '10.0.0.1', addresses: ['10.0.0.0/8'] }),
    makeApiKey({ name: 'ending', expiresOnUtc: soon, previousUntilUtc }),
    makeApiKey({ name: 'ended', expiresOnUtc: later(-DAY), isExpired: true }),
  ];
  render();
  const textOf = async (name: string) => textsOf(await findRow(name));
  const [plain] = keys;
  expect(await textOf('plain')).toEqual([
    'plainapk_0aB1cD2eF3g…',
    '2 permissions',
    'Anywhere',
    'Never',
    minute(plain?.expiresOnUtc ?? ''),
  ]);
  expect((await textOf('used')).slice(2, 4)).toEqual(['10.0.0.0/8', `${minute(used)}10.0.0.1`]);
  expect((await textOf('ending')).at(-1)).toBe(
    `${minute(soon)}Expires in 3 daysOld secret until ${minute(previousUntilUtc)}`,
  );
  expect((await textOf('ended')).at(-1)).toContain('Expired');
  expect(asked).toEqual([null]);
  const button = within(await findRow('ended')).getByRole('button', { name: 'Rotate: the key has expired' });
  expect(button.matches(':disabled, [aria-disabled="true"]')).toBe(true);
});

test('a new key is made of what the maker may do, and is shown once with a call to try [DECISIONS §13]', async () => {
  await openCreate();
  expect(screen.getAllByRole('checkbox').map((box) => box.closest('li')?.textContent)).toEqual([
    'View tenants tenants.read',
    'Create and edit tenants tenants.write',
    'View users users.read',
  ]);
  screen.getByRole('group', { name: 'Administration' });
  screen.getByRole('group', { name: 'User management' });
  fill('Name', 'nightly');
  fill('Filter permissions', 'write');
  fireEvent.click(screen.getByRole('checkbox', { name: /tenants\.write/ }));
  fill('Filter permissions', '');
  fireEvent.click(screen.getByRole('checkbox', { name: /users\.read/ }));
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /tenants\.write/ }).checked).toBe(true);
  screen.getByText('2 of 3 chosen');
  fill('Allowed addresses', '10.0.0.0/8\n ::1, 192.0.2.1');
  press('Create');
  const shown = await screen.findByRole('dialog', { name: 'Your API Key' });
  expect(sent).toEqual([
    {
      name: 'nightly',
      scopes: ['tenants.write', 'users.read'],
      addresses: ['10.0.0.0/8', '::1', '192.0.2.1'],
      expiresOnUtc: new Date(`${addDays(localDay(), 90)}T23:59:59`).toISOString(),
      createdBy: signedIn().id,
    },
  ]);
  within(shown).getByText(KEY);
  within(shown).getByText(`curl -H "Authorization: Bearer ${KEY}" ${window.location.origin}/identity/auth/me`);
  within(shown).getByText(`The key is valid until ${minute(expiresOnUtc)}.`);
  fireEvent.click(within(shown).getByRole('button', { name: 'Close' }));
  within(shown).getByText('Close? This is not shown again.');
  press('I have copied it');
  await waitFor(() => expect(screen.queryByText(KEY)).toBeNull());
});

test('permissions that are ticked under different filters are all in the key [DECISIONS §13]', async () => {
  await openCreate();
  const tick = (name: RegExp) => fireEvent.click(screen.getByRole('checkbox', { name }));
  fill('Name', 'nightly');
  fill('Filter permissions', 'tenants');
  tick(/tenants\.read/);
  tick(/tenants\.write/);
  fill('Filter permissions', 'users');
  tick(/users\.read/);
  screen.getByText('3 of 3 chosen');
  fill('Filter permissions', 'write');
  tick(/tenants\.write/);
  press('Create');
  await screen.findByRole('dialog', { name: 'Your API Key' });
  expect(sent[0]?.scopes).toEqual(['tenants.read', 'users.read']);
  // The list is loaded anew: it would count for the next test.
  await waitFor(() => expect(asked).toHaveLength(2));
});

test('a service account has two years, and its id goes along [DECISIONS §13]', async () => {
  await openCreate(robot);
  expect(asked).toEqual([robot.userId]);
  const last = addDays(localDay(), 730);
  expect(field('Last day').max).toBe(last);
  fill('Name', 'yearly');
  fill('Last day', last);
  fireEvent.click(screen.getByRole('checkbox', { name: /tenants\.read/ }));
  press('Create');
  await screen.findByRole('dialog', { name: 'Your API Key' });
  const body = sent.at(-1);
  expect(body?.userId).toBe(robot.userId);
  expect(Date.parse(String(body?.expiresOnUtc))).toBeLessThanOrEqual(Date.now() + 730 * DAY);
});

test('what is missing or refused stands at its field, and nothing typed is lost [DECISIONS §13]', async () => {
  await openCreate();
  press('Create');
  await screen.findByText('Name is required');
  screen.getByText('Choose at least one permission');
  fill('Name', 'nightly');
  press('Create');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Permissions' })));
  server.use(
    onRoute(apiKeyRoutes.create, () =>
      failed(400, 'Some fields are not valid.', {
        addresses: ["'here' is neither an address nor a range."],
        expiresOnUtc: ['An API key lives at most 365 days'],
      }),
    ),
  );
  fill('Name', 'nightly');
  fireEvent.click(screen.getByRole('checkbox', { name: /tenants\.read/ }));
  fill('Allowed addresses', 'here');
  press('Create');
  await screen.findAllByText("'here' is neither an address nor a range.");
  await screen.findAllByText('An API key lives at most 365 days');
  expect(field('Name').value).toBe('nightly');
});

test('a rotation asks how long the old secret stays valid, and shows the new one [DECISIONS §13]', async () => {
  keys = [makeApiKey({ name: 'nightly' })];
  render();
  await findRow('nightly');
  press('Rotate nightly');
  await findField('The old secret stays valid for');
  fill('The old secret stays valid for', '168');
  press('Rotate key');
  const shown = await screen.findByRole('dialog', { name: 'Your API Key' });
  within(shown).getByText(KEY);
  expect(sent.at(-1)).toMatchObject({ id: keys[0]?.id, overlapHours: 168, updatedBy: signedIn().id });
});

test.each(['Rotate key', 'Create'])(
  'with the last day, too, Retry of %s after a lost answer is the same attempt [DECISIONS §13]',
  async (confirm) => {
    const isNew = confirm === 'Create';
    keys = isNew ? [] : [makeApiKey({ name: 'nightly' })];
    const attempts: { key: string | null; body: string }[] = [];
    server.use(
      onRoute(isNew ? apiKeyRoutes.create : apiKeyRoutes.rotate, async ({ request }) => {
        attempts.push({ key: request.headers.get('idempotency-key'), body: await request.text() });
        return attempts.length === 1 ? HttpResponse.error() : ok(issued);
      }),
    );
    if (isNew) {
      await openCreate();
      fill('Name', 'nightly');
      fireEvent.click(screen.getByRole('checkbox', { name: /tenants\.read/ }));
    } else {
      render();
      await findRow('nightly');
      press('Rotate nightly');
      await findField('The old secret stays valid for');
    }
    fill('Last day', field('Last day').max);
    press(confirm);
    const retry = await screen.findByRole('button', { name: 'Retry' });
    vi.setSystemTime(Date.now() + 5_000);
    onTestFinished(() => void vi.useRealTimers());
    fireEvent.click(retry);
    await screen.findByRole('dialog', { name: 'Your API Key' });
    expect(attempts).toEqual([{ key: expect.any(String), body: expect.any(String) }, attempts[0]]);
  },
);

test('a key is revoked after a question, and leaves the list [DECISIONS §13]', async () => {
  keys = [makeApiKey({ name: 'leaked' })];
  server.use(
    onRoute(apiKeyRoutes.delete, ({ request }) => {
      const id = new URL(request.url).searchParams.get('id');
      keys = keys.filter((key) => key.id !== id);
      return ok(null, 'The API key has been revoked.');
    }),
  );
  render();
  await findRow('leaked');
  press('Revoke leaked');
  await screen.findByText('leaked is refused from the next call on. This cannot be undone.');
  press('Revoke key');
  await screen.findByText('No API keys yet');
});

test('a refusal of the list takes nothing away from the key that is being made [DECISIONS §5]', async () => {
  const { store } = await openCreate();
  fireEvent.click(screen.getByRole('checkbox', { name: /tenants\.read/ }));
  server.use(onRoute(apiKeyRoutes.list, () => failed(403, 'You may not.')));
  act(() => void store.dispatch(api.util.invalidateTags(['ApiKeys'])));
  await screen.findByText('You may not.');
  expect((screen.getByRole('checkbox', { name: /tenants\.read/ }) as HTMLInputElement).checked).toBe(true);
  screen.getByText('1 of 3 chosen');
});
