import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { notify } from '../components/toast/toast.tsx';
import { fakeApi } from '../testing/fake-api.ts';
import { stubLocks } from '../testing/fake-locks.ts';
import { makeToken } from '../testing/session.ts';
import { openTab, signInTab } from '../testing/tab.ts';
import { signOut } from './session.ts';
import { signedOut } from './session-slice.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Three tabs with one storage: the first has signed in, the others have restored its session, and time has passed. */
async function threeTabs(secondsLeft: number) {
  const server = fakeApi();
  const first = await openTab();
  signInTab(first, server, 900);
  const tabs = [first, await openTab(), await openTab()] as const;
  vi.setSystemTime(Date.now() + (900 - secondsLeft) * 1000);
  return { server, tabs };
}

/** The storage event that a browser sends to the other tabs, which jsdom does not send. */
const storageEvent = (key: string | null, newValue: string | null = null) =>
  window.dispatchEvent(new StorageEvent('storage', { key, newValue }));

describe.each(['Web Locks', 'a lease in the storage'])('one refresh across tabs with %s', (means) => {
  beforeEach(() => {
    if (means === 'Web Locks') stubLocks();
  });

  test('three tabs near expiry refresh once, and all have the new token [§7.5]', async () => {
    const { server, tabs } = await threeTabs(200);
    const calls = Promise.all(tabs.map((tab, index) => tab.call(`${index}`)));
    await vi.advanceTimersByTimeAsync(1_000);
    await calls;
    expect(server.refreshes).toBe(1);
    expect(server.calls.toSorted()).toEqual([0, 1, 2].map((index) => `/api/tenant/activate?id=${index} 2`));
    expect(tabs.map((tab) => tab.session().jwtToken)).toEqual(Array(3).fill(server.accessToken));
  });

  test('three timers at once refresh once [§7.5, §9]', async () => {
    const { server, tabs } = await threeTabs(304);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(server.refreshes).toBe(1);
    expect(tabs.every((tab) => tab.session().jwtToken === server.accessToken)).toBe(true);
  });

  test('thirty calls answered 401 in three tabs make one refresh [§7.5]', async () => {
    const { server, tabs } = await threeTabs(900);
    server.revoked.add(server.accessToken);
    const calls = Promise.all(tabs.flatMap((tab) => Array.from({ length: 10 }, (_, index) => tab.call(`${index}`))));
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await calls).every(({ data }) => data?.status === 200)).toBe(true);
    expect(server.refreshes).toBe(1);
    expect(server.calls).toHaveLength(60);
  });

  test('a failed refresh signs out no tab that has a newer token [§7.5]', async () => {
    const { server, tabs } = await threeTabs(200);
    const toast = vi.spyOn(notify, 'error');
    const [first, second] = tabs;
    const gate = Promise.withResolvers<void>();
    server.refreshGate = gate.promise;
    const call = first.call();
    await vi.advanceTimersByTimeAsync(100);
    expect(server.refreshes).toBe(1);
    // Another tab has refreshed meanwhile, and this tab's refresh is refused.
    const newer = server.issue();
    localStorage.setItem('exp', '0');
    localStorage.setItem('jwtToken', newer);
    gate.resolve();
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await call).data?.status).toBe(200);
    expect(first.session()).toMatchObject({ isLoggedIn: true, jwtToken: newer });
    expect(localStorage.getItem('jwtToken')).toBe(newer);
    storageEvent('jwtToken', newer);
    expect(second.session().jwtToken).toBe(newer);
    expect(toast).not.toHaveBeenCalled();
  });
});

describe('what another tab has stored', () => {
  beforeEach(stubLocks);

  test('is refreshed too when it is about to expire [§7.5]', async () => {
    const { server, tabs } = await threeTabs(100);
    localStorage.setItem('jwtToken', server.issue(200));
    expect((await tabs[0].call()).data?.status).toBe(200);
    expect(server.refreshes).toBe(1);
    expect(server.calls).toEqual(['/api/tenant/activate?id=1 3']);
  });

  test('is ignored when it is older [§7.5]', async () => {
    const { server, tabs } = await threeTabs(200);
    localStorage.setItem('jwtToken', makeToken(100));
    expect((await tabs[0].call()).data?.status).toBe(200);
    expect(server.calls).toEqual(['/api/tenant/activate?id=1 2']);
  });
});

