import { accountRoutes } from '@apotheca/contract/account';
import { type OwnFactors, ownFactorRoutes } from '@apotheca/contract/second-factors';
import { startRegistration } from '@simplewebauthn/browser';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { allowPasskeys, CODES, ENROLMENT, makeFactors } from '../../../testing/factors.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import { FactorsCard } from './factors-card.tsx';

vi.mock('@simplewebauthn/browser', () => ({ startRegistration: vi.fn() }));

/** The data of the mocked server. */
let factors: OwnFactors;
const ways = { password: true, code: false, passkeys: false, provider: null };

mockServer(
  onRoute(ownFactorRoutes.get, () => ok(factors)),
  onRoute(accountRoutes.proofWays, () => ok(ways)),
  onRoute(ownFactorRoutes.beginTotp, () => ok({ ...ENROLMENT, token: 'begun-1' })),
);
beforeEach(() => {
  factors = makeFactors();
});
afterEach(() => vi.unstubAllGlobals());

const PASSKEY = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Laptop',
  createdOnUtc: '2026-02-03T12:00:00.000Z',
  lastUsedOnUtc: null,
};
const OPTIONS = {
  rp: { id: 'localhost', name: 'Apotheca' },
  user: { id: 'AAAA', name: 'ada', displayName: 'Ada Byron' },
  challenge: 'AAAA',
  pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
  authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  attestation: 'none',
};
const WITH_TOTP = { totpSinceUtc: '2026-02-03T12:00:00.000Z', recoveryCodesLeft: 9 };

function change(route: Parameters<typeof onRoute>[0], after: Partial<OwnFactors>, result: unknown = null) {
  const sent = vi.fn();
  server.use(
    onRoute(route, async ({ request }) => {
      sent(request.method === 'DELETE' ? new URL(request.url).search : await request.text());
      factors = makeFactors({ ...factors, ...after });
      return ok(result, 'Done.');
    }),
  );
  return sent;
}

async function openCard() {
  const page = renderWithStore(<FactorsCard hasPassword />);
  await screen.findByRole('heading', { name: 'Authenticator app' });
  return page;
}

const click = (page: Awaited<ReturnType<typeof openCard>>, name: string) =>
  page.user.click(screen.getByRole('button', { name }));

test('sets an authenticator app up with a QR code and its first code, and shows the recovery codes [DECISIONS §13]', async () => {
  const confirm = change(
    ownFactorRoutes.confirmTotp,
    { ...WITH_TOTP, recoveryCodesLeft: 10 },
    { recoveryCodes: CODES },
  );
  const page = await openCard();
  expect(screen.getByText(/You sign in with your password alone/)).toBeDefined();
  await click(page, 'Set up authenticator app');
  await screen.findByRole('img', { name: 'QR code for an authenticator app' });
  await page.user.type(screen.getByLabelText('Code'), '123456');
  await click(page, 'Set up');
  expect(within(await screen.findByRole('list', { name: 'Recovery codes' })).getAllByRole('listitem')).toHaveLength(10);
  expect(JSON.parse(confirm.mock.lastCall?.[0])).toEqual({ token: 'begun-1', code: '123456' });
  await click(page, 'I have kept them');
  await screen.findByText('10 codes left');
  expect(screen.getByRole('button', { name: 'Remove authenticator app' })).toBeDefined();
});

test('sends the first code again as the same call where its answer is lost, which may have the recovery codes [DECISIONS §13]', async () => {
  const keys: (string | null)[] = [];
  server.use(
    onRoute(ownFactorRoutes.confirmTotp, ({ request }) => {
      keys.push(request.headers.get('idempotency-key'));
      return keys.length === 1 ? failed(503, 'Away.') : ok({ recoveryCodes: CODES }, 'Done.');
    }),
  );
  const page = await openCard();
  await click(page, 'Set up authenticator app');
  await page.user.type(await screen.findByLabelText('Code'), '123456');
  await click(page, 'Set up');
  await page.user.click(await screen.findByRole('button', { name: 'Retry' }));
  await screen.findByRole('list', { name: 'Recovery codes' });
  expect(keys).toEqual([expect.any(String), keys[0]]);
});

test('shows why a first code is refused, in the dialog [DECISIONS §13]', async () => {
  server.use(onRoute(ownFactorRoutes.confirmTotp, () => failed(400, 'This code is not right.')));
  const page = await openCard();
  await click(page, 'Set up authenticator app');
  await page.user.type(await screen.findByLabelText('Code'), '000000');
  await click(page, 'Set up');
  const dialog = screen.getByRole('dialog');
  await within(dialog).findByText('This code is not right.');
});

