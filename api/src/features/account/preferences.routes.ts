import { preferenceRoutes } from '@apotheca/contract/preferences';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { getPreferences, putLanguage, putListLayout } from './preferences.service.ts';

export function registerPreferences(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, preferenceRoutes, {
    get: async ({ caller }) => ({ result: await getPreferences(context, caller) }),
    put: async ({ body, caller }) => ({ result: await putListLayout(context, caller, body) }),
    putLanguage: async ({ body, caller }) => ({ result: await putLanguage(context, caller, body) }),
  });
}
