import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ListCache } from './list-cache.ts';

/** How often figures are collected at most, in milliseconds: collecting takes 20 ms of processor time. */
const COLLECTED_EVERY = 1_000;

/** Gives the figures as text. Callers at the same time get the same bytes. */
export type Figures = () => Promise<{ text: Buffer; type: string }>;

/**
 * Measures the requests of a server: their duration by class of status, and the number and total duration for each route. A
 * histogram for every method, route and status would be half a megabyte.
 * @param measure adds what other rooms count
 * @returns these figures and those of the process, in Prometheus' text format
 */
export function measureRequests(
  app: FastifyInstance,
  lists: ListCache,
  measure: (registry: Registry) => void,
): Figures {
  const registry = new Registry();
  measure(registry);
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests in seconds, by class of status',
    labelNames: ['status'],
    registers: [registry],
  });
  // From the start on: the first failure is an increase only where there was a 0 before.
  for (const status of ['2xx', '3xx', '4xx', '5xx']) duration.zero({ status });
  const ofRoute = new Histogram({
    name: 'http_route_duration_seconds',
    help: 'Duration of HTTP requests in seconds, by route',
    labelNames: ['route'],
    // Number and sum only. A summary without percentiles would sort every value into a tree all the same.
    buckets: [],
    registers: [registry],
  });
  measureLists(registry, lists);
  app.addHook('onResponse', ({ method, routeOptions: { url } }, { statusCode, elapsedTime }, done) => {
    const seconds = elapsedTime / 1000;
    duration.observe({ status: `${Math.floor(statusCode / 100)}xx` }, seconds);
    ofRoute.observe({ route: url === undefined ? 'none' : `${method} ${url}` }, seconds);
    done();
  });
  let collected: { text: Promise<Buffer>; at: number } | undefined;
  const collect = async () => Buffer.from(await registry.metrics());
  return async () => {
    const now = performance.now();
    if (!collected || now - collected.at >= COLLECTED_EVERY) collected = { text: collect(), at: now };
    return { text: await collected.text, type: registry.contentType };
  };
}

function measureLists(registry: Registry, lists: ListCache): void {
  new Gauge({
    name: 'list_bodies_bytes',
    help: 'Bytes of the lists that are kept in memory',
    registers: [registry],
    collect() {
      this.set(lists.bytes);
    },
  });
  new Counter({
    name: 'list_bodies_total',
    help: 'Bodies of lists: taken from memory (kept) or made (built)',
    labelNames: ['from'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [from, count] of Object.entries(lists.uses)) this.inc({ from }, count);
    },
  });
}

/** Serves /metrics. */
export function registerMetrics(app: FastifyInstance, figures: Figures): void {
  app.get('/metrics', async (_request, reply) => {
    const { text, type } = await figures();
    return reply.type(type).send(text);
  });
}
