import { webcrypto } from 'node:crypto';
import { accountRoutes, DRAFT_HOURS } from '@apotheca/contract/account';
import { type Finding, findingRoutes } from '@apotheca/contract/findings';
import { userRoutes } from '@apotheca/contract/users';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { useState } from 'react';
import { Provider } from 'react-redux';
import { BrowserRouter, type NavigateFunction, Route, Routes, useNavigate } from 'react-router';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { getDraftKeys } from '../../api/account.ts';
import { leaveBy } from '../../components/dialog/use-unsaved-guard.ts';
import { useKeptState, useOpenDialog } from '../../components/form/drafts.ts';
import { ToastHost } from '../../components/toast/toast.tsx';
import { reloadDocument } from '../../lib/reload-document.ts';
import { resetSession } from '../../session/session-slice.ts';
import { DIALOGS, oneOfEach, openDialog, pressable } from '../../testing/every-dialog.ts';
import { field, fill, findField } from '../../testing/fields.ts';
import { renderInRoot } from '../../testing/render-in-root.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { changedByBob, refusedAsStale } from '../../testing/stale.ts';
import { makeUser } from '../../testing/users.ts';
import { MainLayout } from '../layout/main-layout.tsx';
import { AppRoutes } from '../router.tsx';
import { addApi } from '../state/api-store.ts';
import { makeStore } from '../state/store.ts';

const HOUR_MS = 3_600_000;
/** As the server gives them: those of the last day. */
const keysAt = (moment: number) =>
  Array.from({ length: DRAFT_HOURS }, (_, age) => {
    const hour = Math.floor(moment / HOUR_MS) - age;
    return { hour, key: Buffer.alloc(32, hour % 256).toString('base64url') };
  });
const KEYS = keysAt(Date.now());

mockServer(
  ...oneOfEach,
  onRoute(accountRoutes.draftKeys, () => ok(KEYS)),
);

/** The locks and the encryption of a browser, which jsdom lacks. */
const held = new Set<string>();
beforeEach(() => {
  held.clear();
  vi.stubGlobal('crypto', webcrypto);
  const locks = {
    request: async (name: string, work: () => Promise<void>) => {
      held.add(name);
      await work();
      held.delete(name);
    },
    query: async () => ({ held: [...held].map((name) => ({ name })) }),
  };
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
  localStorage.clear();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'locks');
});

const drafts = () => Object.keys(localStorage).filter((key) => key.startsWith('apotheca-draft-'));
const kept = (count: number) => waitFor(() => expect(drafts()).toHaveLength(count));
const DIALOG = DIALOGS.find(({ title }) => title === 'Edit User');

async function typeName(session = signedIn()) {
  if (!DIALOG) throw new Error('There is no such dialog');
  const { store } = renderInRoot(<AppRoutes />, { route: DIALOG.at, session });
  await openDialog(DIALOG);
  expect(field('First Name').value).toBe('Alan');
  return store;
}

/** The tab is closed, and what it held is free. */
async function closeTab() {
  cleanup();
  await waitFor(() => expect(held.size).toBe(0));
}

/** Types in the dialog of a user, closes the tab, and goes on with the draft in another one. */
async function resumeDraft() {
  await typeName();
  await kept(1);
  await closeTab();
  renderInRoot(<AppRoutes />, { route: '/users' });
  fireEvent.click(await pressable('Continue'));
  return within(await screen.findByRole('dialog', { name: 'Edit User' }));
}

test('a full storage keeps no draft and disturbs nobody; what is typed once there is room is kept [§4]', async () => {
  const set = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
  });
  await typeName();
  await waitFor(() => expect(set.mock.calls.some(([key]) => key.startsWith('apotheca-draft-'))).toBe(true));
  expect(drafts()).toEqual([]);
  expect(field('First Name').value).toBe('Alan');
  expect(screen.queryByRole('alert')).toBeNull();
  set.mockRestore();
  fill('First Name', 'Alanna');
  await kept(1);
});