test('asks before the authenticator app is removed, and shows a refusal [DECISIONS §13]', async () => {
  factors = makeFactors(WITH_TOTP);
  const refusal = 'Your user role needs a second factor: add another one first.';
  server.use(onRoute(ownFactorRoutes.removeTotp, () => failed(409, refusal), { once: true }));
  const page = await openCard();
  await click(page, 'Remove authenticator app');
  const dialog = await screen.findByRole('dialog');
  await page.user.click(within(dialog).getByRole('button', { name: 'Remove authenticator app' }));
  await within(dialog).findByText(refusal);
  change(ownFactorRoutes.removeTotp, { totpSinceUtc: null, recoveryCodesLeft: 0 });
  await page.user.click(within(dialog).getByRole('button', { name: 'Remove authenticator app' }));
  await screen.findByText('Not set up');
});

test('whom no password signs in is told of none where the only factor is removed [DECISIONS §13]', async () => {
  factors = makeFactors(WITH_TOTP);
  server.use(onRoute(accountRoutes.proofWays, () => ok({ ...ways, password: false })));
  const page = await openCard();
  await click(page, 'Remove authenticator app');
  await screen.findByText('This is your only second factor. Without it, your recovery codes stop working.');
});

test.each([
  { of: 'the app', given: WITH_TOTP, button: 'Remove authenticator app', isOnly: true },
  { of: 'a passkey', given: { passkeys: [PASSKEY] }, button: 'Remove Laptop', isOnly: true },
  { of: 'the app', given: { ...WITH_TOTP, passkeys: [PASSKEY] }, button: 'Remove authenticator app', isOnly: false },
  { of: 'a passkey', given: { ...WITH_TOTP, passkeys: [PASSKEY] }, button: 'Remove Laptop', isOnly: false },
])('says what the removal of $of leaves where it is the only factor: $isOnly [DECISIONS §13]', async (one) => {
  factors = makeFactors({ recoveryCodesLeft: 9, ...one.given });
  const page = await openCard();
  await click(page, one.button);
  const dialog = within(await screen.findByRole('dialog'));
  const isSaid = (text: RegExp) => dialog.queryByText(text) !== null;
  const codesGo = /This is your only second factor\. .* your password alone .* your recovery codes stop working\.$/;
  expect(isSaid(codesGo)).toBe(one.isOnly);
  expect(isSaid(/^Your second factor is then a passkey\.$/)).toBe(one.of === 'the app' && !one.isOnly);
  expect(isSaid(/^Nobody can sign in with the passkey 'Laptop' then\./)).toBe(one.of === 'a passkey');
});

test.each([
  { when: 'before the dialog opens', button: 'Remove authenticator app', left: WITH_TOTP },
  { when: 'while the dialog is open', button: 'Remove authenticator app', left: WITH_TOTP },
  { when: 'while the dialog is open', button: 'Remove Laptop', left: { passkeys: [PASSKEY] } },
])('$button says what it leaves where another tab removed the other factor $when [DECISIONS §13]', async (one) => {
  factors = makeFactors({ ...WITH_TOTP, passkeys: [PASSKEY] });
  const page = await openCard();
  const removeOther = () => {
    factors = makeFactors({ recoveryCodesLeft: 9, ...one.left });
  };
  if (one.when === 'before the dialog opens') removeOther();
  await click(page, one.button);
  const dialog = within(await screen.findByRole('dialog'));
  if (one.when === 'while the dialog is open') {
    expect(dialog.queryByText(/This is your only second factor/)).toBeNull();
    removeOther();
    fireEvent.focus(window);
  }
  await dialog.findByText(/This is your only second factor/);
});

test('makes recovery codes anew after asking [DECISIONS §13]', async () => {
  factors = makeFactors(WITH_TOTP);
  change(ownFactorRoutes.makeRecoveryCodes, { recoveryCodesLeft: 10 }, { recoveryCodes: CODES });
  const page = await openCard();
  await click(page, 'Make new recovery codes');
  await page.user.click(await screen.findByRole('button', { name: 'Make new codes' }));
  await screen.findByRole('list', { name: 'Recovery codes' });
  await page.user.keyboard('{Escape}');
  expect(screen.getByRole('alert').textContent).toContain('Close? This is not shown again.');
  await click(page, 'Keep it open');
  screen.getByRole('list', { name: 'Recovery codes' });
  await click(page, 'I have kept them');
  await screen.findByText('10 codes left');
});

/** A device that makes passkeys, and a server that asks for them. */
function mockPasskeys() {
  allowPasskeys();
  const made = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' as const, clientExtensionResults: {} };
  const response = { clientDataJSON: 'e30', attestationObject: 'AAAA' };
  vi.mocked(startRegistration)
    .mockReset()
    .mockResolvedValue({ ...made, response });
  server.use(onRoute(ownFactorRoutes.beginPasskey, () => ok({ token: 'begun-2', options: OPTIONS })));
}

