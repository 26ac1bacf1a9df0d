import { ownFactorRoutes, secondStepRoutes } from '@apotheca/contract/second-factors';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context.ts';
import { serveRoutes } from '../../../plugins/contract-route.ts';
import {
  addPasskey,
  beginPasskey,
  beginTotp,
  confirmTotp,
  getOwnFactors,
  makeRecoveryCodes,
  removePasskey,
  removeTotp,
  renamePasskey,
} from './own-factors.service.ts';
import { beginPasskeySignIn, signInWithPasskey } from './passkey-sign-in.service.ts';
import { answerWithCode } from './second-step.service.ts';

const SIGNED_IN = 'Login Successful.';

export function registerFactors(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, secondStepRoutes, {
    factor: async ({ body, actor: { address }, userAgent }) => ({
      result: await answerWithCode(context, { ...body, address, userAgent }),
      message: SIGNED_IN,
    }),
    passkeyOptions: async ({ body: { token }, actor: { address }, origin }) => ({
      result: await beginPasskeySignIn(context, { token: token ?? undefined, address, origin }),
    }),
    passkey: async ({ body, actor: { address }, userAgent, origin }) => ({
      result: await signInWithPasskey(context, { ...body, address, userAgent, origin }),
      message: SIGNED_IN,
    }),
  });
  serveRoutes(app, context, ownFactorRoutes, {
    get: async ({ caller, origin }) => ({ result: await getOwnFactors(context, caller, origin) }),
    beginTotp: async ({ caller }) => ({ result: await beginTotp(context, caller) }),
    confirmTotp: async ({ body, caller, actor }) => ({
      result: await confirmTotp(context, caller, actor, body),
      message: 'The authenticator app has been added.',
    }),
    removeTotp: async ({ caller, actor }) => {
      await removeTotp(context, caller, actor);
      return { result: null, message: 'The authenticator app has been removed.' };
    },
    makeRecoveryCodes: async ({ caller, actor }) => ({
      result: await makeRecoveryCodes(context, caller, actor),
      message: 'The recovery codes are shown only once.',
    }),
    beginPasskey: async ({ caller, origin }) => ({ result: await beginPasskey(context, caller, origin) }),
    addPasskey: async ({ body, caller, actor, origin }) => ({
      result: await addPasskey(context, caller, actor, { ...body, origin }),
      message: 'The passkey has been added.',
    }),
    renamePasskey: async ({ body, caller, actor }) => {
      await renamePasskey(context, caller, actor, body);
      return { result: null, message: 'The passkey has been renamed.' };
    },
    removePasskey: async ({ query, caller, actor }) => {
      await removePasskey(context, caller, actor, query.id);
      return { result: null, message: 'The passkey has been removed.' };
    },
  });
}
