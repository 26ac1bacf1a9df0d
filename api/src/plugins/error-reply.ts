import { ERRORS, type ErrorCode } from '@apotheca/contract/errors';
import type { FailureReply } from '@apotheca/contract/reply';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDiskFull } from '../db/embedded/disk-room.ts';
import { FULL_DISK, refusalOf } from '../db/errors/postgres-refusals.ts';
import { AppError, type ErrorDetails } from '../errors.ts';
import { keysOfErrors, keysOfMessage } from './message-keys.ts';
import { REQUEST_ID } from './request-log.ts';

/** Fastify's own refusals, by their code. */
const FASTIFY_ERRORS: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed',
  FST_ERR_BAD_URL: 'no-route',
};

/** What the log says about failures that are neither the caller's fault nor the server's. */
const CIRCUMSTANCES: Partial<Record<ErrorCode, string>> = {
  'database-away': 'database away',
  overloaded: 'overloaded',
  'provider-away': 'provider away',
  'store-away': 'store away',
  'disk-full': 'disk full',
};

/** What RFC 9470 §3 answers where an older sign-in is not enough. */
const STEP_UP = 'Bearer error="insufficient_user_authentication", error_description="A fresh proof is needed"';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Writes the reply to a failed request, and logs what operators must know. Every error reply comes from here (DECISIONS §3). */
export function replyError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const known = toAppError(error);
  if (known.code === 'internal') request.log.error({ err: error }, 'request failed');
  const circumstance = CIRCUMSTANCES[known.code];
  if (circumstance) request.log.warn({ err: known.cause ?? error }, circumstance);
  sendError(reply, known, request);
}

/**
 * The handler of failed requests. Where the embedded PostgreSQL is away because its disk is full, the reply says so.
 * @param clusterDir data folder of the embedded PostgreSQL
 */
export const errorHandler =
  (clusterDir: string | undefined) =>
  async (error: Error, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const known = toAppError(error);
    const isFull = known.code === 'database-away' && clusterDir !== undefined && (await isDiskFull(clusterDir));
    replyError(
      isFull
        ? new AppError(known.code, { ...known.details, message: FULL_DISK.postgres }, { cause: known.cause })
        : error,
      request,
      reply,
    );
    return reply;
  };

/** Answers a call without a route: 405 if the path has other methods, else 404. */
export function replyNoRoute(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): void {
  const path = request.url.split('?')[0] ?? '';
  const allowed = METHODS.filter((method) => app.hasRoute({ method, url: path }));
  if (allowed.length > 0) reply.header('allow', allowed.join(', '));
  sendError(reply, new AppError(allowed.length > 0 ? 'method-not-allowed' : 'no-route'), request);
}

function toAppError(error: Error & Partial<FastifyError>): AppError {
  if (error instanceof AppError) return error;
  const refusal = refusalOf(error);
  if (refusal) return refusal;
  const code = FASTIFY_ERRORS[error.code ?? ''];
  if (code) return new AppError(code);
  // Errors of the JSON parser (bad syntax, __proto__ keys) have a status only.
  return new AppError(error.statusCode === 400 ? 'malformed' : 'internal');
}

function sendError(reply: FastifyReply, error: AppError, request: FastifyRequest): void {
  const { status, title } = ERRORS[error.code];
  const { errors, retryAfter, result }: ErrorDetails = error.details;
  const message = error.code === 'internal' ? `${error.message} Request ${request.id}.` : error.message;
  const body: FailureReply = {
    status,
    success: false,
    message,
    title,
    ...(errors && { errors }),
    ...keysOfMessage(message),
    ...(errors && { errorKeys: keysOfErrors(errors) }),
    result,
  };
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (error.code === 'proof-needed') reply.header('www-authenticate', STEP_UP);
  // Those of an answer whose stream failed before its first byte.
  for (const name of ['content-encoding', 'etag'] as const) {
    reply.removeHeader(name);
    reply.raw.removeHeader(name);
  }
  // What the router refuses has passed no hook.
  reply.header(REQUEST_ID, request.id);
  reply.code(status).header('cache-control', 'no-store').type('application/json; charset=utf-8').send(body);
}
