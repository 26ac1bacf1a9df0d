import type { FastifyInstance } from 'fastify';
import { currentBudget, onBudget, TimeBudget } from '../db/connections/time-budget.ts';
import { registerRequestContext } from './request-context.ts';

/** Gives every request a budget of time to wait for PostgreSQL. */
export function registerTimeBudget(app: FastifyInstance): void {
  registerRequestContext(app, { make: () => new TimeBudget(), current: currentBudget, enter: onBudget });
}
