import type { Attributes, Span } from '@opentelemetry/api';

/** What a span stands for: a call that is answered, a statement or program that is waited for, or work of the server itself. */
type SpanKind = 'server' | 'client' | 'internal';

/** How a span begins. */
export interface SpanStart {
  kind: SpanKind;
  attributes?: Attributes;
  /** The span that it is a part of, of this process or as the header `traceparent` of a caller; absent: it begins a trace. */
  parent?: Span | string | undefined;
  /** The `traceparent` of what caused it, in another trace. */
  cause?: string | undefined;
}

/** What makes spans and sends them. */
export interface Tracer {
  begin(name: string, start: SpanStart): Span;
  /** Ends a span. @param error why its work failed; absent: it did not */
  end(span: Span, error?: unknown): void;
  /** Sends what has not been sent, and ends. */
  stop(): Promise<void>;
}
