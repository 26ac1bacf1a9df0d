import { PERMISSION_CATALOGUE, type PermissionIdentifier } from '@apotheca/contract/permission-catalogue';
import type { ContractRoute } from '@apotheca/contract/route';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor, Caller } from '../actor.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';

/** How routes find out who calls: the feature auth, which stands above them. */
export interface Callers {
  /**
   * Finds out whose token this is and whether they hold a permission.
   * @throws AppError session-ended
   */
  identifyCaller(
    context: Context,
    token: string,
    permission: PermissionIdentifier | undefined,
  ): Promise<{ caller: Caller; allowed: boolean }>;
  /** Notes in the audit trail that a call was refused. */
  recordRefusal(context: Context, actor: Actor, path: string, refusal: AppError): Promise<void>;
}

const NOBODY: Caller = { id: '', sessionId: '', userName: '', role: '', readOnly: false };

/** Comes before the routes, which find out by `callers` who calls. */
export function registerSession(app: FastifyInstance, callers: Callers): void {
  app.decorateRequest('caller');
  app.decorate('callers', callers);
}

/** Finds out who calls, and refuses whoever may not. @throws AppError */
export async function identify(context: Context, contractRoute: ContractRoute, request: FastifyRequest): Promise<void> {
  request.caller = contractRoute.permission === 'public' ? NOBODY : await authorise(context, contractRoute, request);
}

/** Refuses a call, and notes that in the audit trail. @throws the refusal */
export async function refuse(
  context: Context,
  { path }: ContractRoute,
  request: FastifyRequest,
  refusal: AppError,
): Promise<never> {
  await request.server.callers.recordRefusal(context, actorOf(request), path, refusal);
  throw refusal;
}

/** Who calls, for the audit trail. */
export function actorOf(request: FastifyRequest): Actor {
  return { id: request.caller.id || null, name: request.caller.userName, address: request.ip };
}

async function authorise(context: Context, contractRoute: ContractRoute, request: FastifyRequest): Promise<Caller> {
  const [, token] = /^Bearer ([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (!token) throw new AppError('not-signed-in');
  const { caller, allowed } = await request.server.callers.identifyCaller(
    context,
    token,
    requiredPermission(contractRoute),
  );
  request.caller = caller;
  const refusal = isUnintended(contractRoute, request)
    ? new AppError('cross-site')
    : refusalOf(contractRoute, caller, allowed);
  if (refusal) return refuse(context, contractRoute, request, refusal);
  return caller;
}

/** A mutating GET that a browser marks as prefetch, or that another site asked for, is nobody's wish (DECISIONS §3). */
function isUnintended({ mutates }: ContractRoute, { headers }: FastifyRequest): boolean {
  const purposes = [headers['sec-purpose'], headers.purpose, headers['x-moz'], headers['x-purpose']];
  const isPrefetch = purposes.some((purpose) => /prefetch|prerender|preview/i.test(String(purpose ?? '')));
  return mutates === true && (isPrefetch || headers['sec-fetch-site'] === 'cross-site');
}

function requiredPermission({ permission }: ContractRoute): PermissionIdentifier | undefined {
  return permission === 'public' || permission === 'signed-in' ? undefined : permission;
}

function refusalOf({ permission, method }: ContractRoute, caller: Caller, allowed: boolean): AppError | undefined {
  if (!allowed) {
    return new AppError('not-allowed', { message: `You do not have the permission '${permission}'.`, permission });
  }
  const isRead =
    permission === 'signed-in'
      ? method === 'GET'
      : PERMISSION_CATALOGUE.some((entry) => entry.identifier === permission && entry.access === 'read');
  return caller.readOnly && !isRead ? new AppError('read-only-token') : undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
  interface FastifyInstance {
    callers: Callers;
  }
}