test('what is typed on a screen that has been open for more than a day can be gone on with [§4]', async () => {
  const now = Date.now();
  const session = signedIn({ exp: Math.floor(now / 1000) + 7 * 24 * 3600 });
  vi.useFakeTimers({ toFake: ['Date'], now });
  onTestFinished(() => void vi.useRealTimers());
  server.use(onRoute(accountRoutes.draftKeys, () => ok(keysAt(Date.now()))));
  await typeName(session);
  await kept(1);
  const [draft = ''] = drafts();
  const before = localStorage.getItem(draft);
  vi.setSystemTime(now + 25 * HOUR_MS);
  fill('First Name', 'Alanna');
  await waitFor(() => expect(localStorage.getItem(draft)).not.toBe(before));
  await closeTab();
  renderInRoot(<AppRoutes />, { route: '/users', session });
  fireEvent.click(await pressable('Continue'));
  await screen.findByRole('dialog', { name: 'Edit User' });
  await waitFor(() => expect(field('First Name').value).toBe('Alanna'));
});

test('what is typed goes on to be kept while no newer key can be had [§4]', async () => {
  const now = Date.now();
  const session = signedIn({ exp: Math.floor(now / 1000) + 7 * 24 * 3600 });
  vi.useFakeTimers({ toFake: ['Date'], now });
  onTestFinished(() => void vi.useRealTimers());
  await typeName(session);
  await kept(1);
  const [draft = ''] = drafts();
  const before = localStorage.getItem(draft);
  server.use(onRoute(accountRoutes.draftKeys, () => failed(503, 'The database cannot be reached.')));
  vi.setSystemTime(now + HOUR_MS);
  fill('First Name', 'Alanna');
  await waitFor(() => expect(localStorage.getItem(draft)).not.toBe(before));
});

test('what is typed outlives a sign-out by hand in another tab [§4]', async () => {
  window.history.replaceState(null, '', DIALOG?.at);
  onTestFinished(() => window.history.replaceState(null, '', '/'));
  const store = await typeName();
  await kept(1);
  act(() => void store.dispatch(resetSession()));
  await screen.findByRole('button', { name: 'Sign In' });
  await waitFor(() => expect(held.size).toBe(0));
  expect(drafts()).toHaveLength(1);
});

test('what was discarded before a toast led away is not offered when its screen is shown again [§4] [§2.7]', async () => {
  if (!DIALOG) throw new Error('There is no such dialog');
  window.history.replaceState(null, '', DIALOG.at);
  onTestFinished(() => window.history.replaceState(null, '', '/'));
  let navigate: NavigateFunction | undefined;
  function Toast() {
    navigate = useNavigate();
    return null;
  }
  const store = makeStore({ session: signedIn() });
  addApi(store);
  // With the browser's own address, which tells a screen that was left from one where something was discarded.
  render(
    <Provider store={store}>
      <BrowserRouter>
        <AppRoutes />
        <Toast />
      </BrowserRouter>
    </Provider>,
  );
  await openDialog(DIALOG);
  await kept(1);
  act(() => leaveBy(() => navigate?.('/licence')));
  fireEvent.click(await pressable('Discard'));
  await screen.findByRole('heading', { level: 1, name: 'Licence Management' });
  await waitFor(() => expect(held.size).toBe(0));
  expect(drafts()).toEqual([]);
});

test('what no key has come for is kept before the document is loaded anew [§4] [§8]', async () => {
  let asked = 0;
  server.use(
    onRoute(accountRoutes.draftKeys, () => {
      asked += 1;
      return failed(503, 'The database cannot be reached.');
    }),
    http.get('/config.json', () => HttpResponse.json({})),
  );
  await typeName();
  await waitFor(() => expect(asked).toBe(1));
  expect(drafts()).toEqual([]);
  server.use(onRoute(accountRoutes.draftKeys, () => ok(KEYS)));
  const reload = vi.fn(() => expect(drafts()).toHaveLength(1));
  vi.stubGlobal('location', { ...window.location, reload });
  await reloadDocument();
  expect(reload).toHaveBeenCalledOnce();
  expect(reload).toHaveReturned();
});

