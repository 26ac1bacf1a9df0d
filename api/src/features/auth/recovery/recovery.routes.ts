import { recoveryRoutes } from '@apotheca/contract/recovery';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context.ts';
import { serveRoutes } from '../../../plugins/contract-route.ts';
import { recoverPassword, requestPasswordLink } from './recovery.service.ts';

export function registerRecovery(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, recoveryRoutes, {
    request: async ({ body, actor }) => {
      await requestPasswordLink(context, body.email, actor.address);
      return { result: null, message: 'If the address belongs to a user, a mail is on its way there.' };
    },
    recover: async ({ body: { token, password }, actor }) => {
      await recoverPassword(context, { token, password, address: actor.address });
      return { result: null, message: 'Your password has been changed. Please sign in with it.' };
    },
  });
}
