import { credentialRoutes } from '@apotheca/contract/credentials';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context.ts';
import { serveRoutes } from '../../../plugins/contract-route.ts';
import {
  getConnection,
  limitConnections,
  resolveTenant,
  revealCredentials,
  rotateCredentials,
} from './credentials.service.ts';

export function registerCredentials(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, credentialRoutes, {
    connection: async ({ query }) => ({ result: await getConnection(context, query.id) }),
    reveal: async ({ query, actor }) => ({
      result: await revealCredentials(context, actor, query.id, query.access),
      message:
        'Whoever knows these credentials can reach the data of this tenant. That they were shown is in the audit trail.',
    }),
    rotate: async ({ body, actor }) => ({
      result: await rotateCredentials(context, actor, body),
      message: rotated(body.overlapMinutes),
    }),
    limit: async ({ body: { id, connectionLimit, statementTimeoutSeconds }, actor }) => ({
      result: await limitConnections(context, actor, id, { connectionLimit, statementTimeoutSeconds }),
      message: 'Success! The limits hold for new sessions.',
    }),
    resolve: async ({ query, caller, actor }) => ({ result: await resolveTenant(context, caller, actor, query) }),
  });
}

const rotated = (minutes: number): string =>
  minutes === 0
    ? 'Success! There is a new login. The old one has ended.'
    : `Success! There is a new login. The old one ends in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
