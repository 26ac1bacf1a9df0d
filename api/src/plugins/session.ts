import type { PermissionIdentifier } from '@apotheca/contract/permission-catalogue';
import { isRead, takesKeys } from '@apotheca/contract/refusals';
import type { ContractRoute } from '@apotheca/contract/route';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor, Caller } from '../actor.ts';
import type { Context } from '../context.ts';
import type { ReadTables } from '../db/json-list.ts';
import { AppError } from '../errors.ts';
import { callerAddress } from './forwarding.ts';

/** How routes identify their caller. The feature auth implements it, and the app passes it in, as auth stands above the plugins. */
export interface Callers {
  /**
   * Finds the user of a token or an API key, whether the user has a permission, and the version of the tables that the call reads.
   * @param address of the caller: a key may be allowed from some only
   * @throws AppError session-ended, key-refused
   */
  identifyCaller(
    context: Context,
    token: string,
    needs: { permission: PermissionIdentifier | undefined; tables: ReadTables | undefined },
    address: string,
  ): Promise<{ caller: Caller; allowed: boolean; version: string }>;
  /**
   * Whether a caller who was found before has a permission now.
   * @throws AppError session-ended, key-refused if the session or the key has ended since
   */
  isAllowed(
    context: Context,
    caller: Caller,
    actor: Actor,
    permission: PermissionIdentifier | undefined,
  ): Promise<boolean>;
  /** The refusal of a call that wants a fresh proof, while the caller's is too old. */
  needsProof(context: Context, route: ContractRoute, caller: Caller): AppError | undefined;
  /** Notes in the audit trail that a call was refused. */
  recordRefusal(context: Context, actor: Actor, path: string, refusal: AppError): Promise<void>;
}

const NOBODY: Caller = { id: '', sessionId: '', userName: '', role: '', readOnly: false, provedAt: null };

/** Register it before the routes, which identify their caller by `callers`. */
export function registerSession(app: FastifyInstance, callers: Callers): void {
  app.decorateRequest('caller');
  app.decorateRequest('listVersion', '');
  app.decorate('callers', callers);
}

/**
 * Identifies the caller, and refuses a call that is not allowed.
 * @param tables that the call's list reads; absent: the call is no list
 * @throws AppError
 */
export async function identify(
  context: Context,
  contractRoute: ContractRoute,
  request: FastifyRequest,
  tables?: ReadTables,
): Promise<void> {
  request.caller =
    contractRoute.permission === 'public' ? NOBODY : await authorise(context, contractRoute, request, tables);
}

/** Looks again whether the caller may make a call, by session or key: the token was valid when the call began. @throws AppError */
export async function recheck(context: Context, contractRoute: ContractRoute, request: FastifyRequest): Promise<void> {
  const { caller, server } = request;
  const permission = requiredPermission(contractRoute);
  const allowed = await server.callers.isAllowed(context, caller, actorOf(request), permission);
  const refusal = refusalOf(contractRoute, caller, allowed);
  if (refusal) await refuse(context, contractRoute, request, refusal);
}

/** Notes the refusal of a call in the audit trail. @throws the refusal */
export async function refuse(
  context: Context,
  { path }: ContractRoute,
  request: FastifyRequest,
  refusal: AppError,
): Promise<never> {
  await request.server.callers.recordRefusal(context, actorOf(request), path, refusal);
  throw refusal;
}

/** The caller for the audit trail. */
export function actorOf(request: FastifyRequest): Actor {
  const { id, userName: name, key } = request.caller;
  return { id: id || null, name, address: callerAddress(request), ...(key && { scopes: key.scopes }) };
}

async function authorise(
  context: Context,
  contractRoute: ContractRoute,
  request: FastifyRequest,
  tables: ReadTables | undefined,
): Promise<Caller> {
  const [, token] = /^Bearer ([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (!token) throw new AppError('not-signed-in');
  const needs = { permission: requiredPermission(contractRoute), tables };
  const { callers } = request.server;
  const { caller, allowed, version } = await callers.identifyCaller(context, token, needs, callerAddress(request));
  const isCounted = request.caller !== undefined;
  request.caller = caller;
  request.listVersion = version;
  if (!isCounted) request.server.countCall(request);
  const refusal = isUnintended(contractRoute, request)
    ? new AppError('cross-site')
    : (refusalOf(contractRoute, caller, allowed) ?? request.server.callers.needsProof(context, contractRoute, caller));
  if (refusal) return refuse(context, contractRoute, request, refusal);
  return caller;
}

/** Whether a mutating GET is a browser's prefetch or comes from another site: nobody asked for it (DECISIONS §3). */
function isUnintended({ mutates }: ContractRoute, { headers }: FastifyRequest): boolean {
  const purposes = [headers['sec-purpose'], headers.purpose, headers['x-moz'], headers['x-purpose']];
  const isPrefetch = purposes.some((purpose) => /prefetch|prerender|preview/i.test(String(purpose ?? '')));
  return mutates === true && (isPrefetch || headers['sec-fetch-site'] === 'cross-site');
}

function requiredPermission({ permission }: ContractRoute): PermissionIdentifier | undefined {
  return permission === 'public' || permission === 'signed-in' ? undefined : permission;
}

function refusalOf(route: ContractRoute, caller: Caller, allowed: boolean): AppError | undefined {
  const { permission } = route;
  if (caller.key && !takesKeys(route)) {
    return new AppError('not-allowed', { message: 'An API key cannot make this call.' });
  }
  if (!allowed) {
    return new AppError('not-allowed', { message: `You do not have the permission '${permission}'.`, permission });
  }
  if (caller.readOnly && route.bySession) {
    return new AppError('not-allowed', { message: 'An API token cannot make this call.' });
  }
  return caller.readOnly && !isRead(route) ? new AppError('read-only-token') : undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
    /** The version of the tables that a list reads, read together with the caller. */
    listVersion: string;
  }
  interface FastifyInstance {
    callers: Callers;
  }
}
