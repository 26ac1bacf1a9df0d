import { startReceiver } from './webhook-receiver.ts';

/** A span as a collector gets it (OTLP 1.x over HTTP, as JSON). */
export interface CollectedSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Record<string, string | number>;
  links: { traceId: string; spanId: string }[];
  events: string[];
  isFailed: boolean;
}

/** A real collector of traces on a port of this machine. */
export interface TraceCollector {
  endpoint: string;
  spans(): CollectedSpan[];
  /** All that was sent, as it came. */
  text(): string;
  close(): Promise<void>;
}

interface SentSpan extends Omit<CollectedSpan, 'attributes' | 'links' | 'events'> {
  attributes?: { key: string; value: { stringValue?: string; intValue?: number | string } }[];
  links?: { traceId: string; spanId: string }[];
  events?: { name: string }[];
  status?: { code?: number };
}

interface Sent {
  resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
}

export async function startCollector(): Promise<TraceCollector> {
  const receiver = await startReceiver();
  receiver.answer = () => ({ status: 200, headers: { 'content-type': 'application/json' }, text: '{}' });
  const bodies = () => receiver.calls.filter(({ path }) => path === '/v1/traces').map(({ body }) => body);
  return {
    endpoint: `http://127.0.0.1:${receiver.port}`,
    spans: () =>
      bodies()
        .flatMap((body) => (JSON.parse(body) as Sent).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map(toCollected),
    text: () => bodies().join('\n'),
    close: receiver.close,
  };
}

function toCollected({ attributes = [], links = [], events = [], status, ...span }: SentSpan): CollectedSpan {
  const values = attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]);
  return {
    ...span,
    attributes: Object.fromEntries(values),
    links: links.map(({ traceId, spanId }) => ({ traceId, spanId })),
    events: events.map(({ name }) => name),
    isFailed: status?.code === 2,
  };
}
