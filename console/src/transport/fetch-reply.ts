import type { BaseQueryApi, FetchBaseQueryError } from '@reduxjs/toolkit/query';
import { readJson } from './read-json.ts';

interface JsonRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  /** Sent as JSON; undefined for none. */
  body: unknown;
  /** In milliseconds; counts until the whole answer is there. */
  timeout: number;
  /** The browser sends it although the page is gone. */
  keepalive: boolean;
}

/** `etag` is the version of the answer, where the server gave it one; `isUnchanged`: it is the one that `if-none-match` names. */
type Fetched =
  | { data: unknown; etag?: string | undefined; isUnchanged: boolean; error?: undefined }
  | { data?: undefined; etag?: undefined; isUnchanged?: undefined; error: FetchBaseQueryError };

const NOT_MODIFIED = 304;

/**
 * Sends and reads JSON, with the errors of RTK Query's `fetchBaseQuery`. That one lies in one module with all of RTK
 * Query, which the sign-in page would load for it; and it decodes each answer twice.
 */
export async function fetchReply(request: JsonRequest, { signal }: Pick<BaseQueryApi, 'signal'>): Promise<Fetched> {
  const { url, method, headers, body, timeout, keepalive } = request;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DOMException('No answer in time', 'TimeoutError')), timeout);
  try {
    // No answer of the API may come from the browser's cache: some GETs change data (DECISIONS §3).
    const both = AbortSignal.any([signal, late.signal]);
    const options: RequestInit = { method, keepalive, cache: 'no-store', signal: both };
    const response = await fetch(
      new Request(url, {
        ...options,
        headers: { accept: 'application/json', ...(body !== undefined && JSON_BODY), ...headers },
        body: body === undefined ? undefined : JSON.stringify(body),
      }),
    );
    return await readReply(response, late.signal);
  } catch (error) {
    return { error: { status: late.signal.aborted ? 'TIMEOUT_ERROR' : 'FETCH_ERROR', error: String(error) } };
  } finally {
    clearTimeout(timer);
  }
}

const JSON_BODY = { 'content-type': 'application/json' };

async function readReply(response: Response, late: AbortSignal): Promise<Fetched> {
  const { status: originalStatus, ok } = response;
  let text = '';
  try {
    text = await response.text();
    const data = await readJson(text);
    const isUnchanged = originalStatus === NOT_MODIFIED;
    if (!ok && !isUnchanged) return { error: { status: originalStatus, data } };
    return { data, etag: response.headers.get('etag') ?? undefined, isUnchanged };
  } catch (error) {
    if (late.aborted) throw error;
    return { error: { status: 'PARSING_ERROR', originalStatus, data: text, error: String(error) } };
  }
}
