import { accountRoutes } from '@apotheca/contract/account';
import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { ERRORS } from '@apotheca/contract/errors';
import { findingRoutes } from '@apotheca/contract/findings';
import { hintRoutes } from '@apotheca/contract/hints';
import { operationRoutes } from '@apotheca/contract/operations';
import { PERMISSION_CATALOGUE } from '@apotheca/contract/permission-catalogue';
import { BASE_PATHS, type ContractRoute } from '@apotheca/contract/route';
import { viewRoutes } from '@apotheca/contract/views';
import { getResponse, type HttpHandler, HttpResponse, type HttpResponseResolver, http, RequestHandler } from 'msw';
import { setupServer } from 'msw/node';
import { afterEach, beforeAll, beforeEach } from 'vitest';

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

/** The form of a new tenant asks for it. */
const noServers = () => onRoute(databaseServerRoutes.list, () => ok([]));

/** The dashboard asks for them. */
const noFindings = () => [
  onRoute(hintRoutes.get, () => ok({ hint: null })),
  onRoute(findingRoutes.list, () => ok([])),
  onRoute(findingRoutes.growth, () => ok([{ day: '2026-01-01', tenants: 0, users: 1, sizeBytes: 0 }])),
];

/** Mocks the API for the calling test file. A call without a handler fails. */
export function mockServer(...handlers: HttpHandler[]): void {
  beforeAll(() => {
    server.listen({ onUnhandledFrame: 'error' });
    const intercepted = globalThis.fetch;
    globalThis.fetch = fetchMocked;
    return () => {
      globalThis.fetch = intercepted;
      server.close();
    };
  });
  beforeEach(() => server.use(...handlers, noOperations(), everyRight(), noViews(), noServers(), ...noFindings()));
  afterEach(() => {
    for (const forget of underWay) forget();
    underWay.clear();
    server.resetHandlers();
  });
}

/** Forgets the calls that are under way, one function for each. */
const underWay = new Set<() => void>();

/**
 * Answers a call of `fetch` by the handlers, as long as its test runs. One that a test has left without an answer ended by the console's own limit
 * of 30 seconds otherwise, with a toast in the midst of a later test. Uploads, by XMLHttpRequest, are left to msw.
 */
async function fetchMocked(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input instanceof Request ? input : new URL(input, location.href), init);
  const { signal } = request;
  signal.throwIfAborted();
  const handlers = server.listHandlers().filter((handler) => handler instanceof RequestHandler);
  const { promise, resolve, reject } = Promise.withResolvers<Response | undefined>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  let isForgotten = false;
  const forget = () => {
    isForgotten = true;
    signal.removeEventListener('abort', onAbort);
  };
  underWay.add(forget);
  getResponse(handlers, request).then(
    (answer) => !isForgotten && resolve(answer),
    (error: unknown) => !isForgotten && reject(error),
  );
  const response = await promise.finally(() => {
    underWay.delete(forget);
    forget();
  });
  if (!response) throw new TypeError(`No handler answers ${request.method} ${request.url}`);
  if (response.type === 'error') throw new TypeError('Failed to fetch');
  return response;
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

/** What the mocked API answers a request, for a browser; undefined: none of the handlers is for it. */
export const answerTo = (request: Request, handlers: HttpHandler[]): Promise<Response | undefined> =>
  getResponse(handlers, request, { baseUrl: new URL(request.url).origin });

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
