import { adoptionRoutes } from '@apotheca/contract/adoptions';
import { anonymizationRoutes } from '@apotheca/contract/anonymization';
import { authRoutes } from '@apotheca/contract/auth';
import { backupRoutes } from '@apotheca/contract/backups';
import { dashboardRoutes } from '@apotheca/contract/dashboard';
import { databaseRoutes } from '@apotheca/contract/databases';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { purgeRoutes } from '@apotheca/contract/purges';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { configureStore } from '@reduxjs/toolkit';
import { HttpResponse } from 'msw';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type SessionState, sessionReducer, signedOut } from '../../session/session-slice.ts';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import type { Call } from '../../transport/transport.ts';
import { changeCountReducer } from './change-count.ts';
import { api, mutationFor, queryFor, unlessFailed } from './client.ts';

mockServer();
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const probes = api.injectEndpoints({
  endpoints: (build) => ({
    list: build.query(queryFor(tenantRoutes.list)),
    counts: build.query(queryFor(dashboardRoutes.getCounts)),
    ids: build.query(queryFor(permissionRoutes.listAvailableIds)),
    activate: build.mutation(mutationFor(tenantRoutes.activate)),
    tenants: build.query({ ...queryFor(tenantRoutes.list), providesTags: ['Tenants'] }),
    setActive: build.mutation({ ...mutationFor(tenantRoutes.activate), invalidatesTags: unlessFailed('Tenants') }),
    any: build.mutation({ query: (asked: Call) => asked }),
    signIn: build.mutation(mutationFor(authRoutes.authenticate)),
    setFor: build.mutation(mutationFor({ ...authRoutes.generateToken, query: tenantRoutes.delete.query })),
  }),
  overrideExisting: true,
}).endpoints;

const storeFor = (session: SessionState) =>
  configureStore({
    reducer: { session: sessionReducer, [api.reducerPath]: api.reducer, changeCount: changeCountReducer },
    preloadedState: { session },
    middleware: (getDefault) => getDefault().concat(api.middleware),
  });

const store = storeFor(signedIn());
const { dispatch } = store;

test('a list that was on its way while something was changed is asked for again [§7.5]', async () => {
  const first = Promise.withResolvers<void>();
  let asked = 0;
  server.use(
    onRoute(permissionRoutes.listAvailableIds, async () => {
      asked += 1;
      if (asked > 1) return ok(['after the change']);
      await first.promise;
      return ok(['before the change']);
    }),
    onRoute(tenantRoutes.activate, () => ok({ id: '1' })),
  );
  const fresh = storeFor(signedIn());
  const load = fresh.dispatch(probes.ids.initiate());
  await vi.waitFor(() => expect(asked).toBe(1), { timeout: 60_000 });
  await fresh.dispatch(probes.activate.initiate({ id: '1' }));
  first.resolve();
  expect((await load).data).toEqual(['after the change']);
});

test.each([
  ['lost', () => HttpResponse.error(), 2],
  [
    "a proxy's, which has none of the server",
    () => HttpResponse.json({ message: 'Gateway timeout' }, { status: 504 }),
    2,
  ],
  ['a refusal', () => failed(409, 'It conflicts.'), 1],
])('what a call changes is loaded again if its answer was %s: %#', async (_what, answer, loads) => {
  let asked = 0;
  server.use(
    onRoute(tenantRoutes.list, () => {
      asked += 1;
      return ok([]);
    }),
    onRoute(tenantRoutes.activate, answer),
  );
  const fresh = storeFor(signedIn());
  const list = fresh.dispatch(probes.tenants.initiate({}));
  await list;
  await fresh.dispatch(probes.setActive.initiate({ id: '1' }));
  await Promise.all(fresh.dispatch(api.util.getRunningQueriesThunk()));
  expect(asked).toBe(loads);
  list.unsubscribe();
});

