import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { notify } from '../components/toast/toast.tsx';
import { fakeApi } from '../testing/fake-api.ts';
import { stubLocks } from '../testing/fake-locks.ts';
import { makeToken, signedIn } from '../testing/session.ts';
import { openTab, signInTab } from '../testing/tab.ts';
import { signOut } from './session.ts';
import { setProfile } from './session-slice.ts';

const EXPIRED = 'Your session has expired. Please login again.';
const CHECK_MS = 5_000;
const DAY_SECONDS = 86_400;

beforeEach(() => {
  vi.useFakeTimers();
  stubLocks();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function signedInTab(seconds?: number, options?: Parameters<typeof fakeApi>[0]) {
  const server = fakeApi(options);
  const tab = await openTab();
  signInTab(tab, server, seconds);
  return { server, tab };
}

describe('stored session', () => {
  test('is kept under the keys of the spec [§3, §4]', async () => {
    const { tab } = await signedInTab();
    tab.store.dispatch(setProfile({ phone: '555-0100' }));
    expect({ ...localStorage }).toEqual({
      jwtToken: tab.session().jwtToken,
      refreshToken: 'refresh-1',
      exp: String(tab.session().exp),
      isLoggedIn: 'true',
      id: signedIn().id,
      role: 'Administrator',
      email: 'ada@apotheca.test',
      firstName: 'Ada',
      lastName: 'Byron',
      username: 'ada',
      phone: '555-0100',
    });
  });

  test('is restored at the next start [§3]', async () => {
    const { tab } = await signedInTab();
    const next = await openTab();
    expect(next.session()).toEqual(tab.session());
  });

  test('a stored profile object fills in name and e-mail [§3]', async () => {
    fakeApi();
    localStorage.setItem('jwtToken', makeToken());
    localStorage.setItem('profile', JSON.stringify({ firstName: 'Grace', lastName: 'Hopper', email: 'g@h.test' }));
    const tab = await openTab();
    expect(tab.session()).toMatchObject({
      firstName: 'Grace',
      lastName: 'Hopper',
      email: 'g@h.test',
      isLoggedIn: true,
    });
  });

  test.each(['{', '[]', 'null', '{"firstName":7}'])('a broken profile (%s) yields no name [§3]', async (profile) => {
    fakeApi();
    localStorage.setItem('jwtToken', makeToken());
    localStorage.setItem('profile', profile);
    expect((await openTab()).session()).toMatchObject({ firstName: '', isLoggedIn: true });
  });

  test.each(['garbage', 'a.%%%.c', ''])('an unreadable token (%j) starts signed out [§4]', async (jwtToken) => {
    fakeApi();
    localStorage.setItem('jwtToken', jwtToken);
    localStorage.setItem('isLoggedIn', 'true');
    expect((await openTab()).session()).toMatchObject({ isLoggedIn: false, jwtToken: '' });
  });

  test('an unreadable token is removed with its session, and the remembered username stays [§4]', async () => {
    fakeApi();
    const session = {
      jwtToken: 'garbage',
      refreshToken: 'refresh-1',
      isLoggedIn: 'true',
      id: '1',
      exp: '1',
      role: 'x',
    };
    for (const [key, value] of Object.entries(session)) localStorage.setItem(key, value);
    localStorage.setItem('rememberedUsername', 'ada');
    await openTab();
    expect({ ...localStorage }).toEqual({ rememberedUsername: 'ada' });
  });

  test('without storage the session lasts until the tab is closed [§4]', async () => {
    vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
    const { server, tab } = await signedInTab(100);
    expect((await tab.call()).data?.status).toBe(200);
    expect(server.refreshes).toBe(1);
    tab.store.dispatch(signOut());
    expect(tab.session().isLoggedIn).toBe(false);
  });
});

describe('session check', () => {
  test('does nothing while the token has more than 300 seconds [§9]', async () => {
    const { server } = await signedInTab(900);
    await vi.advanceTimersByTimeAsync(599_000);
    expect(server.refreshes).toBe(0);
    await vi.advanceTimersByTimeAsync(CHECK_MS);
    expect(server.refreshes).toBe(1);
  });

  test('continues as long as the session is refreshed [§4, §9]', async () => {
    const { server, tab } = await signedInTab(900);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(tab.session().isLoggedIn).toBe(true);
    expect(server.refreshes).toBe(6);
  });

  test('shares one refresh with the calls near expiry and those answered 401 [§7.5]', async () => {
    const { server, tab } = await signedInTab(304);
    server.revoked.add(server.accessToken);
    const early = tab.call('before-the-check');
    await vi.advanceTimersByTimeAsync(CHECK_MS);
    await Promise.all([early, tab.call('near-expiry')]);
    expect(server.refreshes).toBe(1);
  });

  test('treats a token with 9 seconds left that cannot be refreshed as expired [§4, §8, §9]', async () => {
    const { server, tab } = await signedInTab(14);
    const toast = vi.spyOn(notify, 'error');
    server.refreshFails = 'unreachable';
    await vi.advanceTimersByTimeAsync(CHECK_MS - 1);
    expect(tab.session().isLoggedIn).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(tab.session().isLoggedIn).toBe(false);
    expect(toast.mock.calls).toEqual([[EXPIRED]]);
    expect(server.calls).toEqual(['/identity/auth/logout 1']);
    expect(localStorage).toHaveLength(0);
  });

  test('keeps a token with 11 seconds left, and tries again 5 seconds later [§9]', async () => {
    const { server, tab } = await signedInTab(16);
    server.refreshFails = 'unreachable';
    await vi.advanceTimersByTimeAsync(CHECK_MS);
    expect(tab.session().isLoggedIn).toBe(true);
    server.refreshFails = undefined;
    await vi.advanceTimersByTimeAsync(CHECK_MS);
    expect(tab.session()).toMatchObject({ isLoggedIn: true, jwtToken: server.accessToken });
    expect(server.refreshes).toBe(2);
  });

  test('a refused refresh ends the session at once, with one toast [§7.5, §8]', async () => {
    const { server, tab } = await signedInTab(304);
    const toast = vi.spyOn(notify, 'error');
    server.refreshFails = 'refused';
    await vi.advanceTimersByTimeAsync(CHECK_MS * 3);
    expect(tab.session().isLoggedIn).toBe(false);
    expect(toast.mock.calls).toEqual([[EXPIRED]]);
    expect(server.refreshes).toBe(1);
  });

  test('waits while a machine that wakes up has no network yet [§4]', async () => {
    const { server, tab } = await signedInTab(900);
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    server.refreshFails = 'unreachable';
    vi.setSystemTime(Date.now() + 3_600_000);
    await vi.advanceTimersByTimeAsync(CHECK_MS);
    expect(tab.session().isLoggedIn).toBe(true);
    onLine.mockReturnValue(true);
    server.refreshFails = undefined;
    await vi.advanceTimersByTimeAsync(CHECK_MS);
    expect(tab.session()).toMatchObject({ isLoggedIn: true, jwtToken: server.accessToken });
  });

  test('a refresh without an answer at the end of the token is made once more, and then the session ends [§4, §9]', async () => {
    const { server, tab } = await signedInTab(14);
    server.refreshFails = 'lost';
    await vi.advanceTimersByTimeAsync(45_000);
    expect(tab.session()).toMatchObject({ isLoggedIn: true, jwtToken: server.accessToken });
    expect(server.refreshes).toBe(2);
    signInTab(tab, server, 14);
    server.refreshFails = 'lost';
    await vi.advanceTimersByTimeAsync(CHECK_MS + 5_000);
    server.refreshFails = 'lost';
    await vi.advanceTimersByTimeAsync(14_999);
    expect(tab.session().isLoggedIn).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(tab.session().isLoggedIn).toBe(false);
    expect(server.refreshes).toBe(4);
  });

  test('an expired session is refreshed before the first page is shown [§2.1]', async () => {
    const { server, tab } = await signedInTab(900);
    tab.close();
    vi.setSystemTime(Date.now() + 3_600_000);
    const next = await openTab();
    expect(next.session()).toMatchObject({ isLoggedIn: true, jwtToken: server.accessToken });
    expect(server.refreshes).toBe(1);
  });
});

describe('sign-out', () => {
  test('tells the server, clears session, storage and cache, keeps the remembered username [§4, §7.1]', async () => {
    const { server, tab } = await signedInTab();
    localStorage.setItem('rememberedUsername', 'ada');
    localStorage.setItem('profile', '{"firstName":"Ada"}');
    tab.store.dispatch(signOut());
    expect(tab.session()).toMatchObject({ isLoggedIn: false, jwtToken: '', refreshToken: '', id: '', exp: null });
    expect({ ...localStorage }).toEqual({ rememberedUsername: 'ada' });
    await vi.waitFor(() => expect(server.calls).toEqual(['/identity/auth/logout 1']), { timeout: 60_000 });
    const [request] = vi.mocked(fetch).mock.lastCall ?? [];
    expect(request instanceof Request && (await request.json())).toEqual({ refreshToken: 'refresh-1' });
  });

  test('leaves the sign-in of another tab alone [§4]', async () => {
    const { tab } = await signedInTab();
    localStorage.setItem('refreshToken', 'refresh-2');
    localStorage.setItem('jwtToken', makeToken());
    tab.store.dispatch(signOut());
    expect(tab.session().isLoggedIn).toBe(false);
    expect(localStorage.getItem('refreshToken')).toBe('refresh-2');
    expect(localStorage.getItem('jwtToken')).not.toBeNull();
  });

  test('works without a server [§4]', async () => {
    const { tab } = await signedInTab();
    vi.mocked(fetch).mockRejectedValue(new TypeError('Failed to fetch'));
    tab.store.dispatch(signOut());
    await vi.advanceTimersByTimeAsync(CHECK_MS);
    expect(tab.session().isLoggedIn).toBe(false);
  });
});

describe('a wrong local clock', () => {
  test.each([
    ['a day behind', DAY_SECONDS],
    ['a day ahead', -DAY_SECONDS],
  ])('%s neither loops nor signs out [§4, §9]', async (_which, aheadSeconds) => {
    const { server, tab } = await signedInTab(900, { aheadSeconds });
    expect(tab.session().clockOffset).toBe(aheadSeconds);
    await tab.call();
    await vi.advanceTimersByTimeAsync(590_000);
    expect(server.refreshes).toBe(0);
    await vi.advanceTimersByTimeAsync(3_000_000);
    expect(tab.session().isLoggedIn).toBe(true);
    expect(server.refreshes).toBe(5);
    expect((await tab.call()).data?.status).toBe(200);
  });

  test.each([
    ['back by a day', DAY_SECONDS],
    ['ahead by a day', -DAY_SECONDS],
  ])('set %s while signed in costs one refresh [§4, §9]', async (_which, jumpSeconds) => {
    const { server, tab } = await signedInTab(900);
    vi.setSystemTime(Date.now() - jumpSeconds * 1000);
    server.aheadSeconds += jumpSeconds;
    server.revoked.add(server.accessToken);
    expect((await tab.call()).data?.status).toBe(200);
    await vi.advanceTimersByTimeAsync(CHECK_MS * 4);
    expect(server.refreshes).toBe(1);
    expect(tab.session()).toMatchObject({ isLoggedIn: true, clockOffset: jumpSeconds });
  });

  test('its offset outlives a reload [§4]', async () => {
    const { server, tab } = await signedInTab(900, { aheadSeconds: -DAY_SECONDS });
    tab.close();
    const next = await openTab();
    expect(next.session()).toMatchObject({ isLoggedIn: true, clockOffset: -DAY_SECONDS });
    expect(server.refreshes).toBe(0);
  });
});
