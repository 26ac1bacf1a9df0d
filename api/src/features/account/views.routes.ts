import { viewRoutes } from '@apotheca/contract/views';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { createView, editView, getViews, removeView } from './views.service.ts';

export function registerViews(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, viewRoutes, {
    list: async ({ query, caller }) => ({ result: await getViews(context, caller, query.list) }),
    create: async ({ body, caller, actor }) => ({
      result: await createView(context, caller, actor, body),
      message: 'Success! The view has been saved.',
    }),
    edit: async ({ body, caller, actor }) => ({
      result: await editView(context, caller, actor, body),
      message: 'Success! The view has been changed.',
    }),
    delete: async ({ query, caller, actor }) => ({
      result: await removeView(context, caller, actor, query.id),
      message: 'Success! The view has been deleted.',
    }),
  });
}
