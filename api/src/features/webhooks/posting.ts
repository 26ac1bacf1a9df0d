import http from 'node:http';
import https from 'node:https';
import type { Destinations } from './destinations.ts';
import { RefusedDestination } from './destinations.ts';

/** How long a receiver may take for its whole answer, in milliseconds. */
export const RECEIVER_TIMEOUT = 10_000;
/** How much of an answer is read, in bytes. */
const MOST_READ = 4_096;
/** How much of it is kept, in characters. */
const MOST_KEPT = 200;

/** What came of sending something. */
export interface Posted {
  /** Null: there was no answer. */
  status: number | null;
  /** The beginning of the answer, or why there was none. */
  answer: string;
}

/** Posts JSON to a receiver, on a connection of its own. Redirects are answers like others: they are not followed. Never throws. */
export async function post(
  destinations: Destinations,
  url: URL,
  { headers, body, signal }: { headers: Record<string, string>; body: string; signal: AbortSignal },
): Promise<Posted> {
  const refusal = destinations.refusalOf(url);
  if (refusal) return { status: null, answer: refusal };
  let status: number | null = null;
  let text = '';
  try {
    const response = await send(destinations, url, { headers, body, signal });
    status = response.statusCode ?? null;
    for await (const chunk of response) {
      text += chunk;
      if (text.length >= MOST_READ) break;
    }
  } catch (error) {
    if (status === null) return { status, answer: reasonOf(error, signal) };
    // The status has come: what follows it does not count.
  }
  return { status, answer: shortened(text) };
}

function send(
  { lookup }: Destinations,
  url: URL,
  { headers, body, signal }: { headers: Record<string, string>; body: string; signal: AbortSignal },
): Promise<http.IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http;
  const length = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((fulfil, reject) => {
    request(url, { method: 'POST', agent: false, lookup, signal, headers: { ...length, ...headers } })
      .once('response', (response) => fulfil(response.setEncoding('utf8')))
      // 101: where nobody listens for it, Node ends such a connection and says neither.
      .once('upgrade', (response, socket) => {
        socket.destroy();
        fulfil(response);
      })
      .once('error', reject)
      // However it ended: nothing waits for ever.
      .once('close', () => reject(new Error('it ended the connection')))
      .end(body);
  });
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof RefusedDestination) return error.message;
  if (signal.aborted) return `There was no answer within ${RECEIVER_TIMEOUT / 1_000} seconds.`;
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? `The receiver could not be reached (${shortened(code ?? message)}).`;
}

/** What the commonest errors of the network mean. */
const REASONS: Record<string, string> = {
  ECONNREFUSED: 'The receiver refuses connections.',
  ECONNRESET: 'The receiver ended the connection without an answer.',
  ENOTFOUND: 'The name of the receiver is not known.',
  CERT_HAS_EXPIRED: 'The certificate of the receiver has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the receiver is for another name.',
};

/** As PostgreSQL can store it and a line can show it. */
const shortened = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, MOST_KEPT)
    .toWellFormed();
