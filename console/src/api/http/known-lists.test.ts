import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { userRoutes } from '@apotheca/contract/users';
import { configureStore } from '@reduxjs/toolkit';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { sessionReducer, setCredentials } from '../../session/session-slice.ts';
import { makePermission } from '../../testing/permissions.ts';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { makeToken, signedIn } from '../../testing/session.ts';
import { makeUser } from '../../testing/users.ts';
import { api, dropAnswers, queryFor } from './client.ts';

mockServer();

const probes = api.injectEndpoints({
  endpoints: (build) => ({
    users: build.query(queryFor(userRoutes.list)),
    permissions: build.query(queryFor(permissionRoutes.list)),
    sections: build.query(queryFor(faqSectionRoutes.list)),
  }),
  overrideExisting: true,
}).endpoints;

const [ada, tomas] = [makeUser({ userName: 'ada' }), makeUser({ userName: 'tomas' })];

/** What the server has, and the version of it; `asked` are the versions that calls came with. */
const there = { users: [ada, tomas], version: 'W/"1"', asked: [] as (string | null)[] };

/** Answers as the server does: 304 to a version that still holds. */
const versioned = (version: () => string, result: () => unknown) => (request: Request) => {
  const known = request.headers.get('if-none-match');
  there.asked.push(known);
  if (known === version()) return new HttpResponse(null, { status: 304, headers: { etag: version() } });
  return HttpResponse.json(
    { status: 200, success: true, message: '', result: result() },
    { headers: { etag: version() } },
  );
};

beforeEach(() => {
  Object.assign(there, { users: [ada, tomas], version: 'W/"1"', asked: [] });
  const answer = versioned(
    () => there.version,
    () => there.users,
  );
  server.use(onRoute(userRoutes.list, ({ request }) => answer(request)));
});

const signedInStore = () =>
  configureStore({
    reducer: { session: sessionReducer, [api.reducerPath]: api.reducer },
    preloadedState: { session: signedIn() },
    middleware: (getDefault) => getDefault().concat(api.middleware),
  });
type TestStore = ReturnType<typeof signedInStore>;

/** Asks as a screen does that is opened: what was read before is not enough. */
const read = (store: TestStore, sorted: Parameters<typeof probes.users.initiate>[0] = {}) =>
  store.dispatch(probes.users.initiate(sorted, { forceRefetch: true }));

test('a list that has not changed is the same object again, and is asked for with its version [§7.5]', async () => {
  const store = signedInStore();
  const first = await read(store);
  const again = await read(store);
  expect(there.asked).toEqual([null, 'W/"1"']);
  expect(first.data).toEqual([ada, tomas]);
  expect(again.data).toBe(first.data);
});

test('whoever starts to use a list has it at once, and has it checked [§9]', async () => {
  const store = signedInStore();
  await store.dispatch(probes.users.initiate({}));
  expect(probes.users.select({})(store.getState()).data).toHaveLength(2);
  await store.dispatch(probes.users.initiate({}));
  expect(there.asked).toEqual([null, 'W/"1"']);
});

test('rows that are equal after a change stay the same objects, whatever their place and order [§7.5]', async () => {
  const store = signedInStore();
  const { data: before = [] } = await read(store);
  there.users = [makeUser({ userName: 'new' }), { ...tomas, lName: 'changed' }, structuredClone(ada)];
  there.version = 'W/"2"';
  const { data: after = [] } = await read(store, { sortColumn: 'email' });
  expect(after.map(({ userName }) => userName)).toEqual(['new', 'tomas', 'ada']);
  expect(after[1]).toMatchObject({ lName: 'changed' });
  expect(after[2]).toBe(before[0]);
});

