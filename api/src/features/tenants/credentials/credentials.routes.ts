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
    rotate: async ({ body, actor }) => {
      const { connection, isReplaced } = await rotateCredentials(context, actor, body);
      const end = isReplaced ? ` ${endOfOld(body.overlapMinutes)}` : '';
      return { result: connection, message: `Success! There is a new login.${end}` };
    },
    limit: async ({ body: { id, updatedBy: _updatedBy, ...wanted }, actor }) => ({
      result: await limitConnections(context, actor, id, wanted),
      message: 'Success! The limits hold for new sessions.',
    }),
    resolve: async ({ query, caller, actor }) => ({ result: await resolveTenant(context, caller, actor, query) }),
  });
}

/** In the largest unit that leaves no rest. */
const UNITS = [
  { minutes: 1440, name: 'day' },
  { minutes: 60, name: 'hour' },
  { minutes: 1, name: 'minute' },
] as const;

function endOfOld(minutes: number): string {
  const unit = UNITS.find((each) => minutes > 0 && minutes % each.minutes === 0);
  if (!unit) return 'The old one has ended.';
  const count = minutes / unit.minutes;
  return `The old one ends in ${count} ${unit.name}${count === 1 ? '' : 's'}.`;
}
