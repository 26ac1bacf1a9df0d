import { dashboardRoutes } from '@apotheca/contract/dashboard';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { listCounts } from './dashboard.service.ts';

export function registerDashboard(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, dashboardRoutes, {
    getCounts: listCounts,
  });
}
