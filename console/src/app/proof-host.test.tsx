import { createHash } from 'node:crypto';
import { accountRoutes, type ProofWays } from '@apotheca/contract/account';
import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { ERRORS } from '@apotheca/contract/errors';
import { WRONG_PASSWORD } from '@apotheca/contract/proof';
import type { ContractRoute } from '@apotheca/contract/route';
import { userRoutes } from '@apotheca/contract/users';
import { startAuthentication } from '@simplewebauthn/browser';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { api, mutationFor } from '../api/http/client.ts';
import { download } from '../api/http/download.ts';
import { upload } from '../api/http/upload.ts';
import { operationFor } from '../api/operations.ts';
import { type ProviderAnswer, tellAnswer } from '../lib/provider-answers.ts';
import { setCredentials } from '../session/session-slice.ts';
import { DIALOGS, oneOfEach, openDialog } from '../testing/every-dialog.ts';
import { allowPasskeys } from '../testing/factors.ts';
import { field } from '../testing/fields.ts';
import { mockOperation } from '../testing/operations.ts';
import { renderInRoot } from '../testing/render-in-root.tsx';
import { stubLayout } from '../testing/rich-text.ts';
import { keepSavedFiles } from '../testing/saved-files.ts';
import { failed, keepBodies, mockServer, needsProof, ok, onRoute, server } from '../testing/server.ts';
import { signedIn } from '../testing/session.ts';
import { AppRoutes } from './router.tsx';

vi.mock('@simplewebauthn/browser', () => ({ startAuthentication: vi.fn() }));

const TITLE = 'Confirm it is you';
const REFUSED = ERRORS['proof-needed'].message;
const PASSWORD = 'correct horse';

const WRONG_CODE = 'This code is not right, or was used before.';
const OPTIONS = { challenge: 'AAAA', rpId: 'localhost', userVerification: 'required' };
const ASSERTION = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key' as const,
  response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA', userHandle: 'AAAA' },
};

/** By what the person can prove who they are; without more: by the password. */
const waysAre = (ways: Partial<ProofWays>) =>
  onRoute(accountRoutes.proofWays, () => ok({ password: true, code: false, passkeys: false, provider: null, ...ways }));

/** Calls without a screen. */
const { removeUser, changeUser, dropDatabase, sendFile, takeFile } = api.injectEndpoints({
  endpoints: (build) => ({
    removeUser: build.mutation(mutationFor(userRoutes.delete)),
    changeUser: build.mutation(mutationFor(userRoutes.edit)),
    dropDatabase: build.mutation(operationFor(databaseRoutes.delete)),
    sendFile: build.mutation({
      queryFn: (file: Blob, context) => upload({ route: backupRoutes.upload }, { file, onProgress: () => {} }, context),
    }),
    takeFile: build.mutation({
      queryFn: (name: string, context) => download({ route: backupRoutes.download }, name, context),
    }),
  }),
  overrideExisting: true,
}).endpoints;

/** The mocked server: whether the person has proved who they are, and what it was asked. */
let isProved = false;
let asked: string[] = [];

/** Answers a call that wants a fresh proof. */
const fresh = (route: ContractRoute, answer: () => Response) =>
  onRoute(route, () => {
    asked.push(route.path);
    return isProved ? answer() : needsProof();
  });

mockServer(...oneOfEach);
beforeEach(() => {
  stubLayout();
  isProved = false;
  asked = [];
  server.use(
    fresh(userRoutes.delete, () => ok({ id: '1' }, 'User deleted successfully.')),
    fresh(userRoutes.edit, () => ok({ id: '1' })),
    onRoute(accountRoutes.prove, async ({ request }) => {
      const { password } = (await request.json()) as { password: string };
      asked.push(`proof by ${password}`);
      if (password !== PASSWORD) return failed(400, WRONG_PASSWORD, { password: [WRONG_PASSWORD] });
      isProved = true;
      return ok({ provedOnUtc: '2026-11-20T23:20:00.000Z' });
    }),
  );
});

