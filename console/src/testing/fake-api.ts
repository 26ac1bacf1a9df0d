import { vi } from 'vitest';
import { makeToken } from './session.ts';

const TOKEN_SECONDS = 900;
/** How long the server takes the pair before the newest one, in milliseconds. */
const GRACE_MS = 30_000;

/** How the fake API treats a refresh instead of answering it with a new token. */
type RefreshFailure = 'refused' | 'unreachable' | 'unavailable' | 'unreadable' | 'lost';

/**
 * An API behind `fetch` with one session: it accepts only the newest access token, and gives a new one for the
 * session's refresh token. Its clock is the test's (fake) one plus `aheadSeconds`.
 */
export function fakeApi({ aheadSeconds = 0 } = {}) {
  let serial = 0;
  let previous = { accessToken: '', until: 0 };
  const api = {
    accessToken: '',
    refreshToken: 'refresh-1',
    aheadSeconds,
    refreshes: 0,
    /** Paths of the other calls, each with the serial number of its token. */
    calls: [] as string[],
    refreshFails: undefined as RefreshFailure | undefined,
    /** Access tokens with which calls are refused, although a refresh still accepts them. */
    revoked: new Set<string>(),
    refusesEverything: false,
    /** Delays the answers of refreshes until it resolves. */
    refreshGate: Promise.resolve(),
    /** Delays the answers of the other calls. */
    callGate: Promise.resolve(),
    issue(secondsLeft = TOKEN_SECONDS): string {
      serial += 1;
      api.accessToken = makeToken(secondsLeft + api.aheadSeconds, { serial });
      return api.accessToken;
    },
    serverTime: () => Math.floor(Date.now() / 1000) + api.aheadSeconds,
  };

  const isCurrent = (token: string) => token === api.accessToken && expOf(token) > api.serverTime();

  async function answerRefresh(request: Request): Promise<Response> {
    const at = Date.now();
    api.refreshes += 1;
    const body: unknown = await request.json();
    await api.refreshGate;
    if (api.refreshFails === 'unreachable') throw new TypeError('Failed to fetch');
    if (api.refreshFails === 'unavailable') return answer(503, null, 'The database cannot be reached.');
    if (api.refreshFails === 'unreadable') return answer(200, { accessToken: 'x', serverTime: api.serverTime() });
    const isPair = (accessToken: string) =>
      JSON.stringify(body) === JSON.stringify({ refreshToken: api.refreshToken, accessToken });
    const isNewest = isPair(api.accessToken);
    const isInGrace = isPair(previous.accessToken) && at < previous.until;
    if (api.refreshFails === 'refused' || !(isNewest || isInGrace))
      return answer(401, null, 'Your session has expired.');
    if (isNewest) {
      previous = { accessToken: api.accessToken, until: at + GRACE_MS };
      api.issue();
    }
    if (api.refreshFails === 'lost') {
      api.refreshFails = undefined;
      await new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)));
    }
    return answer(200, { accessToken: api.accessToken, serverTime: api.serverTime() });
  }

  async function answerCall(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    if (pathname.endsWith('/authenticate/refresh')) return answerRefresh(request);
    const token = request.headers.get('authorization')?.replace('Bearer ', '') ?? '';
    api.calls.push(`${pathname}${search} ${serialOf(token)}`);
    await api.callGate;
    if (pathname.endsWith('/auth/logout')) return answer(200, null);
    const isGood = isCurrent(token) && !api.revoked.has(token) && !api.refusesEverything;
    return isGood ? answer(200, { id: 'done' }) : answer(401, null, 'Please sign in.');
  }

  vi.stubGlobal('fetch', vi.fn(answerCall));
  return api;
}

const claimsOf = (token: string): { exp?: number; serial?: number } => JSON.parse(atob(token.split('.')[1] ?? 'e30='));
const serialOf = (token: string) => claimsOf(token).serial ?? 'none';
const expOf = (token: string) => claimsOf(token).exp ?? 0;

const answer = (status: number, result: unknown, message = 'OK') =>
  new Response(JSON.stringify({ status, success: status < 400, message, result }), { status });
