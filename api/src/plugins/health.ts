import type { FastifyInstance } from 'fastify';
import { refusalOf } from '../db/errors/postgres-refusals.ts';
import { AppError } from '../errors.ts';
import type { Draining } from './draining.ts';
import type { LookAtParts } from './parts.ts';

/**
 * Serves /healthz (the process runs) and /readyz (the control database can be reached, and the server is not stopping), which tells how
 * each part stands. The other parts do not decide: a balancer must not take a server away because another machine's worker stands.
 */
export function registerHealth(app: FastifyInstance, look: LookAtParts, draining: Draining): void {
  app.get('/healthz', async () => ({ status: 200, success: true, message: 'ok', result: null }));
  app.get('/readyz', async () => {
    if (!draining.isReady()) throw new AppError('stopping');
    const { parts, failure } = await look();
    if (!failure) return { status: 200, success: true, message: 'ready', result: { parts } };
    // A full disk can end each new session: that is no answer either.
    const refusal = refusalOf(failure);
    const message = refusal?.code === 'disk-full' ? { message: refusal.message } : {};
    throw new AppError('database-away', { ...message, result: { parts } }, { cause: failure });
  });
}
