import { anonymizedCloneRoutes } from '@apotheca/contract/anonymized-clones';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context.ts';
import { startOperation } from '../../../operations/operations.service.ts';
import { serveRoutes } from '../../../plugins/contract-route.ts';
import { requirePermission } from '../../auth/callers.service.ts';
import { getDatabaseByName } from '../databases.service.ts';
import { describeRefresh, getAnonymizedClone, planRefresh, setRefreshSchedule } from './anonymized-clones.service.ts';
import { cloneAnonymizedOperation } from './clone-anonymized.operation.ts';
import { refreshOperation } from './refresh.operation.ts';

/** What changes needs the permission to clone beside that of the call, which is the one to anonymize. */
const ALSO_NEEDED = 'databases.write';

export function registerAnonymizedClones(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, anonymizedCloneRoutes, {
    cloneAnonymized: async ({ query, actor, caller }) => {
      await requirePermission(context, caller, actor, ALSO_NEEDED);
      return { operationId: await startOperation(context, actor, cloneAnonymizedOperation, query) };
    },
    planRefresh: async ({ query, callContext }) => {
      const plan = await planRefresh(callContext, await getDatabaseByName(context, query.databaseName));
      return { result: plan, message: describeRefresh(plan) };
    },
    refresh: async ({ query: { databaseName, plan }, actor, caller }) => {
      await requirePermission(context, caller, actor, ALSO_NEEDED);
      const { id: databaseId } = await getDatabaseByName(context, databaseName);
      return { operationId: await startOperation(context, actor, refreshOperation, { databaseId, plan }) };
    },
    get: async ({ query }) => ({
      result: await getAnonymizedClone(context, await getDatabaseByName(context, query.databaseName)),
    }),
    set: async ({ query, body, actor, caller }) => {
      await requirePermission(context, caller, actor, ALSO_NEEDED);
      const { version, updatedBy: _, ...schedule } = body;
      const result = await setRefreshSchedule(context, actor, { ...query, schedule, sent: version });
      return { result, message: 'Success! The refresh schedule has been saved.' };
    },
  });
}
