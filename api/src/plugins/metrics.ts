import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry, Summary } from 'prom-client';

/** Figures are collected at most this often, in milliseconds: it takes 20 ms of the processor. */
const COLLECTED_EVERY = 1_000;

/** Gives the figures as text: all who ask at once are sent the same bytes. */
export type Figures = () => Promise<{ text: Buffer; type: string }>;

/**
 * Measures the requests of a server: how long they take by class of status, and how often each route is called and how long that takes
 * in all. A histogram of every method, route and status would be half a megabyte.
 * @returns the figures of these and of the process, in Prometheus' text format
 */
export function measureRequests(app: FastifyInstance): Figures {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests in seconds, by class of status',
    labelNames: ['status'],
    registers: [registry],
  });
  const ofRoute = new Summary({
    name: 'http_route_duration_seconds',
    help: 'Duration of HTTP requests in seconds, by route',
    labelNames: ['route'],
    percentiles: [],
    registers: [registry],
  });
  app.addHook('onResponse', async ({ method, routeOptions: { url } }, { statusCode, elapsedTime }) => {
    const seconds = elapsedTime / 1000;
    duration.observe({ status: `${Math.floor(statusCode / 100)}xx` }, seconds);
    ofRoute.observe({ route: url === undefined ? 'none' : `${method} ${url}` }, seconds);
  });
  let collected: { text: Promise<Buffer>; at: number } | undefined;
  const collect = async () => Buffer.from(await registry.metrics());
  return async () => {
    const now = performance.now();
    if (!collected || now - collected.at >= COLLECTED_EVERY) collected = { text: collect(), at: now };
    return { text: await collected.text, type: registry.contentType };
  };
}

/** Serves /metrics. */
export function registerMetrics(inside: FastifyInstance, figures: Figures): void {
  inside.get('/metrics', async (_request, reply) => {
    const { text, type } = await figures();
    return reply.type(type).send(text);
  });
}
