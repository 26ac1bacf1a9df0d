import type { FastifyInstance, FastifyRequest } from 'fastify';
import { onBudget, TimeBudget } from '../db/connections/time-budget.ts';

/** Gives every request a budget of time to wait for PostgreSQL. */
export function registerTimeBudget(app: FastifyInstance): void {
  const budgets = new WeakMap<FastifyRequest, TimeBudget>();
  app.addHook('onRequest', (request, _reply, done) => {
    const budget = new TimeBudget();
    budgets.set(request, budget);
    onBudget(budget, done);
  });
  // Set again, as a body that came later is handled in the async context of its socket.
  app.addHook('preValidation', (request, _reply, done) => onBudget(budgets.get(request), done));
}
