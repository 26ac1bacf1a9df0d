import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';
import type { SpanStart, Tracer } from './tracer.ts';

/** Absent where there is no setting for traces: then none of what follows does anything. */
let tracer: Tracer | undefined;
const spans = new AsyncLocalStorage<Span | undefined>();

/**
 * Begins to trace, in the whole process. OpenTelemetry's libraries are loaded only here.
 * @param settings the endpoint of a collector that takes OTLP over HTTP, and the share of traces that it gets, 0 to 1
 * @returns ends it
 */
export async function startTracing({
  endpoint,
  share,
}: {
  endpoint: string;
  share: number;
}): Promise<() => Promise<void>> {
  const { openTracer } = await import('./open-telemetry.ts');
  tracer = openTracer(endpoint, share);
  return async () => {
    await tracer?.stop();
    tracer = undefined;
  };
}

export const isTracing = (): boolean => tracer !== undefined;

/** The span in which this runs; undefined outside of one, and where nothing is traced. */
export const currentSpan = (): Span | undefined => (tracer ? spans.getStore() : undefined);

/** The present span as W3C's header `traceparent`; undefined outside of one. */
export function currentTraceparent(): string | undefined {
  const context = currentSpan()?.spanContext();
  return context && `00-${context.traceId}-${context.spanId}-${context.traceFlags.toString(16).padStart(2, '0')}`;
}

/** Runs `work`, and all that it starts, in a span; undefined: in none. */
export const inSpan = <T>(span: Span | undefined, work: () => T): T => (tracer ? spans.run(span, work) : work());

/** Begins a span that is ended by {@link endSpan}; undefined where nothing is traced. */
export const beginSpan = (name: string, start: SpanStart): Span | undefined => tracer?.begin(name, start);

/** Ends a span. @param error why its work failed; absent: it did not */
export const endSpan = (span: Span | undefined, error?: unknown): void => {
  if (span) tracer?.end(span, error);
};

/** Runs `work` in a span of its own. @throws what the work throws */
export async function traced<T>(name: string, start: SpanStart, work: () => Promise<T>): Promise<T> {
  const span = beginSpan(name, start);
  if (!span) return work();
  try {
    const result = await inSpan(span, work);
    endSpan(span);
    return result;
  } catch (error) {
    endSpan(span, error);
    throw error;
  }
}

/** Runs `work` in a span that is a part of the present one. Outside of one, as in the server's regular work, there is none. */
export function tracedWithin<T>(
  name: () => string,
  start: () => Omit<SpanStart, 'parent'>,
  work: () => Promise<T>,
): Promise<T> {
  const parent = currentSpan();
  return parent ? traced(name(), { ...start(), parent }, work) : work();
}