const open = (route = '/users') => renderInRoot(<AppRoutes />, { route });
type Console = ReturnType<typeof open>;

async function openDialogOf(title: string) {
  const dialog = DIALOGS.find((one) => one.title === title);
  if (!dialog) throw new Error(`There is no dialog ${title}`);
  await openDialog(dialog);
}

const question = () => screen.findByRole('dialog', { name: TITLE });
const isGone = () => waitFor(() => expect(screen.queryByRole('dialog', { name: TITLE })).toBeNull());

/** Waited for at the end: else it may come while the next test counts its own calls. */
const isRepeated = () => waitFor(() => expect(asked.filter((path) => path === userRoutes.delete.path)).toHaveLength(2));

async function confirm({ user }: Console, password = PASSWORD) {
  const dialog = within(await question());
  const input = await dialog.findByLabelText('Password', { selector: 'input' });
  await user.clear(input);
  await user.type(input, password);
  await user.click(dialog.getByRole('button', { name: 'Confirm' }));
}

test('says who is signed in and what waits, and repeats the call once [DECISIONS §13]', async () => {
  const console = open();
  await openDialogOf(TITLE);
  const dialog = await question();
  expect(dialog.textContent).toContain('You are signed in as ada.');
  expect(within(dialog).getByRole('listitem').textContent).toBe(userRoutes.delete.summary);
  const input = await within(dialog).findByLabelText('Password', { selector: 'input' });
  expect(document.activeElement).toBe(input);
  await confirm(console);
  await isGone();
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Delete User' })).toBeNull());
  expect(asked).toEqual(['/users/softdelete', `proof by ${PASSWORD}`, '/users/softdelete']);
  expect(JSON.stringify(console.store.getState())).not.toContain(PASSWORD);
});

test('a browser knows whose password it is, and the field can be shown [DECISIONS §13]', async () => {
  const { user } = open();
  await openDialogOf(TITLE);
  const dialog = await question();
  const input = await within(dialog).findByLabelText<HTMLInputElement>('Password', { selector: 'input' });
  expect([input.type, input.autocomplete]).toEqual(['password', 'current-password']);
  expect(dialog.querySelector<HTMLInputElement>('input[autocomplete=username]')?.value).toBe('ada');
  await user.click(within(dialog).getByRole('button', { name: 'Show password' }));
  expect(input.type).toBe('text');
});

test('a wrong password stands at its field, and another one can be tried [DECISIONS §13]', async () => {
  const console = open();
  await openDialogOf(TITLE);
  await confirm(console, 'wrong horse');
  const dialog = await question();
  await within(dialog).findByText(WRONG_PASSWORD);
  expect(document.activeElement).toBe(within(dialog).getByLabelText('Password', { selector: 'input' }));
  await confirm(console);
  await isGone();
  await isRepeated();
});

test('too many guesses are told in the dialog, and nothing is repeated [DECISIONS §13]', async () => {
  const message = 'Too many failed sign-ins. Try again in 4 seconds.';
  server.use(onRoute(accountRoutes.prove, () => failed(429, message)));
  const console = open();
  await openDialogOf(TITLE);
  await confirm(console);
  await within(await question()).findByText(message);
  expect(asked).toEqual(['/users/softdelete']);
});

test('cancelled, it is a refusal as any other: the text that was typed stays, and the focus is where it was [DECISIONS §13]', async () => {
  const { user } = open();
  await openDialogOf('Edit User');
  await user.clear(field('First Name'));
  await user.type(field('First Name'), 'Alan');
  // As Enter does.
  fireEvent.submit(field('First Name'));
  await user.click(within(await question()).getByRole('button', { name: 'Cancel' }));
  await isGone();
  const edit = within(screen.getByRole('dialog', { name: 'Edit User' }));
  await edit.findByText(REFUSED);
  expect(field('First Name').value).toBe('Alan');
  await waitFor(() => expect(document.activeElement).toBe(field('First Name')));
  expect(asked).toEqual(['/users/edit']);
});

