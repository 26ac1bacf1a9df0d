import { openIdConnectRoutes } from '@apotheca/contract/openid-connect';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context.ts';
import { serveRoutes } from '../../../plugins/contract-route.ts';
import { registerFormBody } from '../../../plugins/form-body.ts';
import { type Admit, beginSignIn, finishSignIn } from './oidc.service.ts';
import { endSessionsByProvider } from './provider-sign-out.service.ts';

/** Bytes of a provider's form: of its one field the contract takes 16,384 characters. */
const MAX_FORM = 32 * 1024;

/** @param admit finds or makes the user of a person */
export function registerOpenIdConnect(app: FastifyInstance, context: Context, admit: Admit): void {
  const { providerSignOut, ...forBrowsers } = openIdConnectRoutes;
  serveRoutes(app, context, forBrowsers, {
    beginSignIn: async ({ body }) => ({ result: await beginSignIn(context, body) }),
    finishSignIn: async ({ body, actor, userAgent }) => ({
      result: await finishSignIn(context, admit, body, { address: actor.address, userAgent }),
      message: 'Login Successful.',
    }),
  });
  // In a room of its own, as no other call takes a form.
  app.register(async (forProviders) => {
    registerFormBody(forProviders, MAX_FORM);
    serveRoutes(
      forProviders,
      context,
      { providerSignOut },
      {
        providerSignOut: async ({ body, actor }) => {
          await endSessionsByProvider(context, body.logout_token, actor.address);
          return { result: null };
        },
      },
    );
  });
}
