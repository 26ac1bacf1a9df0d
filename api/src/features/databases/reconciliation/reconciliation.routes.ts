import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context.ts';
import { serveRoutes } from '../../../plugins/contract-route.ts';
import { fixFinding, reconcile } from './reconciliation.service.ts';

export function registerReconciliation(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, reconciliationRoutes, {
    reconcile: async () => ({ result: await reconcile(context) }),
    fix: async ({ query, actor }) => {
      const finding = await fixFinding(context, actor, query);
      const isStarted = finding.fix === 'upgrade';
      return {
        result: finding,
        message: isStarted ? 'The upgrade has been started.' : 'The finding has been fixed.',
      };
    },
  });
}
