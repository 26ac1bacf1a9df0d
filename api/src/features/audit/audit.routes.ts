import { auditRoutes } from '@apotheca/contract/audit';
import type { FastifyInstance } from 'fastify';
import { listAuditTrail } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';

export function registerAudit(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, auditRoutes, {
    list: listAuditTrail,
  });
}
