import { webcrypto } from 'node:crypto';
import { accountRoutes } from '@apotheca/contract/account';
import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { dropAnswers } from '../../api/http/client.ts';
import { setUserId } from '../../session/session-slice.ts';
import { mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { addApi } from '../state/api-store.ts';
import { makeStore } from '../state/store.ts';
import { discard, loadKeys, store } from './sealed-drafts.ts';

const { id: ID } = signedIn();
const KEY = Buffer.alloc(32, 1).toString('base64url');

mockServer(onRoute(accountRoutes.draftKeys, () => ok([{ hour: 1, key: KEY }])));

beforeEach(() => void vi.stubGlobal('crypto', webcrypto));
afterEach(() => void vi.unstubAllGlobals());

function makeApiStore() {
  const store = makeStore({ session: signedIn() });
  addApi(store);
  return store;
}

test('keys that are asked for as others have just come are given too, and none stays in the store [§4]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  // What takes long pauses by this, or else by the clock that stands still.
  vi.stubGlobal('scheduler', { yield: async () => {} });
  const store = makeApiStore();
  expect(await loadKeys(store.dispatch, ID)).toMatchObject([{ hour: 1 }]);
  const asked = loadKeys(store.dispatch, ID);
  // What is still to be done about the first ones comes while the second ones are under way.
  vi.advanceTimersByTime(0);
  expect(await asked).toMatchObject([{ hour: 1 }]);
  vi.advanceTimersByTime(0);
  expect(JSON.stringify(store.getState())).not.toContain(KEY);
});

test.each([
  { id: ID, who: 'the same user', outcome: [{ hour: 1 }], calls: 2 },
  { id: 'bob', who: 'another user', outcome: [], calls: 1 },
])(
  'keys that are being asked for as all answers are dropped, with $who signed in then [§4]',
  async ({ id, outcome, calls }) => {
    const asked = vi.fn();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.use(
      onRoute(accountRoutes.draftKeys, async () => {
        asked();
        await promise;
        return ok([{ hour: 1, key: KEY }]);
      }),
    );
    const store = makeApiStore();
    const keys = loadKeys(store.dispatch, ID).catch(() => []);
    await waitFor(() => expect(asked).toHaveBeenCalledOnce());
    store.dispatch(setUserId(id));
    store.dispatch(dropAnswers());
    resolve();
    expect(await keys).toMatchObject(outcome);
    expect(asked).toHaveBeenCalledTimes(calls);
  },
);

test('what was discarded is put back, but not over what another tab has kept in its place since [§4]', () => {
  store('one', 'typed first');
  const kept = () => Object.values({ ...localStorage });
  const undo = discard('one');
  expect(kept()).toEqual([]);
  undo();
  expect(kept()).toEqual(['typed first']);
  const undoLate = discard('one');
  store('one', 'typed since');
  undoLate();
  expect(kept()).toEqual(['typed since']);
});
