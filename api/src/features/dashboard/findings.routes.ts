import { findingRoutes } from '@apotheca/contract/findings';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { getFindingRecords, listFindings, snoozeFindings, wakeFinding } from './findings.service.ts';
import { getGrowth } from './growth.service.ts';

export function registerFindings(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, findingRoutes, {
    list: async () => ({ result: await listFindings(context) }),
    records: async ({ query }) => ({ result: await getFindingRecords(context, query.kind) }),
    snooze: async ({ body, caller, actor }) => ({
      result: await snoozeFindings(context, caller, actor, body),
      message: body.ids.length === 1 ? 'It is snoozed.' : `${body.ids.length} are snoozed.`,
    }),
    wake: async ({ query, actor }) => ({ result: await wakeFinding(context, actor, query), message: 'It is back.' }),
    growth: async () => ({ result: await getGrowth(context) }),
  });
}