describe('the lease', () => {
  test('of a tab that is gone delays the others no longer than it lasts [§7.5]', async () => {
    const { server, tabs } = await threeTabs(200);
    localStorage.setItem('apotheca-refresh-lease', JSON.stringify({ owner: 'gone', until: Date.now() + 14_000 }));
    const call = tabs[0].call();
    await vi.advanceTimersByTimeAsync(13_000);
    expect(server.refreshes).toBe(0);
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await call).data?.status).toBe(200);
    expect(server.refreshes).toBe(1);
    expect(localStorage.getItem('apotheca-refresh-lease')).toBeNull();
  });

  test('ends while the server still takes the pair that a tab has refreshed which is gone, 30 seconds [§4]', async () => {
    const { server, tabs } = await threeTabs(200);
    const gate = Promise.withResolvers<void>();
    server.refreshGate = gate.promise;
    const call = tabs[0].call();
    await vi.waitFor(() => expect(server.refreshes).toBe(1), { timeout: 60_000 });
    const { until } = JSON.parse(localStorage.getItem('apotheca-refresh-lease') ?? '{}');
    expect(until - Date.now()).toBeGreaterThan(10_000);
    expect(until - Date.now()).toBeLessThan(30_000);
    gate.resolve();
    expect((await call).data?.status).toBe(200);
  });

  test('belongs to the last of two tabs that took it at once [§7.5]', async () => {
    const { server, tabs } = await threeTabs(200);
    const call = tabs[0].call();
    await vi.advanceTimersByTimeAsync(10);
    localStorage.setItem('apotheca-refresh-lease', JSON.stringify({ owner: 'other', until: Date.now() + 1_000 }));
    await vi.advanceTimersByTimeAsync(900);
    expect(server.refreshes).toBe(0);
    await vi.advanceTimersByTimeAsync(300);
    expect((await call).data?.status).toBe(200);
    expect(server.refreshes).toBe(1);
  });

  test('that another tab took after it ran out is left to that tab [§7.5]', async () => {
    const { server, tabs } = await threeTabs(200);
    const gate = Promise.withResolvers<void>();
    server.refreshGate = gate.promise;
    const call = tabs[0].call();
    await vi.advanceTimersByTimeAsync(100);
    const other = JSON.stringify({ owner: 'other', until: Date.now() + 1_000 });
    localStorage.setItem('apotheca-refresh-lease', other);
    gate.resolve();
    await call;
    expect(localStorage.getItem('apotheca-refresh-lease')).toBe(other);
  });

  test('is not needed where the storage is forbidden, as no other tab shares the session [§4]', async () => {
    vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
    const server = fakeApi();
    const tab = await openTab();
    signInTab(tab, server, 200);
    const call = tab.call();
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await call).data?.status).toBe(200);
    expect(server.refreshes).toBe(1);
  });

  test('of a page that is left during its refresh is free at once [§7.5]', async () => {
    const { server, tabs } = await threeTabs(200);
    server.refreshGate = new Promise(() => {});
    void tabs[0].call('left');
    await vi.advanceTimersByTimeAsync(100);
    expect(server.refreshes).toBe(1);
    window.dispatchEvent(new Event('pagehide'));
    server.refreshGate = Promise.resolve();
    const call = tabs[1].call('next');
    await vi.advanceTimersByTimeAsync(100);
    expect((await call).data?.status).toBe(200);
  });

  test.each(['{', '"text"', '{"owner":1}', JSON.stringify({ owner: 'x', until: 9e15 })])(
    'with invalid content (%s) delays nobody [§7.5]',
    async (lease) => {
      const { server, tabs } = await threeTabs(200);
      localStorage.setItem('apotheca-refresh-lease', lease);
      const call = tabs[0].call();
      await vi.advanceTimersByTimeAsync(1_000);
      await call;
      expect(server.refreshes).toBe(1);
    },
  );
});

describe('in step with the other tabs', () => {
  beforeEach(stubLocks);

  test('signing out in one tab signs all out [§4]', async () => {
    const { tabs } = await threeTabs(900);
    tabs[0].store.dispatch(signOut());
    storageEvent('jwtToken');
    expect(tabs.map((tab) => tab.session().isLoggedIn)).toEqual([false, false, false]);
    expect(tabs.map((tab) => tab.store.getState().api.queries)).toEqual([{}, {}, {}]);
  });

  test('signing out in one tab leaves nothing in the others, and tells them of no end [§4, §8]', async () => {
    const { tabs } = await threeTabs(900);
    const toast = vi.spyOn(notify, 'error');
    const before = { ...localStorage };
    const writes: [string, string | null][] = [];
    const set = vi
      .spyOn(Storage.prototype, 'setItem')
      .mockImplementation((key, value) => void writes.push([key, value]));
    const remove = vi.spyOn(Storage.prototype, 'removeItem').mockImplementation((key) => void writes.push([key, null]));
    tabs[0].store.dispatch(signOut());
    set.mockRestore();
    remove.mockRestore();
    expect({ ...localStorage }).toEqual(before);
    // Others see one write after the other, each with its event.
    for (const [key, value] of writes) {
      if (value === null) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
      storageEvent(key, value);
    }
    expect(tabs.map((tab) => tab.session())).toEqual([signedOut, signedOut, signedOut]);
    expect(toast).not.toHaveBeenCalled();
  });

  test.each(['refreshToken', 'isLoggedIn', null])(
    'removing the key %s with all others does so too [§4]',
    async (key) => {
      const { tabs } = await threeTabs(900);
      localStorage.clear();
      storageEvent(key);
      expect(tabs.some((tab) => tab.session().isLoggedIn)).toBe(false);
    },
  );

  test('keys of other programs change nothing [§4]', async () => {
    const { tabs } = await threeTabs(900);
    localStorage.removeItem('jwtToken');
    storageEvent('layout', '{}');
    storageEvent('rememberedUsername');
    expect(tabs[0].session().isLoggedIn).toBe(true);
  });

  test('signing in in one tab signs in all [§4]', async () => {
    const server = fakeApi();
    const [one, other] = [await openTab(), await openTab()];
    signInTab(one, server);
    storageEvent('jwtToken', server.accessToken);
    expect(other.session()).toEqual(one.session());
  });

  test('a token taken over from another tab does not overwrite a newer one [§4]', async () => {
    const { server, tabs } = await threeTabs(900);
    localStorage.setItem('jwtToken', server.issue());
    const written = vi.spyOn(Storage.prototype, 'setItem');
    storageEvent('jwtToken', server.accessToken);
    expect(tabs.every((tab) => tab.session().jwtToken === server.accessToken)).toBe(true);
    expect(written).not.toHaveBeenCalled();
  });

  test('a sign-out that is noticed late does not undo a later sign-in [§4]', async () => {
    const { server, tabs } = await threeTabs(900);
    tabs[0].store.dispatch(signOut());
    server.refreshToken = 'refresh-2';
    signInTab(tabs[0], server);
    storageEvent('jwtToken');
    expect(tabs.map((tab) => tab.session().refreshToken)).toEqual(Array(3).fill('refresh-2'));
    expect(localStorage.getItem('refreshToken')).toBe('refresh-2');
  });
});