/** Shows a page with a note, and types in it. */
async function typeNote() {
  let isBroken = false;
  function Page() {
    const [dialog, open] = useOpenDialog<{ kind: 'none' | 'note' }>({ kind: 'none' });
    return dialog.kind === 'none' ? (
      <button type="button" onClick={() => open({ kind: 'note' })}>
        Write
      </button>
    ) : (
      <Note />
    );
  }
  function Note() {
    const [text, setText] = useKeptState('text', '');
    const [, drawAnew] = useState(0);
    if (isBroken) throw new Error('A page broke');
    return (
      <>
        <input aria-label="Note" value={text} onChange={({ target }) => setText(target.value)} />
        <button type="button" onClick={() => drawAnew((count) => count + 1)}>
          Break
        </button>
      </>
    );
  }
  // React writes every caught error to the console.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { store } = renderInRoot(
    <Routes>
      <Route element={<MainLayout />}>
        <Route path="/" element={<Page />} />
      </Route>
    </Routes>,
  );
  fireEvent.click(await pressable('Write'));
  fill('Note', 'Keep');
  /** @returns what tries the page again, whole */
  async function breakPage() {
    isBroken = true;
    fireEvent.click(screen.getByRole('button', { name: 'Break' }));
    const retry = await pressable('Retry');
    isBroken = false;
    return () => fireEvent.click(retry);
  }
  return { store, breakPage };
}

/** Lets the keys wait. */
function delayKeys() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = vi.fn();
  server.use(
    onRoute(accountRoutes.draftKeys, async () => {
      asked();
      await promise;
      return ok(KEYS);
    }),
  );
  return { asked, answer: resolve };
}

test('a page that breaks while somebody types offers all that was typed when it is tried again [§4] [§8]', async () => {
  const { breakPage } = await typeNote();
  await kept(1);
  fill('Note', 'Keep cold');
  const retry = await breakPage();
  await waitFor(() => expect(held.size).toBe(0));
  expect(drafts()).toHaveLength(1);
  retry();
  fireEvent.click(await pressable('Continue'));
  expect((await findField('Note')).value).toBe('Keep cold');
});

test('what still waits for its key when the page breaks is kept once the key has come [§4] [§8]', async () => {
  const { asked, answer } = delayKeys();
  const { breakPage } = await typeNote();
  await waitFor(() => expect(asked).toHaveBeenCalledOnce());
  await breakPage();
  expect(drafts()).toEqual([]);
  answer();
  await kept(1);
  await waitFor(() => expect(held.size).toBe(0));
});

test('a page that is tried again before the key has come offers what was typed once it has [§4] [§8]', async () => {
  const { answer } = delayKeys();
  const { breakPage } = await typeNote();
  const retry = await breakPage();
  retry();
  await pressable('Write');
  expect(drafts()).toEqual([]);
  answer();
  fireEvent.click(await pressable('Continue'));
  expect((await findField('Note')).value).toBe('Keep');
});

test('what no key had come for is kept when the page breaks [§4] [§8]', async () => {
  const asked = vi.fn();
  server.use(
    onRoute(accountRoutes.draftKeys, () => {
      asked();
      return failed(503, 'The database cannot be reached.');
    }),
  );
  const { store, breakPage } = await typeNote();
  await waitFor(() => expect(asked).toHaveBeenCalledOnce());
  await waitFor(() => expect(getDraftKeys.select()(store.getState() as never).status).not.toBe('pending'));
  server.use(onRoute(accountRoutes.draftKeys, () => ok(KEYS)));
  await breakPage();
  await kept(1);
});

