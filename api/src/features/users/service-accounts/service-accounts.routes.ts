import { serviceAccountRoutes } from '@apotheca/contract/service-accounts';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context.ts';
import { serveRoutes } from '../../../plugins/contract-route.ts';
import { createServiceAccount, editServiceAccount } from './service-accounts.service.ts';

export function registerServiceAccounts(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, serviceAccountRoutes, {
    create: async ({ body: { createdBy: _, ...fields }, actor }) => ({
      result: await createServiceAccount(context, actor, fields),
      message: 'Success! The service account has been created.',
    }),
    edit: async ({ body: { id, updatedBy: _, ...fields }, actor }) => ({
      result: await editServiceAccount(context, actor, id, fields),
      message: 'Success! The service account has been updated.',
    }),
  });
}
