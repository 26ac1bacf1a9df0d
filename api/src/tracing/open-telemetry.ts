import { createHmac, randomBytes } from 'node:crypto';
import {
  type Attributes,
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { SpanStart, Tracer } from './tracer.ts';

/** How long a collector may take, in milliseconds. A stop waits for the last spans as long at most. */
const EXPORT_LIMIT = 5_000;
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
/** `traceparent` of W3C Trace Context, version 00. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * Makes spans, and sends them in batches by OTLP over HTTP as JSON. Of the environment it takes `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`
 * and the exporter's own variables, such as `OTEL_EXPORTER_OTLP_HEADERS`, as OpenTelemetry specifies them.
 * @param endpoint of a collector, such as http://localhost:4318
 * @param share of the traces that are sent, 0 to 1
 */
export function openTracer(endpoint: string, share: number): Tracer {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_LIMIT });
  const resource = resourceFromAttributes({ 'service.name': 'apotheca' }).merge(
    detectResources({ detectors: [envDetector] }),
  );
  const ofServer = new TraceIdRatioBasedSampler(share);
  const byShare = {
    shouldSample: (context: Context, traceId: string) => ofServer.shouldSample(context, apart(traceId)),
  };
  const provider = new TracerProvider({
    resource,
    // A caller decides which trace a call belongs to, but not that more are sent than the operator wants.
    sampler: new ParentBasedSampler({ root: byShare, remoteParentSampled: byShare }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_LIMIT })],
  });
  const tracer = provider.getTracer('apotheca');
  return {
    begin(name, { kind, attributes = {}, parent, cause }: SpanStart): Span {
      const link = contextOf(cause);
      const options = { kind: KINDS[kind], attributes, ...(link && { links: [{ context: link }] }) };
      return tracer.startSpan(name, options, parentOf(parent));
    },
    end(span, error) {
      if (error !== undefined) {
        const type = typeOf(error);
        span.setAttributes({ 'error.type': type } satisfies Attributes);
        // No message: PostgreSQL's may repeat a value.
        span.setStatus({ code: SpanStatusCode.ERROR, message: type });
      }
      span.end();
    },
    stop: () => provider.shutdown(),
  };
}

/** Of this process: nobody else knows which traces are sent. */
const CHOICE = randomBytes(32);

/** What stands for a trace where it is chosen whether it is sent: a caller may choose its id, but not by that. */
const apart = (traceId: string): string => createHmac('sha256', CHOICE).update(traceId).digest('hex').slice(0, 32);

function parentOf(parent: Span | string | undefined) {
  if (typeof parent === 'object') return trace.setSpan(ROOT_CONTEXT, parent);
  const remote = contextOf(parent);
  return remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
}

/** The span that a `traceparent` names; undefined where it is not well formed. */
function contextOf(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
}

/** What kind of failure this is: SQLSTATE, code of the system or of an answer, or the error's class. */
function typeOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
