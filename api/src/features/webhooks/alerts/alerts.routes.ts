import { alertRoutes } from '@apotheca/contract/alerts';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context.ts';
import { serveRoutes } from '../../../plugins/contract-route.ts';
import { editAlerts, getAlerts } from './alerts.service.ts';

export function registerAlerts(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, alertRoutes, {
    get: async ({ caller }) => ({ result: await getAlerts(context, caller) }),
    edit: async ({ body, caller, actor }) => ({
      result: await editAlerts(context, caller, actor, body),
      message: 'Your alerts have been updated.',
    }),
  });
}