test('Escape cancels it, and the dialog below stays open [DECISIONS §13]', async () => {
  const { user } = open();
  await openDialogOf(TITLE);
  await question();
  await user.keyboard('{Escape}');
  await isGone();
  await within(screen.getByRole('dialog', { name: 'Delete User' })).findByText(REFUSED);
});

test('asks for the code too where the sign-in does, and says which one is wrong [DECISIONS §13]', async () => {
  const sent: unknown[] = [];
  server.use(
    waysAre({ code: true }),
    onRoute(accountRoutes.prove, async ({ request }) => {
      sent.push(await request.json());
      if (sent.length === 1) return failed(400, WRONG_CODE, { code: [WRONG_CODE] });
      isProved = true;
      return ok({ provedOnUtc: '2026-11-20T23:20:00.000Z' });
    }),
  );
  const console = open();
  await openDialogOf(TITLE);
  const dialog = within(await question());
  const code = await dialog.findByLabelText<HTMLInputElement>('Code');
  expect([code.autocomplete, code.value]).toEqual(['one-time-code', '']);
  await confirm(console);
  await dialog.findByText('Code is required');
  expect(sent).toEqual([]);
  await console.user.type(code, '123456');
  await confirm(console);
  await dialog.findByText(WRONG_CODE);
  expect(document.activeElement).toBe(code);
  await console.user.clear(code);
  await console.user.type(code, 'abcd0-efgh0');
  await confirm(console);
  await isGone();
  expect(sent).toEqual([
    { password: PASSWORD, code: '123456' },
    { password: PASSWORD, code: 'abcd0-efgh0' },
  ]);
  await isRepeated();
});

test('asks for the code once the server wants it, where a factor was added in between [DECISIONS §13]', async () => {
  server.use(
    onRoute(accountRoutes.prove, () => {
      server.use(waysAre({ code: true }));
      return failed(400, 'Code is required', { code: ['Code is required'] });
    }),
  );
  const console = open();
  await openDialogOf(TITLE);
  await confirm(console);
  const dialog = within(await question());
  await dialog.findByLabelText('Code');
  expect(dialog.getByText('Code is required')).toBeDefined();
});