test('an order has a version of its own, and the four that were used last are kept [§7.5]', async () => {
  const store = signedInStore();
  const columns = ['userName', 'fName', 'email', 'role'] as const;
  for (const sortColumn of columns) await read(store, { sortColumn });
  await read(store, { sortColumn: 'userName' });
  await read(store, { sortColumn: 'role', sortDirection: 'desc' });
  expect(there.asked).toEqual([null, null, null, null, 'W/"1"', null]);
  there.asked = [];
  for (const sortColumn of ['fName', 'userName'] as const) await read(store, { sortColumn });
  expect(there.asked).toEqual([null, 'W/"1"']);
});

test('after a failed answer the list is asked for with its version as before [§8]', async () => {
  const store = signedInStore();
  const { data } = await read(store);
  server.use(onRoute(userRoutes.list, () => failed(503, 'Away.'), { once: true }));
  expect((await read(store)).error).toMatchObject({ status: 503 });
  const again = await read(store);
  expect(there.asked).toEqual([null, 'W/"1"']);
  expect([again.data, again.error]).toEqual([data, undefined]);
});

test('a 304 that nobody asked for, and rows of another shape, are errors and are not kept [§7.5]', async () => {
  const store = signedInStore();
  const headers = { etag: 'W/"9"' };
  server.use(
    onRoute(userRoutes.list, () => HttpResponse.json({ result: [null] }, { headers }), { once: true }),
    onRoute(userRoutes.list, () => new HttpResponse(null, { status: 304, headers }), { once: true }),
  );
  for (let n = 0; n < 2; n += 1) expect((await read(store)).error).toMatchObject({ status: 'PARSING_ERROR' });
  expect((await read(store)).data).toEqual([ada, tomas]);
  expect(there.asked).toEqual([null]);
});

test('another user is sent no version, and never gets the list of the one before, however late it comes [§3]', async () => {
  const store = signedInStore();
  await read(store);
  const gate = Promise.withResolvers<void>();
  server.use(
    onRoute(userRoutes.list, async () => {
      await gate.promise;
      return HttpResponse.json({ status: 200, result: [ada] }, { headers: { etag: 'W/"late"' } });
    }),
  );
  const late = read(store, { sortColumn: 'email' });
  store.dispatch(setCredentials({ jwtToken: makeToken(), id: 'another' }));
  store.dispatch(dropAnswers());
  gate.resolve();
  await late;
  expect(probes.users.select({})(store.getState()).data).toBeUndefined();
  server.resetHandlers();
  server.use(
    onRoute(userRoutes.list, ({ request }) => {
      there.asked.push(request.headers.get('if-none-match'));
      return ok([]);
    }),
  );
  there.asked = [];
  expect((await read(store, { sortColumn: 'email' })).data).toEqual([]);
  expect((await read(store)).data).toEqual([]);
  expect(there.asked).toEqual([null, null]);
});

test('another session is sent no version, even before what was read is dropped [§3]', async () => {
  const store = signedInStore();
  await read(store);
  store.dispatch(setCredentials({ jwtToken: makeToken(), refreshToken: 'refresh-2' }));
  await read(store);
  expect(there.asked).toEqual([null, null]);
});

test('a list within an object is kept as well, and lists of other calls are left alone [§2.14]', async () => {
  const store = signedInStore();
  const permissions = [makePermission()];
  const answer = versioned(
    () => 'W/"p"',
    () => ({ permissions }),
  );
  server.use(onRoute(permissionRoutes.list, ({ request }) => answer(request)));
  await read(store);
  const ask = () => store.dispatch(probes.permissions.initiate({}, { forceRefetch: true }));
  const first = await ask();
  expect((await ask()).data).toBe(first.data);
  await read(store);
  expect(there.asked).toEqual([null, null, 'W/"p"', 'W/"1"']);
});

test('a server that gives no version is asked as before [§7.5]', async () => {
  const store = signedInStore();
  server.use(
    onRoute(faqSectionRoutes.list, ({ request }) => {
      there.asked.push(request.headers.get('if-none-match'));
      return ok([]);
    }),
  );
  for (let n = 0; n < 2; n += 1) {
    await store.dispatch(probes.sections.initiate({ faqId: '7' }, { forceRefetch: true }));
  }
  expect(there.asked).toEqual([null, null]);
});
