import { BASE_PATHS } from '@apotheca/contract/route';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { beginSpan, currentSpan, endSpan, inSpan, isTracing } from '../tracing/tracing.ts';
import { registerRequestContext } from './request-context.ts';

/**
 * Traces each call of the API, as a part of its caller's trace where it says of which (W3C Trace Context). Pages, health and figures are not
 * traced. Lines of the log that belong to a call name its trace.
 */
export function registerTracing(app: FastifyInstance): void {
  if (!isTracing()) return;
  registerRequestContext(app, { make: begin, current: currentSpan, enter: inSpan });
}

function begin(request: FastifyRequest, reply: FastifyReply) {
  const { method, routeOptions, headers, id } = request;
  const route = routeOptions.url;
  if (!route || !Object.values(BASE_PATHS).some((base) => route.startsWith(`${base}/`))) return undefined;
  const parent = typeof headers.traceparent === 'string' ? headers.traceparent : undefined;
  // Neither path nor query: they may hold names.
  const attributes = { 'http.request.method': method, 'http.route': route, 'apotheca.request.id': id };
  const span = beginSpan(`${method} ${route}`, { kind: 'server', parent, attributes });
  if (!span) return undefined;
  const { traceId, spanId } = span.spanContext();
  request.log = request.log.child({ trace_id: traceId, span_id: spanId });
  reply.raw.once('close', () => {
    const { statusCode, raw } = reply;
    span.setAttribute('http.response.status_code', statusCode);
    if (request.caller?.id) span.setAttribute('user.id', request.caller.id);
    // A refusal is the caller's failure, not the server's (OpenTelemetry's conventions for HTTP).
    const failure = raw.writableFinished ? (statusCode >= 500 ? String(statusCode) : undefined) : 'aborted';
    endSpan(span, failure);
  });
  return span;
}