describe('a call', () => {
  test('carries the bearer token when there is one [§7]', async () => {
    const seen: (string | null)[] = [];
    server.use(
      onRoute(dashboardRoutes.getCounts, ({ request }) => {
        seen.push(request.headers.get('authorization'));
        return ok([]);
      }),
    );
    await dispatch(probes.counts.initiate(undefined, { forceRefetch: true }));
    await storeFor(signedOut).dispatch(probes.counts.initiate());
    expect(seen).toEqual([`Bearer ${store.getState().session.jwtToken}`, null]);
  });

  test('to a public route asks for no refresh, neither before nor after a 401 [§7.5]', async () => {
    server.use(onRoute(authRoutes.authenticate, () => failed(401, 'Username or password is incorrect.')));
    const nearExpiry = storeFor(signedIn({ exp: Date.now() / 1000 + 60 }));
    const { error } = await nearExpiry.dispatch(probes.signIn.initiate({ username: 'ada', password: 'engine' }));
    expect(error).toEqual({ status: 401, message: 'Username or password is incorrect.' });
    expect(nearExpiry.getState().session.isLoggedIn).toBe(true);
  });

  test('drops empty, null and undefined from its query and encodes the rest [§9]', async () => {
    let search = '';
    server.use(
      onRoute(tenantRoutes.activate, ({ request }) => {
        search = new URL(request.url).search;
        return ok({ id: '1' });
      }),
    );
    await dispatch(probes.activate.initiate({ id: 'a b&c', updatedBy: null }));
    expect(search).toBe('?id=a%20b%26c');
    await dispatch(probes.activate.initiate({ id: '' }));
    expect(search).toBe('');
  });

  test('sends query and body where the route has both [§7.3]', async () => {
    const seen = vi.fn();
    server.use(
      onRoute(authRoutes.generateToken, async ({ request }) => {
        seen(new URL(request.url).search, await request.json(), request.headers.get('content-type'));
        return ok({});
      }),
    );
    await dispatch(probes.setFor.initiate({ query: { id: '7' }, body: { name: 'n', minutes: 5 } }));
    expect(seen).toHaveBeenCalledWith('?id=7', { name: 'n', minutes: 5 }, 'application/json');
  });

  test('that reads gives the result [§7.5]', async () => {
    server.use(onRoute(dashboardRoutes.getCounts, () => ok([{ users: 3, tenants: 2, databases: 1 }])));
    const { data } = await dispatch(probes.counts.initiate(undefined, { forceRefetch: true }));
    expect(data).toEqual([{ users: 3, tenants: 2, databases: 1 }]);
  });

  test('that writes gives status, message and result [§7.5]', async () => {
    server.use(onRoute(tenantRoutes.activate, () => ok({ id: '1' }, 'It goes on.', 202)));
    const { data } = await dispatch(probes.activate.initiate({ id: '1' }));
    expect(data).toEqual({ status: 202, message: 'It goes on.', result: { id: '1' } });
  });

  const afterUse = async (query: Promise<unknown> & { unsubscribe: () => void }, seconds: number) => {
    await query;
    vi.useFakeTimers();
    query.unsubscribe();
    await vi.advanceTimersByTimeAsync((seconds - 1) * 1000);
  };

  test('is kept for 60 seconds after its last use [§9]', async () => {
    server.use(onRoute(permissionRoutes.listAvailableIds, () => ok([])));
    const fresh = storeFor(signedIn());
    await afterUse(fresh.dispatch(probes.ids.initiate()), 60);
    expect(probes.ids.select()(fresh.getState()).data).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(probes.ids.select()(fresh.getState()).data).toBeUndefined();
  });

  test('for a list is kept for ten minutes after its last use [§9]', async () => {
    server.use(onRoute(tenantRoutes.list, () => ok([])));
    const fresh = storeFor(signedIn());
    await afterUse(fresh.dispatch(probes.list.initiate({})), 600);
    expect(probes.list.select({})(fresh.getState()).data).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(probes.list.select({})(fresh.getState()).data).toBeUndefined();
  });
});

describe('a failed call', () => {
  const call = async () => (await dispatch(probes.activate.initiate({ id: '1' }))).error;

  test('reports status, message and field errors of the answer [§8]', async () => {
    server.use(onRoute(tenantRoutes.activate, () => failed(409, 'It conflicts.', { id: ['is wrong'] })));
    expect(await call()).toEqual({ status: 409, message: 'It conflicts.', errors: { id: ['is wrong'] } });
  });

  test('carries the data of the refusal, such as a new plan [§8]', async () => {
    const plan = { digest: 'abc' };
    const answer = () => HttpResponse.json({ message: 'The plan has changed.', result: plan }, { status: 409 });
    server.use(onRoute(tenantRoutes.activate, answer));
    expect(await call()).toEqual({ status: 409, message: 'The plan has changed.', result: plan });
  });

  test('without a server is a FETCH_ERROR [§8]', async () => {
    server.use(onRoute(tenantRoutes.activate, () => HttpResponse.error()));
    expect(await call()).toMatchObject({ status: 'FETCH_ERROR' });
  });

  test.each([
    ['a page of a proxy', 502, '<html>Bad gateway</html>'],
    ['an empty body', 200, ''],
    ['JSON that is no answer', 200, '"hello"'],
    ['an answer without a result and a message', 200, '{"status":200}'],
  ])('answered with %s is a PARSING_ERROR [§8]', async (_what, status, body) => {
    server.use(onRoute(tenantRoutes.activate, () => new HttpResponse(body, { status })));
    expect(await call()).toMatchObject({ status: 'PARSING_ERROR' });
  });

  test('is one that says so in its body, whatever its HTTP status [§7.3]', async () => {
    const body = { status: 500, success: false, message: 'It failed.' };
    server.use(onRoute(tenantRoutes.activate, () => HttpResponse.json(body)));
    expect(await call()).toMatchObject({ status: 500, message: 'It failed.' });
  });

  test("answered 401 with a proxy's HTML page is a 401 all the same [§7.5]", async () => {
    server.use(onRoute(tenantRoutes.activate, () => new HttpResponse('<html>Sign in</html>', { status: 401 })));
    const { error } = await storeFor(signedOut).dispatch(probes.activate.initiate({ id: '1' }));
    expect(error).toMatchObject({ status: 401 });
  });

  const counting = [
    databaseRoutes.details,
    databaseRoutes.planDeletion,
    purgeRoutes.planPurge,
    anonymizationRoutes.planAnonymization,
    backupRoutes.planRestore,
    adoptionRoutes.inspectServer,
    tenantRoutes.planDeletion,
  ];
  test.each<[number, string, Call]>([
    [30, tenantRoutes.list.path, { route: tenantRoutes.list }],
    ...counting.map((route): [number, string, Call] => [300, route.path, { route }]),
    [300, `${tenantRoutes.delete.path} with respond-async`, { route: tenantRoutes.delete, respondAsync: true }],
  ])('without an answer for %i seconds is a TIMEOUT_ERROR: %s [§8]', async (seconds, _path, asked) => {
    vi.useFakeTimers();
    const never = vi.fn((request: Request) => {
      const { promise, reject } = Promise.withResolvers<Response>();
      request.signal.addEventListener('abort', () => reject(request.signal.reason));
      return promise;
    });
    vi.stubGlobal('fetch', never);
    const answer = dispatch(probes.any.initiate(asked));
    let ended = false;
    void answer.then(() => {
      ended = true;
    });
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 100);
    expect(ended).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect((await answer).error).toMatchObject({ status: 'TIMEOUT_ERROR' });
  });
});
