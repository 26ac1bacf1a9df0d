import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';

/** /healthz (the process), /readyz (the database) and /metrics (Prometheus text format). */
export function registerHealth(app: FastifyInstance, context: Context): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests in seconds',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
  app.get('/healthz', async () => ({ status: 200, success: true, message: 'ok', result: null }));
  app.get('/readyz', async () => {
    await sql`select 1`.execute(context.platform).catch((cause: Error) => {
      throw new AppError('database-away', {}, { cause });
    });
    return { status: 200, success: true, message: 'ready', result: null };
  });
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
}