test('a text that is encrypted only after a newer one does not take its place [§4]', async () => {
  const encrypt = webcrypto.subtle.encrypt.bind(webcrypto.subtle);
  const { promise, resolve } = Promise.withResolvers<void>();
  const sealing = vi.spyOn(webcrypto.subtle, 'encrypt').mockImplementationOnce(async (...text) => {
    await promise;
    return encrypt(...text);
  });
  await typeNote();
  await waitFor(() => expect(sealing).toHaveBeenCalledOnce());
  fill('Note', 'Keep cold');
  await kept(1);
  const newer = { ...localStorage };
  resolve();
  await waitFor(() => expect(sealing).toHaveResolvedTimes(2));
  expect({ ...localStorage }).toEqual(newer);
});

test('what was taken back while it waited for its key is not kept when the key comes [§4]', async () => {
  const encrypt = vi.spyOn(webcrypto.subtle, 'encrypt');
  const { asked, answer } = delayKeys();
  const { breakPage } = await typeNote();
  await waitFor(() => expect(asked).toHaveBeenCalledOnce());
  fill('Note', '');
  await breakPage();
  expect(held.size).toBe(0);
  answer();
  await waitFor(() => expect(encrypt).toHaveResolved());
  expect(drafts()).toEqual([]);
});

test('a record that was deleted meanwhile: the draft opens, saving says so, and the text stays [§4] [§8]', async () => {
  const gone = [
    onRoute(userRoutes.list, () => ok([])),
    onRoute(userRoutes.edit, () => failed(404, 'There is no such user.')),
  ];
  await typeName();
  await kept(1);
  await closeTab();
  server.use(...gone);
  renderInRoot(<AppRoutes />, { route: '/users' });
  fireEvent.click(await pressable('Continue'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit User' }));
  await waitFor(() => expect(field('First Name').value).toBe('Alan'));
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await dialog.findByText('There is no such user.');
  expect(field('First Name').value).toBe('Alan');
});

test('a record that somebody has changed meanwhile: saving the draft shows both, and the next save goes through [§4] [§8]', async () => {
  const changed = makeUser({ userName: 'grace', hasSecondFactor: true, fName: 'Bobbie', version: 4 });
  const versions: unknown[] = [];
  const dialog = await resumeDraft();
  await waitFor(() => expect(field('First Name').value).toBe('Alan'));
  server.use(
    onRoute(userRoutes.edit, async ({ request }) => {
      const { version } = (await request.json()) as { version: number };
      versions.push(version);
      const changes = [changedByBob('fName', 'Grace', 'Bobbie')];
      return version === 4 ? ok({ id: changed.id }, 'Saved') : refusedAsStale({ version: 4, changes });
    }),
  );
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await dialog.findByText(/Bobbie/);
  expect(field('First Name').value).toBe('Alan');
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(versions).toEqual([3, 4]);
});

test('the page has the focus once a draft was discarded [§2.20]', async () => {
  await typeName();
  await kept(1);
  await closeTab();
  renderInRoot(<AppRoutes />, { route: '/users' });
  const discard = await pressable('Discard');
  discard.focus();
  fireEvent.click(discard);
  expect(discard.isConnected).toBe(false);
  expect(document.activeElement).toBe(screen.getByRole('main'));
});

test('a double click discards one draft of two, which Undo brings back, and until then no other tab offers it [§4]', async () => {
  for (const count of [1, 2]) {
    await typeName();
    await kept(count);
    await closeTab();
  }
  const before = { ...localStorage };
  renderInRoot(
    <>
      <AppRoutes />
      <ToastHost />
    </>,
    { route: '/users' },
  );
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Discard' })).toHaveLength(2));
  const discard = () => screen.getAllByRole('button', { name: 'Discard' })[0] as HTMLElement;
  fireEvent.click(discard(), { detail: 1 });
  fireEvent.click(discard(), { detail: 2 });
  expect(screen.getAllByRole('button', { name: 'Discard' })).toHaveLength(1);
  expect(drafts()).toHaveLength(1);
  fireEvent.click(await pressable('Undo'));
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Discard' })).toHaveLength(2));
  expect({ ...localStorage }).toEqual(before);
});

test('what goes on with a draft stands at the edge, which does no harm to who meant to press what stood there [§4] [§9]', async () => {
  await typeName();
  await kept(1);
  await closeTab();
  renderInRoot(<AppRoutes />, { route: '/users' });
  const discard = await pressable('Discard');
  expect(discard.parentElement?.lastElementChild).toBe(screen.getByRole('button', { name: 'Continue' }));
});

/** A finding with one record, whose name is that of its kind. */
const makeFinding = (kind: Finding['kind']): Finding => ({
  kind,
  count: 1,
  snoozed: 0,
  first: [{ id: kind, name: kind, tenantCode: null, detail: '', at: null }],
});

test('a snooze is gone on with in the dialog of its finding, and its text fills no other one [§4] [§2.5]', async () => {
  server.use(
    onRoute(findingRoutes.list, () => ok([makeFinding('no-backup'), makeFinding('no-owner')])),
    onRoute(findingRoutes.records, ({ request }) => {
      const kind = new URL(request.url).searchParams.get('kind') as Finding['kind'];
      return ok(makeFinding(kind).first.map((record) => ({ ...record, snooze: null })));
    }),
    onRoute(findingRoutes.snooze, () => ok(null, 'Left out until then.')),
  );
  const open = async (name: RegExp) => {
    fireEvent.click(await pressable(name));
    await findField('Reason');
  };
  renderInRoot(<AppRoutes />, { route: '/' });
  await open(/^Snooze: .* belongs to no tenant$/);
  fill('Reason', 'Wanted by nobody');
  await kept(1);
  await closeTab();
  renderInRoot(<AppRoutes />, { route: '/' });
  fireEvent.click(await pressable('Continue'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Snooze' }));
  await dialog.findByRole('checkbox', { name: 'no-owner' });
  await waitFor(() => expect(field('Reason').value).toBe('Wanted by nobody'));
  fireEvent.click(dialog.getByRole('button', { name: 'Snooze 1' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(drafts()).toEqual([]);
  await open(/^Snooze: .* has no backup$/);
  expect(field('Reason').value).toBe('');
});

test('records that were unticked for a snooze stay so, and what came since the draft is left in [§4] [§2.5]', async () => {
  const names = ['ALDER', 'BIRCH'];
  server.use(
    onRoute(findingRoutes.list, () => ok([makeFinding('no-backup')])),
    onRoute(findingRoutes.records, () =>
      ok(names.map((name) => ({ id: name, name, tenantCode: null, detail: '', at: null, snooze: null }))),
    ),
  );
  renderInRoot(<AppRoutes />, { route: '/' });
  fireEvent.click(await pressable(/^Snooze: .* has no backup$/));
  fireEvent.click(await screen.findByRole('checkbox', { name: 'BIRCH' }));
  await kept(1);
  await closeTab();
  names.push('CEDAR');
  renderInRoot(<AppRoutes />, { route: '/' });
  fireEvent.click(await pressable('Continue'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Snooze' }));
  const isTicked = async (name: string) => (await dialog.findByRole<HTMLInputElement>('checkbox', { name })).checked;
  expect([await isTicked('ALDER'), await isTicked('BIRCH'), await isTicked('CEDAR')]).toEqual([true, false, false]);
  await dialog.findByRole('button', { name: 'Snooze 1' });
});

test('what is typed for a new API key is not kept, as no screen can open its dialog again [§4]', async () => {
  const dialog = DIALOGS.find(({ title }) => title === 'Create API Key');
  if (!dialog) throw new Error('There is no such dialog');
  renderInRoot(<AppRoutes />, { route: dialog.at });
  await openDialog({ ...dialog, types: { label: 'Name', text: 'nightly' } });
  expect(field('Name').value).toBe('nightly');
  // A draft is held from the first change on.
  expect(held.size).toBe(0);
});