describe('with a passkey', () => {
  beforeEach(() => {
    allowPasskeys();
    vi.mocked(startAuthentication).mockReset();
    server.use(
      waysAre({ passkeys: true, code: true }),
      onRoute(accountRoutes.beginPasskeyProof, () => ok({ token: 'challenge-1', options: OPTIONS })),
      onRoute(accountRoutes.proveByPasskey, async ({ request }) => {
        asked.push(`proof by ${JSON.stringify(await request.json())}`);
        isProved = true;
        return ok({ provedOnUtc: '2026-11-20T23:20:00.000Z' });
      }),
    );
  });
  afterEach(() => vi.unstubAllGlobals());

  test('it comes first and has the focus, and Enter takes it [DECISIONS §13]', async () => {
    vi.mocked(startAuthentication).mockResolvedValue({ ...ASSERTION, clientExtensionResults: {} });
    const { user } = open();
    await openDialogOf(TITLE);
    const button = await within(await question()).findByRole('button', { name: 'Use a passkey' });
    expect(document.activeElement).toBe(button);
    await user.keyboard('{Enter}');
    await isGone();
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Delete User' })).toBeNull());
    const sent = { token: 'challenge-1', credential: ASSERTION };
    expect(asked).toEqual(['/users/softdelete', `proof by ${JSON.stringify(sent)}`, '/users/softdelete']);
  });

  test('who gives none is told nothing, and can type the password [DECISIONS §13]', async () => {
    vi.mocked(startAuthentication).mockRejectedValue(new DOMException('Cancelled', 'NotAllowedError'));
    const { user } = open();
    await openDialogOf(TITLE);
    const dialog = await question();
    await user.click(await within(dialog).findByRole('button', { name: 'Use a passkey' }));
    await waitFor(() => expect(vi.mocked(startAuthentication)).toHaveBeenCalledOnce());
    const submit = within(dialog).getByRole('button', { name: 'Confirm' });
    await waitFor(() => expect(submit.getAttribute('aria-busy')).not.toBe('true'));
    expect(dialog.querySelector('.modal-failure')).toBeNull();
    await user.type(within(dialog).getByLabelText('Password', { selector: 'input' }), PASSWORD);
    await user.type(within(dialog).getByLabelText('Code'), '123456');
    await user.click(submit);
    await isGone();
    const proof = `proof by ${PASSWORD}`;
    await waitFor(() => expect(asked).toEqual(['/users/softdelete', proof, '/users/softdelete']));
  });

  test('says why one is refused, and stays [DECISIONS §13]', async () => {
    vi.mocked(startAuthentication).mockResolvedValue({ ...ASSERTION, clientExtensionResults: {} });
    const message = 'This passkey is not accepted.';
    server.use(onRoute(accountRoutes.proveByPasskey, () => failed(400, message, { credential: [message] })));
    const { user } = open();
    await openDialogOf(TITLE);
    const dialog = await question();
    await user.click(await within(dialog).findByRole('button', { name: 'Use a passkey' }));
    await within(dialog).findByText(message);
    expect(asked).toEqual(['/users/softdelete']);
  });

  test('says why the browser gives none [DECISIONS §13]', async () => {
    vi.mocked(startAuthentication).mockRejectedValue(new DOMException('No', 'SecurityError'));
    const { user } = open();
    await openDialogOf(TITLE);
    const dialog = await question();
    await user.click(await within(dialog).findByRole('button', { name: 'Use a passkey' }));
    await within(dialog).findByText(/^The browser could not use a passkey\./);
    expect(asked).toEqual(['/users/softdelete']);
  });

  test('no passkey is offered where they do not work [DECISIONS §13]', async () => {
    vi.unstubAllGlobals();
    open();
    await openDialogOf(TITLE);
    const dialog = within(await question());
    await dialog.findByLabelText('Code');
    expect(dialog.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
  });

  test('it is all there is where there is no password [DECISIONS §13]', async () => {
    server.use(waysAre({ passkeys: true, password: false }));
    open();
    await openDialogOf(TITLE);
    const dialog = within(await question());
    await dialog.findByRole('button', { name: 'Use a passkey' });
    expect(dialog.queryByLabelText('Password', { selector: 'input' })).toBeNull();
    expect(dialog.queryByRole('button', { name: 'Confirm' })).toBeNull();
  });
});

describe('a provider', () => {
  const PAGE = 'https://id.clinic.test/auth?state=the-state';
  const elsewhere = () => ({ location: { replace: vi.fn() }, close: vi.fn() });
  /** What another tab gets back from the provider. */
  const answerElsewhere = (answer: Partial<ProviderAnswer>) =>
    tellAnswer({ state: 'the-state', code: 'the-code', iss: null, ...answer });

  test('is asked in another tab, whose answer lets the call be repeated [DECISIONS §13]', async () => {
    const tab = elsewhere();
    const opened = vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window);
    const challenges = keepBodies(accountRoutes.beginProviderProof, '', { url: PAGE });
    const proofs: Record<string, unknown>[] = [];
    server.use(
      waysAre({ password: false, provider: { id: 'clinic', name: 'Clinic' } }),
      onRoute(accountRoutes.proveByProvider, async ({ request }) => {
        proofs.push((await request.json()) as Record<string, unknown>);
        isProved = true;
        return ok({ provedOnUtc: '2026-11-20T23:20:00.000Z' });
      }),
    );
    const { user } = open();
    await openDialogOf(TITLE);
    const dialog = within(await question());
    await user.click(await dialog.findByRole('button', { name: 'Confirm with Clinic' }));
    await dialog.findByText(/^Please sign in with Clinic in the tab/);
    expect(tab.location.replace).toHaveBeenCalledExactlyOnceWith(PAGE);
    // Another tab's question.
    answerElsewhere({ state: 'another-state' });
    answerElsewhere({ code: null });
    await dialog.findByText('Clinic has not confirmed it. Please try again.');
    expect(proofs).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Confirm with Clinic' }));
    await dialog.findByText(/^Please sign in with Clinic in the tab/);
    answerElsewhere({});
    await isGone();
    await isRepeated();
    const { challenge } = challenges.at(-1) as { challenge: string };
    const [{ verifier, ...sent } = {}] = proofs;
    expect(sent).toEqual({ provider: 'clinic', code: 'the-code', state: 'the-state', iss: null });
    expect(createHash('sha256').update(String(verifier)).digest('base64url')).toBe(challenge);
    opened.mockRestore();
  });

  test('says so where the browser blocks the tab [DECISIONS §13]', async () => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);
    server.use(waysAre({ password: false, provider: { id: 'clinic', name: 'Clinic' } }));
    const { user } = open();
    await openDialogOf(TITLE);
    const dialog = within(await question());
    await user.click(await dialog.findByRole('button', { name: 'Confirm with Clinic' }));
    await dialog.findByText(/^The browser has blocked the tab/);
    opened.mockRestore();
  });
});

