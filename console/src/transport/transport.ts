import type { ContractRoute } from '@apotheca/contract/route';
import type { BaseQueryApi } from '@reduxjs/toolkit/query';
import { isRecord } from '../lib/is-record.ts';
import { toQueryString } from '../lib/query-string.ts';
import { randomHex } from '../lib/random-hex.ts';
import { messageText } from '../locales/messages.ts';
import { type ApiError, clientError, toApiError } from './api-error.ts';
import { fetchReply } from './fetch-reply.ts';
import { addressOf, getRuntimeConfig } from './runtime-config.ts';
import { fitsShape } from './shape.ts';

/** Timeout of a call, in milliseconds. */
const TIMEOUT_MS = 30_000;
/**
 * Timeout of a refresh. One whose answer is lost has to be repeated within 30 seconds: after that the server takes the same pair of tokens for
 * a stolen one, and ends the session.
 */
const REFRESH_TIMEOUT_MS = 10_000;
const REFRESH: ContractRoute['path'] = '/authenticate/refresh';
/**
 * Timeout of a call that counts the rows of a tenant's database, or of one that is to be adopted: a minute longer than the server's limit for one of its
 * statements.
 */
const COUNTING_TIMEOUT_MS = 300_000;
/** The calls that count rows. Those that start an operation do so before it is queued. */
const COUNTING: readonly ContractRoute['path'][] = [
  '/managedatabase/details',
  '/managedatabase/inspectserver',
  '/managedatabase/checkdatabase',
  '/managedatabase/previewdelete',
  '/managedatabase/previewanonymize',
  '/managedatabase/previewrefresh',
  '/managedatabase/previewrestore',
  '/operations/retry',
  '/tenant/previewdelete',
];

/** One call of a contract route. */
export interface Call {
  route: Pick<ContractRoute, 'base' | 'method' | 'path' | 'permission' | 'list' | 'mutates' | 'keyed' | 'summary'>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** Asks for a durable operation's id at once instead of waiting for its end (RFC 7240). */
  respondAsync?: boolean;
  /** Sent again with the same one, the call is done once (decision 055). */
  key?: string;
  /** Goes on after its page was left or reloaded; its body is small. */
  outlivesPage?: true;
  /** An earlier answer, given again if the server says that it still holds. */
  known?: KnownReply;
  /** The shape that the `result` must have; absent: only the message is used. */
  needs?: ContractRoute['result'];
}

/** The content of a successful answer. */
export interface Reply<Result = unknown> {
  status: number;
  message: string;
  result: Result;
}

/** An answer with the version that the server gave it. */
export interface KnownReply {
  etag: string;
  reply: Reply;
}

/** `etag` is the version of the answer, where the server gave it one. */
export type Outcome =
  | { data: Reply; error?: undefined; meta?: { etag?: string } }
  | { data?: undefined; error: ApiError };

export const onlyReads = ({ method, mutates }: Pick<ContractRoute, 'method' | 'mutates'>): boolean =>
  method === 'GET' && !mutates;

/** The address of a call. */
export function urlOf({ route, query = {} }: Pick<Call, 'route' | 'query'>): string {
  const search = toQueryString(query);
  return addressOf(route.base, route.path) + (search && `?${search}`);
}

/** W3C's header `traceparent`, by which a trace begins with a call here; none unless the server traces calls. */
export const traceHeader = (): { traceparent?: string } => {
  if (!getRuntimeConfig().traces) return {};
  const hex = randomHex(24);
  return { traceparent: `00-${hex.slice(16)}-${hex.slice(0, 16)}-01` };
};

function timeoutOf({ route, respondAsync }: Call): number {
  if (route.path === REFRESH) return REFRESH_TIMEOUT_MS;
  return respondAsync || COUNTING.includes(route.path) ? COUNTING_TIMEOUT_MS : TIMEOUT_MS;
}

/**
 * Makes one call, without retrying.
 * @param token bearer token; empty for none
 */
export async function send(call: Call, token: string, context: BaseQueryApi): Promise<Outcome> {
  const { route, body, known } = call;
  const url = urlOf(call);
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(known && { 'if-none-match': known.etag }),
    ...(call.respondAsync && { prefer: 'respond-async' }),
    ...(call.key && { 'idempotency-key': call.key }),
    ...traceHeader(),
  };
  const { data, etag, isUnchanged, error } = await fetchReply(
    { url, method: route.method, headers, body, timeout: timeoutOf(call), keepalive: call.outlivesPage ?? false },
    context,
  );
  if (error) return { error: toApiError(error) };
  if (isUnchanged && known) return { data: known.reply, meta: { etag: known.etag } };
  const outcome = await toReply(data, call.needs);
  return outcome.data ? { ...outcome, meta: { etag } } : outcome;
}

/**
 * Reads a successful answer: an envelope with a result or a message (SPEC §7.5). An envelope that says that it failed
 * is a failure.
 */
export async function toReply(data: unknown, needs: Call['needs']): Promise<Outcome> {
  if (!isRecord(data) || !('result' in data || 'message' in data)) return { error: clientError('PARSING_ERROR') };
  const status = typeof data.status === 'number' ? data.status : 200;
  if (data.success === false) return { error: toApiError({ status, data }) };
  if (needs && !(await fitsShape(needs, data.result))) return { error: clientError('PARSING_ERROR') };
  const message = typeof data.message === 'string' ? messageText(data.message) : '';
  return { data: { status, message, result: data.result } };
}
