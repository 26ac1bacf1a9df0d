import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { notify } from '../components/toast/toast.tsx';
import { fakeApi } from '../testing/fake-api.ts';
import { stubLocks } from '../testing/fake-locks.ts';
import { openTab, signInTab } from '../testing/tab.ts';
import { signOut } from './session.ts';
import { refreshAccessToken } from './token-refresh.ts';

beforeEach(() => {
  vi.useFakeTimers();
  stubLocks();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const EXPIRED = 'Your session has expired. Please login again.';

async function signedInTab(seconds: number) {
  const server = fakeApi();
  const tab = await openTab();
  signInTab(tab, server, seconds);
  return { server, tab };
}

describe('before a call', () => {
  test('a token with 301 seconds left is used as it is [§9]', async () => {
    const { server, tab } = await signedInTab(301);
    const { data } = await tab.call();
    expect(data?.result).toEqual({ id: 'done' });
    expect(server.refreshes).toBe(0);
    expect(server.calls).toEqual(['/api/tenant/activate?id=1 1']);
  });

  test('a token with 299 seconds left is refreshed once, and the call carries the new one [§7.5, §9]', async () => {
    const { server, tab } = await signedInTab(299);
    await tab.call();
    expect(server.refreshes).toBe(1);
    expect(server.calls).toEqual(['/api/tenant/activate?id=1 2']);
    await tab.call();
    expect(server.refreshes).toBe(1);
  });

  test('ten calls at once share one refresh [§7.5]', async () => {
    const { server, tab } = await signedInTab(100);
    await Promise.all(Array.from({ length: 10 }, (_, index) => tab.call(`${index}`)));
    expect(server.refreshes).toBe(1);
    expect(server.calls).toHaveLength(10);
    expect(server.calls.every((call) => call.endsWith(' 2'))).toBe(true);
  });

  test('a refresh without a network leaves a valid token in use [§7.5]', async () => {
    const { server, tab } = await signedInTab(100);
    server.refreshFails = 'unreachable';
    expect((await tab.call()).data?.result).toEqual({ id: 'done' });
    expect(tab.session().isLoggedIn).toBe(true);
  });

  test('with an expired token and no network the call fails, and the session stays [§7.5]', async () => {
    const { server, tab } = await signedInTab(1);
    vi.setSystemTime(Date.now() + 2_000);
    server.refreshFails = 'unreachable';
    expect((await tab.call()).error).toMatchObject({ status: 'FETCH_ERROR' });
    expect(server.calls).toEqual([]);
    expect(tab.session().isLoggedIn).toBe(true);
  });

  test('a refused refresh removes the session and its storage [§7.5]', async () => {
    const { server, tab } = await signedInTab(100);
    const toast = vi.spyOn(notify, 'error');
    server.refreshFails = 'refused';
    expect((await tab.call()).error).toBeDefined();
    expect(server.calls).toEqual([]);
    expect(tab.session()).toMatchObject({ isLoggedIn: false, jwtToken: '', refreshToken: '', exp: null });
    expect(localStorage).toHaveLength(0);
    expect(toast.mock.calls).toEqual([[EXPIRED]]);
  });
});

test('a refresh whose answer is lost is repeated while the server still takes its pair, 30 seconds [§4]', async () => {
  const { server, tab } = await signedInTab(299);
  server.refreshFails = 'lost';
  await vi.advanceTimersByTimeAsync(45_000);
  expect(tab.session()).toMatchObject({ isLoggedIn: true, jwtToken: server.accessToken });
  expect(server.refreshes).toBe(2);
});

describe('a call answered 401', () => {
  /** The server refuses the token long before it expires. */
  async function refusedTab() {
    const { server, tab } = await signedInTab(900);
    server.revoked.add(server.accessToken);
    return { server, tab };
  }

  test('is sent again once after one refresh [§7.5]', async () => {
    const { server, tab } = await refusedTab();
    expect((await tab.call()).data?.result).toEqual({ id: 'done' });
    expect(server.refreshes).toBe(1);
    expect(server.calls).toEqual(['/api/tenant/activate?id=1 1', '/api/tenant/activate?id=1 2']);
  });

  test('ten at once cause one refresh and one retry each [§7.5]', async () => {
    const { server, tab } = await refusedTab();
    const calls = await Promise.all(Array.from({ length: 10 }, (_, index) => tab.call(`${index}`)));
    expect(calls.every(({ data }) => data?.status === 200)).toBe(true);
    expect(server.refreshes).toBe(1);
    expect(server.calls.filter((call) => call.endsWith(' 1'))).toHaveLength(10);
    expect(server.calls.filter((call) => call.endsWith(' 2'))).toHaveLength(10);
  });

  test('whose token was refreshed meanwhile is sent again without another refresh [§7.5]', async () => {
    const { server, tab } = await refusedTab();
    const gate = Promise.withResolvers<void>();
    server.callGate = gate.promise;
    const call = tab.call('slow');
    await vi.waitFor(() => expect(server.calls).toHaveLength(1), { timeout: 60_000 });
    await tab.store.dispatch(refreshAccessToken());
    gate.resolve();
    expect((await call).data?.status).toBe(200);
    expect(server.refreshes).toBe(1);
    expect(server.calls).toEqual(['/api/tenant/activate?id=slow 1', '/api/tenant/activate?id=slow 2']);
  });

  test('twice ends the session, without a third attempt [§7.5]', async () => {
    const { server, tab } = await signedInTab(900);
    server.refusesEverything = true;
    const toast = vi.spyOn(notify, 'error');
    expect((await tab.call()).error).toBeDefined();
    expect(server.refreshes).toBe(1);
    expect(server.calls).toHaveLength(2);
    expect(tab.session().isLoggedIn).toBe(false);
    expect(toast.mock.calls).toEqual([[EXPIRED]]);
    expect(localStorage).toHaveLength(0);
  });

  test.each(['unreachable', 'unavailable'] as const)(
    'and a server %s for the refresh: the session stays [§7.5]',
    async (fails) => {
      const { server, tab } = await refusedTab();
      server.refreshFails = fails;
      const { error } = await tab.call();
      expect(error).toMatchObject({ status: fails === 'unreachable' ? 'FETCH_ERROR' : 503 });
      expect(tab.session().isLoggedIn).toBe(true);
      expect(localStorage.getItem('jwtToken')).toBe(tab.session().jwtToken);
    },
  );

  test('a refresh that brings an unreadable token ends the session [§4]', async () => {
    const { server, tab } = await refusedTab();
    const toast = vi.spyOn(notify, 'error');
    server.refreshFails = 'unreadable';
    expect((await tab.call()).error).toBeDefined();
    expect(tab.session().isLoggedIn).toBe(false);
    expect(toast.mock.calls).toEqual([[EXPIRED]]);
  });

  test('twice ends no session that was refreshed again meanwhile [§7.5]', async () => {
    const { server, tab } = await signedInTab(900);
    const [refreshGate, callGate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    server.refusesEverything = true;
    server.refreshGate = refreshGate.promise;
    const call = tab.call();
    await vi.waitFor(() => expect(server.refreshes).toBe(1), { timeout: 60_000 });
    server.callGate = callGate.promise;
    refreshGate.resolve();
    await vi.waitFor(() => expect(server.calls).toHaveLength(2), { timeout: 60_000 });
    await tab.store.dispatch(refreshAccessToken());
    callGate.resolve();
    expect((await call).error).toMatchObject({ status: 401 });
    expect(tab.session()).toMatchObject({ isLoggedIn: true, jwtToken: server.accessToken });
  });

  test('while nobody is signed in is an ordinary error [§7.5]', async () => {
    const server = fakeApi();
    const tab = await openTab();
    expect((await tab.call()).error).toEqual({ status: 401, message: 'Please sign in.' });
    expect(server.refreshes).toBe(0);
  });

  test('a sign-out during the refresh is not undone by the answer [§4]', async () => {
    const { server, tab } = await refusedTab();
    const gate = Promise.withResolvers<void>();
    server.refreshGate = gate.promise;
    const call = tab.call();
    await vi.waitFor(() => expect(server.refreshes).toBe(1), { timeout: 60_000 });
    tab.store.dispatch(signOut());
    gate.resolve();
    expect((await call).error).toBeDefined();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(tab.session().isLoggedIn).toBe(false);
    expect(localStorage).toHaveLength(0);
  });
});
