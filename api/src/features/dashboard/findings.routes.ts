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
    snooze: async ({ body, caller, actor }) => {
      const result = await snoozeFindings(context, caller, actor, body);
      return { result, message: describeSnooze(result.snoozed, new Set(body.ids).size) };
    },
    wake: async ({ query, actor }) => ({ result: await wakeFinding(context, actor, query), message: 'It is back.' }),
    growth: async () => ({ result: await getGrowth(context) }),
  });
}

function describeSnooze(snoozed: number, asked: number): string {
  if (snoozed === 0)
    return asked === 1
      ? 'It was snoozed already: nothing has changed.'
      : 'They were snoozed already: nothing has changed.';
  if (snoozed < asked) return `Snoozed: ${snoozed}. Snoozed already, and left as they were: ${asked - snoozed}.`;
  return asked === 1 ? 'It is snoozed.' : `${asked} are snoozed.`;
}
