import { authRoutes } from '@apotheca/contract/auth';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { generateApiToken } from './api-tokens.service.ts';
import { getProfile, refreshSession, signIn, signOut } from './auth.service.ts';
import { findProviderSignOut } from './oidc/provider-sign-out.service.ts';
import { endSession, listOwnSessions, listUserSessions } from './sessions.service.ts';

const SESSION_ENDED = 'The session has been signed out.';

export function registerAuth(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, authRoutes, {
    authenticate: async ({ body, actor, userAgent, origin }) => {
      const result = await signIn(context, { ...body, address: actor.address, userAgent, origin });
      return { result, message: 'secondFactor' in result ? 'A second factor is needed.' : 'Login Successful.' };
    },
    refresh: async ({ body, actor }) => ({ result: await refreshSession(context, body, actor.address) }),
    logout: async ({ body, actor }) => {
      await signOut(context, body.refreshToken, actor.address);
      const url = await findProviderSignOut(context, body.refreshToken);
      return { result: url === undefined ? null : { url }, message: 'Signed out.' };
    },
    generateToken: async ({ body, caller, actor, userAgent }) => ({
      result: await generateApiToken(context, caller, actor, { ...body, userAgent }),
      message: 'The token is shown only once.',
    }),
    me: async ({ caller }) => ({ result: await getProfile(context, caller) }),
    listSessions: async ({ caller }) => ({ result: await listOwnSessions(context, caller) }),
    endSession: async ({ query, caller, actor }) => {
      await endSession(context, actor, query.id, caller.id);
      return { result: null, message: SESSION_ENDED };
    },
    listUserSessions: async ({ query, caller }) => ({ result: await listUserSessions(context, caller, query.userId) }),
    endUserSession: async ({ query, actor }) => {
      await endSession(context, actor, query.id);
      return { result: null, message: SESSION_ENDED };
    },
  });
}
