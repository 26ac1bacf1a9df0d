import { type Account, accountRoutes } from '@apotheca/contract/account';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { beginPasskeyProof, proveByPasskey } from '../auth/factors/passkey-proof.service.ts';
import { beginProviderProof, proveByProvider } from '../auth/oidc/provider-proof.service.ts';
import { getProofWays, proveByPassword } from '../auth/proof.service.ts';
import { getRightsOf } from '../roles/roles.service.ts';
import { changeOwnPassword, editOwnUser, getOwnUser } from '../users/own-user.service.ts';
import { draftKeysOf } from './draft-keys.ts';

const PROVED = 'Thank you.';

export function registerAccount(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, accountRoutes, {
    proofWays: async ({ caller, origin }) => ({ result: await getProofWays(context, caller, origin) }),
    prove: async ({ body, caller, actor }) => ({
      result: await proveByPassword(context, caller, actor, body),
      message: PROVED,
    }),
    beginPasskeyProof: async ({ caller, origin }) => ({ result: await beginPasskeyProof(context, caller, origin) }),
    proveByPasskey: async ({ body, caller, actor, origin }) => ({
      result: await proveByPasskey(context, caller, actor, { ...body, origin }),
      message: PROVED,
    }),
    beginProviderProof: async ({ body, caller }) => ({
      result: await beginProviderProof(context, caller, body.challenge),
    }),
    proveByProvider: async ({ body, caller, actor }) => ({
      result: await proveByProvider(context, caller, actor, body),
      message: PROVED,
    }),
    draftKeys: async ({ caller }) => ({ result: draftKeysOf(context, caller.id) }),
    get: async ({ caller }) => ({ result: accountOf(await getOwnUser(context.platform, caller)) }),
    rights: async ({ caller }) => ({ result: await getRightsOf(context.platform, caller.id) }),
    edit: async ({ body, caller, actor }) => ({
      result: accountOf(await editOwnUser(context, caller, actor, body)),
      message: 'Your account has been updated.',
    }),
    changePassword: async ({ body, caller, actor }) => ({
      result: await changeOwnPassword(context, caller, actor, body),
      message: 'Your password has been changed. You are signed out everywhere else.',
    }),
  });
}

function accountOf(user: Awaited<ReturnType<typeof getOwnUser>>): Account {
  const { id, userName: username, email, firstName: fName, lastName: lName, phone, role, version } = user;
  return { id, username, email, fName, lName, phone, role, version };
}
