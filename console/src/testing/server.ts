import { accountRoutes } from '@apotheca/contract/account';
import { backupScheduleRoutes } from '@apotheca/contract/backup-schedules';
import { backupRoutes } from '@apotheca/contract/backups';
import { ERRORS } from '@apotheca/contract/errors';
import { momentRoutes } from '@apotheca/contract/moments';
import { operationRoutes } from '@apotheca/contract/operations';
import { PERMISSION_CATALOGUE } from '@apotheca/contract/permission-catalogue';
import { BASE_PATHS, type ContractRoute } from '@apotheca/contract/route';
import { viewRoutes } from '@apotheca/contract/views';
import { type HttpHandler, HttpResponse, type HttpResponseResolver, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

/** The mocked API; `server.use(onRoute(…))` adds an answer for the rest of the running test. */
export const server = setupServer();

/** Every page asks for it, because of the top bar. */
const noOperations = () => onRoute(operationRoutes.list, () => ok([]));

/** Every page asks for it, to tell what the user may not do. */
const everyRight = () =>
  onRoute(accountRoutes.rights, () =>
    ok({ permissions: PERMISSION_CATALOGUE.map(({ identifier }) => identifier), grantedBy: ['Administrator'] }),
  );

/** The lists that have saved views ask for it. */
const noViews = () => onRoute(viewRoutes.list, () => ok([]));

/** The dashboard asks for it. */
const noWarnings = () => [onRoute(backupScheduleRoutes.list, () => ok([])), onRoute(backupRoutes.list, () => ok([]))];

/** The dashboard asks for it too. */
const noArchive = () =>
  onRoute(momentRoutes.range, () => ok({ earliestOnUtc: null, latestOnUtc: null, missing: 'Off.', warning: '' }));

/** Mocks the API for the calling test file. A call without a handler fails. */
export function mockServer(...handlers: HttpHandler[]): void {
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
  beforeEach(() => server.use(...handlers, noOperations(), everyRight(), noViews(), ...noWarnings(), noArchive()));
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());
}

/**
 * Answers the calls of a contract route.
 * @example onRoute(tenantRoutes.list, () => ok([tenant]))
 */
export const onRoute = (
  { method, base, path }: ContractRoute,
  answer: HttpResponseResolver,
  options?: { once: boolean },
): HttpHandler => http[HANDLERS[method]](BASE_PATHS[base] + path, answer, options);

const HANDLERS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

/** A successful answer (DECISIONS §3). */
export const ok = (result: unknown, message = 'OK', status = 200) =>
  HttpResponse.json({ status, success: true, message, result }, { status });

/** The id in answers whose result does not matter. */
const SOME_ID = '00000000-0000-4000-8000-000000000001';

/** Answers the calls of a route for the rest of the running test. @returns the bodies of the calls */
export function keepBodies(route: ContractRoute, message?: string, result: unknown = { id: SOME_ID }): unknown[] {
  const bodies: unknown[] = [];
  server.use(
    onRoute(route, async ({ request }) => {
      bodies.push(await request.json());
      return ok(result, message);
    }),
  );
  return bodies;
}

/**
 * A list that records its queries.
 * @returns `asked`, the queries, and `answer`, which makes the answer with these rows
 */
export function keepQueries(route: ContractRoute) {
  const asked: Record<string, string>[] = [];
  const answer = (result: unknown) =>
    onRoute(route, ({ request }) => {
      asked.push(Object.fromEntries(new URL(request.url).searchParams));
      return ok(result);
    });
  return { asked, answer };
}

/** The refusal of a call that wants a fresh proof of who is signed in. */
export const needsProof = () =>
  HttpResponse.json(
    {
      status: 403,
      success: false,
      message: ERRORS['proof-needed'].message,
      title: ERRORS['proof-needed'].title,
      result: { proofMaxAge: 900 },
    },
    { status: 403 },
  );

/** A failed answer. */
export const failed = (status: number, message: string, errors?: Record<string, string[]>) =>
  HttpResponse.json({ status, success: false, message, title: 'Failed', errors }, { status });
