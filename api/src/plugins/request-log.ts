import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The header that names a request, in both directions. */
export const REQUEST_ID = 'x-request-id';
/** What a caller may call its request: no blanks, quotes or line ends, which would mislead readers of the log. */
const WELL_FORMED = /^[\w.:-]{1,64}$/;

/** The id of a request: the caller's own where that is well formed, so that a proxy's log and ours can be read together; else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers[REQUEST_ID];
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
}

/**
 * Names each answer by the id of its request, and logs a line for each if that is wanted: at the level `info`, unless nothing is logged.
 * No address is in it, only its route: queries and paths may hold names.
 */
export function registerRequestLog(
  app: FastifyInstance,
  { isOn, logLevel }: { isOn: boolean; logLevel: string },
): void {
  const level = logLevel === 'silent' ? 'silent' : 'info';
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID, request.id);
    // Also where the caller has gone before its answer was written.
    if (isOn) reply.raw.once('close', () => request.log.child({}, { level }).info(lineOf(request, reply), 'request'));
    done();
  });
}

function lineOf({ method, routeOptions, caller }: FastifyRequest, { statusCode, elapsedTime, raw }: FastifyReply) {
  return {
    method,
    route: routeOptions.url ?? 'none',
    status: statusCode,
    ms: Math.round(elapsedTime * 10) / 10,
    ...(caller?.id && { userId: caller.id }),
    ...(!raw.writableFinished && { aborted: true }),
  };
}
