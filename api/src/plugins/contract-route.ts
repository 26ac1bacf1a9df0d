import type { Readable } from 'node:stream';
import { BASE_PATHS, type BodyOf, type ContractRoute, type QueryOf } from '@apotheca/contract/route';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Caller } from '../actor.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { answer, type Output, type RouteOutput } from './answers.ts';
import { parseInput, uploadOf } from './call-input.ts';
import { actorOf, identify } from './session.ts';

/** What a handler gets: parsed input, and who asks. */
interface RouteInput<Route> {
  query: QueryOf<Route>;
  body: BodyOf<Route>;
  /** The signed-in user; on public routes nobody. */
  caller: Caller;
  actor: Actor;
  userAgent: string;
  /** The server's context, whose reads of tenants' databases end when whoever asked has gone. */
  callContext: Context;
  /** The file that an upload route is sent. */
  upload: Readable;
}

/** One handler for every route of a contract file; a missing one does not compile. */
export type Handlers<Routes> = {
  [Name in keyof Routes]: (input: RouteInput<Routes[Name]>) => Promise<RouteOutput<Routes[Name]>>;
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

// What a handler takes is tied to its route by Handlers; all that they share is what they give.
type AnyHandler = (input: never) => Promise<Output>;

function serveRoute(app: FastifyInstance, context: Context, contractRoute: ContractRoute, handler: AnyHandler): void {
  const identifyCaller = (request: FastifyRequest) => identify(context, contractRoute, request);
  app.route({
    method: contractRoute.method,
    url: BASE_PATHS[contractRoute.base] + contractRoute.path,
    // A HEAD would run a GET that changes something without anybody reading its answer.
    exposeHeadRoute: contractRoute.mutates !== true && contractRoute.download !== true,
    config: { upload: contractRoute.upload === true },
    onRequest: identifyCaller,
    // A body may take its time, and the session may have ended or the permission gone meanwhile.
    ...(contractRoute.body && { preValidation: identifyCaller }),
    handler: async (request, reply) => {
      const asked = { caller: request.caller, actor: actorOf(request), userAgent: userAgentOf(request) };
      const output = await handler({
        ...(await parseInput(context, contractRoute, request)),
        ...asked,
        callContext: { ...context, tenants: context.tenants.until(departureOf(reply)) },
        upload: uploadOf(request),
      } as never);
      return answer(context, request, reply, contractRoute, output);
    },
  });
}

/** Is aborted when the connection closes before the answer is written. */
function departureOf({ raw }: FastifyReply): AbortSignal {
  const departure = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) departure.abort(new AppError('cancelled', { message: 'Whoever asked has gone.' }));
  });
  return departure.signal;
}

function userAgentOf(request: FastifyRequest): string {
  return (request.headers['user-agent'] ?? '').slice(0, 512);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file: it is handed on as it comes, and may take its time. */
    upload?: boolean;
  }
}