test('who has neither reads what to do, and can only cancel [DECISIONS §13]', async () => {
  server.use(waysAre({ password: false }));
  const { user } = open();
  await openDialogOf(TITLE);
  const dialog = within(await question());
  await dialog.findByText(/Sign out and in again/);
  expect(dialog.queryByRole('button', { name: 'Confirm' })).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await isGone();
});

test('what cannot be asked of the server can be asked again [DECISIONS §13]', async () => {
  server.use(onRoute(accountRoutes.proofWays, () => failed(503, 'Not now.'), { once: true }));
  const console = open();
  await openDialogOf(TITLE);
  const dialog = within(await question());
  await dialog.findByText('Not now.');
  await console.user.click(dialog.getByRole('button', { name: 'Retry' }));
  await confirm(console);
  await isGone();
  await isRepeated();
});

test('a proof in another tab closes it, and the call is repeated [DECISIONS §13]', async () => {
  open();
  await openDialogOf(TITLE);
  await question();
  isProved = true;
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'proved', newValue: 'yes' })));
  await isGone();
  await waitFor(() => expect(asked).toEqual(['/users/softdelete', '/users/softdelete']));
});

test('a proof here is told to the other tabs, once each, and leaves nothing in the storage [DECISIONS §13]', async () => {
  const written = vi.spyOn(Storage.prototype, 'setItem');
  const console = open();
  await openDialogOf(TITLE);
  await confirm(console);
  await isGone();
  expect(written.mock.calls.filter(([key]) => key === 'proved')).toHaveLength(1);
  expect(localStorage.getItem('proved')).toBeNull();
  await isRepeated();
});

test('calls that wait at the same time share one question, and each is repeated once [DECISIONS §13]', async () => {
  const console = open();
  await screen.findByRole('heading', { level: 1, name: 'Users' });
  const { dispatch } = console.store;
  const calls = [
    dispatch(removeUser.initiate({ id: '1' })),
    dispatch(removeUser.initiate({ id: '2' })),
    dispatch(changeUser.initiate(anEdit)),
  ];
  const dialog = await question();
  await waitFor(() => expect(within(dialog).getAllByRole('listitem')).toHaveLength(2));
  await confirm(console);
  await Promise.all(calls.map((call) => call.unwrap()));
  expect(asked.toSorted()).toEqual(
    [...Array(4).fill('/users/softdelete'), '/users/edit', '/users/edit', `proof by ${PASSWORD}`].toSorted(),
  );
  await isGone();
});

const anEdit = { id: '1', fName: 'A', lName: 'B', roleId: '1', clinicalRoleId: null, userName: 'a', email: '' };

