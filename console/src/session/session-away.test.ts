import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { stubLocks } from '../testing/fake-locks.ts';
import { openTab, signInTab } from '../testing/tab.ts';
import { signOut } from './session.ts';
import { endSession } from './session-end.ts';

beforeEach(stubLocks);
afterEach(() => void vi.unstubAllGlobals());

const BOB = { id: '00000000-0000-4000-8000-00000000b0b0', username: 'bob' };

/** A tab whose session has ended, with one answer that was read before. */
async function tabOfEnded() {
  const server = fakeApi();
  const tab = await openTab();
  signInTab(tab, server);
  await tab.read();
  server.calls = [];
  tab.store.dispatch(endSession());
  const reads = () => Object.keys(tab.store.getState().api.queries).length;
  return { server, tab, reads };
}

test('what is read waits for the user; nothing is sent meanwhile [§4]', async () => {
  const { server, tab } = await tabOfEnded();
  const read = tab.readAnew();
  expect((await tab.call()).error).toMatchObject({ status: 401 });
  expect(server.calls).toEqual([]);
  signInTab(tab, server);
  expect((await read).data).toMatchObject({ status: 200 });
  expect(server.calls).toEqual(['/identity/auth/me 2']);
});

test('a read that is refused because the session has ended waits too [§4]', async () => {
  const server = fakeApi();
  const tab = await openTab();
  signInTab(tab, server);
  server.revoked.add(server.accessToken);
  server.refreshFails = 'refused';
  const read = tab.read();
  await vi.waitFor(() => expect(tab.session().isLoggedIn).toBe(false), { timeout: 60_000 });
  signInTab(tab, server);
  expect((await read).data).toMatchObject({ status: 200 });
});

test('what was read is kept for the same user [§4]', async () => {
  const { server, tab, reads } = await tabOfEnded();
  expect(reads()).toBe(1);
  signInTab(tab, server);
  expect(reads()).toBe(1);
  expect(localStorage.getItem('username')).toBe('ada');
});

test('what was read is dropped for somebody else, and what waits has failed [§4]', async () => {
  const { server, tab, reads } = await tabOfEnded();
  const read = tab.readAnew();
  signInTab(tab, server, 900, BOB);
  expect(reads()).toBe(0);
  await read;
  expect(server.calls).toEqual([]);
});

test('signing out drops what was read, also when the session has ended before [§4]', async () => {
  const { tab, reads } = await tabOfEnded();
  tab.store.dispatch(signOut());
  expect(reads()).toBe(0);
  expect(tab.session().id).toBe('');
});
