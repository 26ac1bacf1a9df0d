import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { refusalOf } from '../db/errors/postgres-refusals.ts';
import { AppError } from '../errors.ts';
import type { Draining } from './draining.ts';

/** Serves /healthz (the process runs) and /readyz (the database can be reached, and the server is not stopping). */
export function registerHealth(app: FastifyInstance, context: Context, draining: Draining): void {
  app.get('/healthz', async () => ({ status: 200, success: true, message: 'ok', result: null }));
  app.get('/readyz', async () => {
    if (!draining.isReady()) throw new AppError('stopping');
    await sql`select 1`.execute(context.platform).catch((cause: Error) => {
      // A full disk can end each new session: that is no answer either.
      const refusal = refusalOf(cause);
      const message = refusal?.code === 'disk-full' ? refusal.message : undefined;
      throw new AppError('database-away', message === undefined ? {} : { message }, { cause });
    });
    return { status: 200, success: true, message: 'ready', result: null };
  });
}
