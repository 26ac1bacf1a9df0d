import { apiKeyRoutes } from '@apotheca/contract/api-keys';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context.ts';
import { serveRoutes } from '../../../plugins/contract-route.ts';
import { createApiKey, deleteApiKey, listApiKeys, rotateApiKey } from './keys.service.ts';

const SHOWN_ONCE = 'The API key is shown only once.';

export function registerApiKeys(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, apiKeyRoutes, {
    list: async ({ query, caller, actor }) => ({ result: await listApiKeys(context, caller, actor, query.userId) }),
    create: async ({ body: { createdBy: _, ...key }, caller, actor }) => ({
      result: await createApiKey(context, caller, actor, key),
      message: SHOWN_ONCE,
    }),
    rotate: async ({ body, caller, actor }) => ({
      result: await rotateApiKey(context, caller, actor, body),
      message: SHOWN_ONCE,
    }),
    delete: async ({ query, caller, actor }) => {
      await deleteApiKey(context, caller, actor, query.id);
      return { result: null, message: 'The API key has been revoked.' };
    },
  });
}