test('adds, renames and removes passkeys [DECISIONS §13]', async () => {
  mockPasskeys();
  const add = change(
    ownFactorRoutes.addPasskey,
    { passkeys: [PASSKEY], recoveryCodesLeft: 10 },
    { recoveryCodes: null },
  );
  const page = await openCard();
  await click(page, 'Add passkey');
  const adding = await screen.findByRole('dialog');
  await page.user.type(within(adding).getByLabelText('Name'), 'Laptop');
  await page.user.click(within(adding).getByRole('button', { name: 'Add passkey' }));
  await screen.findByText('Laptop');
  expect(JSON.parse(add.mock.lastCall?.[0])).toMatchObject({
    token: 'begun-2',
    name: 'Laptop',
    credential: { id: 'AAAA' },
  });

  const rename = change(ownFactorRoutes.renamePasskey, { passkeys: [{ ...PASSKEY, name: 'Old laptop' }] });
  await click(page, 'Rename Laptop');
  const name = await screen.findByLabelText('Name');
  await page.user.clear(name);
  await page.user.type(name, 'Old laptop');
  await click(page, 'Save');
  await screen.findByText('Old laptop');
  expect(JSON.parse(rename.mock.lastCall?.[0])).toEqual({ id: PASSKEY.id, name: 'Old laptop' });

  const remove = change(ownFactorRoutes.removePasskey, { passkeys: [], recoveryCodesLeft: 0 });
  await click(page, 'Remove Old laptop');
  await page.user.click(await screen.findByRole('button', { name: 'Remove passkey' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Rename Old laptop' })).toBeNull());
  expect(remove).toHaveBeenCalledExactlyOnceWith(`?id=${PASSKEY.id}`);
});

test.each([
  ['a lost answer sends the one that the device has made', () => HttpResponse.error(), 1],
  ['an error of the server sends the one that the device has made', () => failed(503, 'Away.'), 1],
  ['a refusal asks the device for another one', () => failed(409, 'Begin again.'), 2],
])('Retry of a new passkey after %s [DECISIONS §13]', async (_, answer, asked) => {
  mockPasskeys();
  const add = change(ownFactorRoutes.addPasskey, { passkeys: [PASSKEY] }, { recoveryCodes: null });
  server.use(onRoute(ownFactorRoutes.addPasskey, answer, { once: true }));
  const page = await openCard();
  await click(page, 'Add passkey');
  const adding = within(await screen.findByRole('dialog'));
  await page.user.type(adding.getByLabelText('Name'), 'Laptop');
  await page.user.click(adding.getByRole('button', { name: 'Add passkey' }));
  await page.user.click(await adding.findByRole('button', { name: 'Retry' }));
  await screen.findByRole('button', { name: 'Rename Laptop' });
  expect(add).toHaveBeenCalledOnce();
  expect(startRegistration).toHaveBeenCalledTimes(asked);
});

test.each([
  ['InvalidStateError', 'This device already has a passkey of your account.'],
  ['SecurityError', /^The browser could not use a passkey\./],
])('says why the browser makes no passkey: %s [DECISIONS §13]', async (name, why) => {
  allowPasskeys();
  server.use(onRoute(ownFactorRoutes.beginPasskey, () => ok({ token: 'begun-2', options: OPTIONS })));
  const add = change(ownFactorRoutes.addPasskey, {});
  vi.mocked(startRegistration).mockRejectedValue(new DOMException('No', name));
  const page = await openCard();
  await click(page, 'Add passkey');
  const adding = within(await screen.findByRole('dialog'));
  await page.user.type(adding.getByLabelText('Name'), 'Laptop');
  await page.user.click(adding.getByRole('button', { name: 'Add passkey' }));
  await adding.findByText(why);
  expect(add).not.toHaveBeenCalled();
});

test.each([
  [null, /they need an https address with a name\. Ask whoever runs the server/],
  ['https://console.test', /open the console at https:\/\/console.test/],
  [location.origin, /Not possible in this browser/],
])('says why no passkey can be added where they work at %s [DECISIONS §13]', async (passkeyOrigin, why) => {
  factors = makeFactors({ passkeyOrigin });
  await openCard();
  expect(screen.getByText(why)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Add passkey' })).toBeNull();
});

test('loads again after a failure [DECISIONS §13]', async () => {
  server.use(onRoute(ownFactorRoutes.get, () => failed(500, 'Something went wrong on the server.'), { once: true }));
  const { user } = renderWithStore(<FactorsCard hasPassword />);
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  await screen.findByRole('heading', { name: 'Authenticator app' });
});