test("a call that was refused before another one's proof, and answered after it, asks nothing [DECISIONS §13]", async () => {
  const late = Promise.withResolvers<void>();
  server.use(
    onRoute(
      userRoutes.edit,
      async () => {
        await late.promise;
        return needsProof();
      },
      { once: true },
    ),
  );
  const console = open();
  await screen.findByRole('heading', { level: 1, name: 'Users' });
  const edit = console.store.dispatch(changeUser.initiate(anEdit));
  await openDialogOf(TITLE);
  await confirm(console);
  await isGone();
  late.resolve();
  expect(await edit.unwrap()).toMatchObject({ status: 200 });
  expect(screen.queryByRole('dialog', { name: TITLE })).toBeNull();
});

test('a call that is refused once more has failed, and does not ask again [DECISIONS §13]', async () => {
  server.use(onRoute(userRoutes.delete, needsProof));
  const console = open();
  await openDialogOf(TITLE);
  await confirm(console);
  await isGone();
  await within(screen.getByRole('dialog', { name: 'Delete User' })).findByText(REFUSED);
});

test('another refusal asks nothing [DECISIONS §13]', async () => {
  server.use(onRoute(userRoutes.delete, () => failed(403, 'You do not have the permission.')));
  const { store } = open();
  await screen.findByRole('heading', { level: 1, name: 'Users' });
  const { error } = await store.dispatch(removeUser.initiate({ id: '1' }));
  expect(error).toMatchObject({ status: 403, message: 'You do not have the permission.' });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('goes with the page that asked, and its calls have failed [DECISIONS §13]', async () => {
  const { store, user } = open();
  await screen.findByRole('heading', { level: 1, name: 'Users' });
  const call = store.dispatch(removeUser.initiate({ id: '1' }));
  await question();
  // As the browser's Back does: the page behind a dialog takes no clicks.
  await user.click(screen.getByRole('link', { name: 'Tenants', hidden: true }));
  await screen.findByRole('heading', { level: 1, name: 'Tenants' });
  expect((await call).error).toMatchObject({ status: 403, message: REFUSED });
  await isGone();
});

test('goes where another person signs in, in another tab: nothing is done in their name [DECISIONS §13]', async () => {
  const { store } = open();
  await screen.findByRole('heading', { level: 1, name: 'Users' });
  const call = store.dispatch(removeUser.initiate({ id: '1' }));
  await question();
  const other = signedIn({ id: '00000000-0000-4000-8000-00000000b0b0', username: 'bob' });
  await act(async () => store.dispatch(setCredentials(other)));
  await isGone();
  expect((await call).error).toMatchObject({ status: 403 });
  expect(asked).toEqual(['/users/softdelete']);
});

test('is asked for an operation, an upload and a download too [DECISIONS §13]', async () => {
  const saved = keepSavedFiles();
  const operation = mockOperation(databaseRoutes.delete, { kind: 'delete' });
  operation.succeed('It is deleted.', null);
  server.use(
    onRoute(databaseRoutes.delete, needsProof, { once: true }),
    fresh(backupRoutes.upload, () => ok(null)),
    fresh(backupRoutes.download, () => new HttpResponse('archive')),
  );
  const console = open();
  const { dispatch } = console.store;
  await screen.findByRole('heading', { level: 1, name: 'Users' });
  const calls = [
    dispatch(dropDatabase.initiate({ databaseName: 'ACME' })),
    dispatch(sendFile.initiate(new Blob(['archive']))),
    dispatch(takeFile.initiate('acme.dump')),
  ] as const;
  const dialog = await question();
  await waitFor(() => expect(within(dialog).getAllByRole('listitem')).toHaveLength(3));
  await confirm(console);
  const outcomes = await Promise.all(calls);
  expect(outcomes.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
  expect(outcomes[0].data).toMatchObject({ message: 'It is deleted.' });
  expect(saved.map(({ name }) => name)).toEqual(['acme.dump']);
});
