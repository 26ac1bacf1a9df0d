import type { FastifyInstance, FastifyRequest } from 'fastify';
import { currentBudget, onBudget, TimeBudget } from '../db/connections/time-budget.ts';

/** Gives every request a budget of time to wait for PostgreSQL. */
export function registerTimeBudget(app: FastifyInstance): void {
  const budgets = new WeakMap<FastifyRequest, TimeBudget>();
  app.addHook('onRequest', (request, _reply, done) => {
    const budget = new TimeBudget();
    budgets.set(request, budget);
    onBudget(budget, done);
  });
  // Set again where a body came later, which is handled in the async context of its socket.
  app.addHook('preValidation', (request, _reply, done) => {
    const budget = budgets.get(request);
    if (currentBudget() === budget) done();
    else onBudget(budget, done);
  });
}
