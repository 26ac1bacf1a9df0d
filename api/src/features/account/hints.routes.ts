import { hintRoutes } from '@apotheca/contract/hints';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { dismissHint, getHint } from './hints.service.ts';

export function registerHints(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, hintRoutes, {
    get: async ({ caller }) => ({ result: await getHint(context, caller) }),
    dismiss: async ({ body, caller }) => ({ result: await dismissHint(context, caller, body) }),
  });
}
