import { webcrypto } from 'node:crypto';
import { accountRoutes } from '@apotheca/contract/account';
import { expect, onTestFinished, test, vi } from 'vitest';
import { mockServer, ok, onRoute } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { addApi } from '../state/api-store.ts';
import { makeStore } from '../state/store.ts';
import { loadKeys } from './sealed-drafts.ts';

const KEY = Buffer.alloc(32, 1).toString('base64url');

mockServer(onRoute(accountRoutes.draftKeys, () => ok([{ hour: 1, key: KEY }])));

test('keys that are asked for as others have just come are given too, and none stays in the store [§4]', async () => {
  vi.stubGlobal('crypto', webcrypto);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const store = makeStore({ session: signedIn() });
  addApi(store);
  expect(await loadKeys(store.dispatch)).toMatchObject([{ hour: 1 }]);
  const asked = loadKeys(store.dispatch);
  // What is still to be done about the first ones comes while the second ones are under way.
  vi.advanceTimersByTime(0);
  expect(await asked).toMatchObject([{ hour: 1 }]);
  vi.advanceTimersByTime(0);
  expect(JSON.stringify(store.getState())).not.toContain(KEY);
});
