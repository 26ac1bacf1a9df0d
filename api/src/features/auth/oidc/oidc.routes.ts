import { openIdConnectRoutes } from '@apotheca/contract/openid-connect';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context.ts';
import { serveRoutes } from '../../../plugins/contract-route.ts';
import { type Admit, beginSignIn, finishSignIn } from './oidc.service.ts';
import { endSessionsByProvider } from './provider-sign-out.service.ts';

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
  // In a room of its own, as no other call takes a form: any page can make a browser send one.
  app.register(async (forProviders) => {
    forProviders.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
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
