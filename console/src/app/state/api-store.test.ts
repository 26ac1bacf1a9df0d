import { dashboardRoutes } from '@apotheca/contract/dashboard';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { api, queryFor } from '../../api/http/client.ts';
import { setCredentials } from '../../session/session-slice.ts';
import { mockServer, ok, onRoute } from '../../testing/server.ts';
import { makeToken, signedIn } from '../../testing/session.ts';
import { startUp } from '../start-up.ts';
import { addApi } from './api-store.ts';
import { makeStore } from './store.ts';

mockServer(
  http.get('/config.json', () => HttpResponse.json({ appApiBaseUrl: '/api', authApiBaseUrl: '/identity' })),
  onRoute(dashboardRoutes.getCounts, () => ok([{ users: 1, tenants: 2, databases: 3 }])),
);

const { counts } = api.injectEndpoints({
  endpoints: (build) => ({ counts: build.query(queryFor(dashboardRoutes.getCounts)) }),
}).endpoints;

test('a store without calls gets them once, and keeps what it has [§9]', async () => {
  const session = signedIn();
  const store = makeStore({ session });
  addApi(store);
  const { data } = await store.dispatch(counts.initiate());
  expect(data).toEqual([{ users: 1, tenants: 2, databases: 3 }]);
  const before = store.getState();
  addApi(store);
  expect(store.getState()).toBe(before);
  expect(before.session).toEqual(session);
});

test('another user finds no answers of the one before [§7.5]', async () => {
  const store = makeStore();
  await startUp(store);
  store.dispatch(setCredentials({ id: 'ada', jwtToken: makeToken() }));
  addApi(store);
  await store.dispatch(counts.initiate());
  expect(Object.keys(store.getState().api?.queries ?? {})).toHaveLength(1);
  store.dispatch(setCredentials({ id: 'bob', jwtToken: makeToken() }));
  expect(Object.keys(store.getState().api?.queries ?? {})).toHaveLength(0);
});
