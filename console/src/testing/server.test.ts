import { permissionRoutes } from '@apotheca/contract/permissions';
import type { HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { mockServer, onRoute, server } from './server.ts';

mockServer();

let outcome = 'none';
let leave = () => {};

test('a call that is not answered', () => {
  server.use(onRoute(permissionRoutes.list, () => new Promise<HttpResponse<null>>(() => {})));
  const late = new AbortController();
  leave = () => late.abort(new Error('No answer in time'));
  fetch(`/api${permissionRoutes.list.path}`, { signal: late.signal }).catch((error: Error) => {
    outcome = error.message;
  });
});

test('does not end in a later test', async () => {
  leave();
  // What the end of the call would lead to comes before that.
  await new Promise((done) => setImmediate(done));
  expect(outcome).toBe('none');
});
