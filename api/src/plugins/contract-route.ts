import type { Readable } from 'node:stream';
import { BASE_PATHS, type BodyOf, type ContractRoute, type QueryOf } from '@apotheca/contract/route';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Caller } from '../actor.ts';
import type { Context } from '../context.ts';
import type { TrackedList } from '../db/json-list.ts';
import { AppError } from '../errors.ts';
import { answer, type Output, type RouteOutput } from './answers.ts';
import { parseInput, uploadOf } from './call-input.ts';
import { doOnce } from './idempotency.ts';
import { answerList } from './list-answers.ts';
import { actorOf, identify, recheck } from './session.ts';

/** What a handler gets: the parsed input and the caller. */
interface RouteInput<Route> {
  query: QueryOf<Route>;
  body: BodyOf<Route>;
  /** The signed-in user; undefined on public routes. */
  caller: Caller;
  actor: Actor;
  userAgent: string;
  /** The address of the console, as the browser sees it. */
  origin: string;
  /** The server's context, but its reads of tenants' databases end when the client disconnects. */
  callContext: Context;
  /** Aborted when the client disconnects before its answer is written. */
  disconnected: AbortSignal;
  /** The file of an upload route. */
  upload: Readable;
  /**
   * Looks again whether the caller may make the call, which is due once a file was read: the session may have ended, or the permission may be
   * lost meanwhile. The token may have ended since: it was valid when the file began to come.
   */
  recheck(): Promise<void>;
}

/** A handler for every route of a contract file. A missing one is a compile error. */
export type Handlers<Routes> = {
  [Name in keyof Routes]: Routes[Name] extends { list: true }
    ? TrackedList<QueryOf<Routes[Name]>>
    : (input: RouteInput<Routes[Name]>) => Promise<RouteOutput<Routes[Name]>>;
};

/** Serves all routes of a contract file. */
export function serveRoutes<Routes extends Record<string, ContractRoute>>(
  app: FastifyInstance,
  context: Context,
  routes: Routes,
  handlers: Handlers<Routes>,
): void {
  for (const name of Object.keys(routes)) {
    serveRoute(app, context, routes[name] as ContractRoute, handlers[name as keyof Routes]);
  }
}

// Handlers ties each handler's input to its route; what all handlers share is their output.
type AnyHandler = ((input: never) => Promise<Output>) | TrackedList<never>;

function serveRoute(app: FastifyInstance, context: Context, contractRoute: ContractRoute, handler: AnyHandler): void {
  const tables = 'tables' in handler ? handler.tables : undefined;
  const identifyCaller = (request: FastifyRequest) => identify(context, contractRoute, request, tables);
  app.route({
    method: contractRoute.method,
    url: BASE_PATHS[contractRoute.base] + contractRoute.path,
    // No HEAD for a GET that changes something or downloads a file: it would run, and nobody would read the answer.
    exposeHeadRoute: contractRoute.mutates !== true && contractRoute.download !== true,
    config: { upload: contractRoute.upload === true },
    onRequest: identifyCaller,
    // Again, as a body may take long: the session may have ended, or the permission may be lost meanwhile.
    ...(contractRoute.body && { preValidation: identifyCaller }),
    handler: async (request, reply) => {
      const parsed = await parseInput(context, contractRoute, request);
      if ('tables' in handler) return answerList(context, request, reply, handler, parsed.query);
      const disconnected = disconnectSignalOf(reply);
      const input = {
        ...parsed,
        caller: request.caller,
        actor: actorOf(request),
        userAgent: userAgentOf(request),
        origin: `${request.protocol}://${request.host}`,
        callContext: { ...context, tenants: context.tenants.until(disconnected) },
        disconnected,
        upload: uploadOf(request),
        recheck: () => recheck(context, contractRoute, request),
      };
      const output = await doOnce(context, request, contractRoute, parsed, () => handler(input as never));
      return answer(context, request, reply, contractRoute, output);
    },
  });
}

/** A signal that is aborted when the client disconnects before its answer is written. */
function disconnectSignalOf({ raw }: FastifyReply): AbortSignal {
  const disconnect = new AbortController();
  const onClose = () => {
    if (!raw.writableFinished) disconnect.abort(new AppError('cancelled', { message: 'Whoever asked has gone.' }));
  };
  // The client may have disconnected while it was identified. That is not told again.
  if (raw.closed) onClose();
  else raw.once('close', onClose);
  return disconnect.signal;
}

function userAgentOf(request: FastifyRequest): string {
  return (request.headers['user-agent'] ?? '').slice(0, 512);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file, which is streamed to the handler and has no limit of time. */
    upload?: boolean;
  }
}
