import { auditRoutes } from '@apotheca/contract/audit';
import type { FastifyInstance } from 'fastify';
import { listAuditTrail, searchAudit } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { getVerification, startVerification } from './audit.service.ts';
import { exportAudit } from './audit-export.ts';

const STARTED = 'The audit trail is being verified.';
const UNDER_WAY = 'The audit trail is being verified already.';

export function registerAudit(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, auditRoutes, {
    list: listAuditTrail,
    search: searchAudit,
    export: async ({ query: { format, ...filters }, actor }) => ({
      file: await exportAudit(context, actor, format, filters),
    }),
    verification: async () => ({ result: await getVerification(context) }),
    verify: async ({ actor }) => {
      const hasStarted = await startVerification(context, actor);
      return { result: await getVerification(context), message: hasStarted ? STARTED : UNDER_WAY };
    },
  });
}
