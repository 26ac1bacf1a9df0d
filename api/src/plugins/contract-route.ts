import { Readable } from 'node:stream';
import { PERMISSION_CATALOGUE, type PermissionIdentifier } from '@apotheca/contract/permission-catalogue';
import { BASE_PATHS, type BodyOf, type ContractRoute, type QueryOf, type ResultOf } from '@apotheca/contract/route';
import { optionalText } from '@apotheca/contract/text';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Actor, Caller } from '../actor.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { identifyCaller, recordRefusal } from '../features/auth/callers.service.ts';
import { waitForOperation } from '../operations/operations.service.ts';

/** What a handler gets: parsed input, and who asks. */
interface RouteInput<Route> {
  query: QueryOf<Route>;
  body: BodyOf<Route>;
  /** The signed-in user; on public routes nobody. */
  caller: Caller;
  actor: Actor;
  userAgent: string;
  /** The server's context, whose looks into tenants' databases end when whoever asked has gone. */
  callContext: Context;
  /** The file that an upload route is sent. */
  upload: Readable;
}

/** A file that is answered, whole. */
interface Download {
  content: Readable;
  name: string;
  sizeBytes: number;
}

/**
 * What a handler gives: the result with the message to show; for a list its JSON text, for a download the file, for what runs as an
 * operation the operation's id.
 */
type RouteOutput<Route> = Route extends { list: true }
  ? { json: string }
  : Route extends { download: true }
    ? { file: Download }
    : Route extends { operation: true }
      ? { operationId: string }
      : { result: ResultOf<Route>; message?: string };

/** One handler for every route of a contract file; a missing one does not compile. */
export type Handlers<Routes> = {
  [Name in keyof Routes]: (input: RouteInput<Routes[Name]>) => Promise<RouteOutput<Routes[Name]>>;
};

const NOBODY: Caller = { id: '', sessionId: '', userName: '', role: '', readOnly: false };
const STAMPS = ['createdBy', 'updatedBy', 'deletedBy'] as const;

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
type Output = { json: string } | { file: Download } | { operationId: string } | { result: unknown; message?: string };

function serveRoute(app: FastifyInstance, context: Context, contractRoute: ContractRoute, handler: AnyHandler): void {
  async function identify(request: FastifyRequest): Promise<void> {
    request.caller = contractRoute.permission === 'public' ? NOBODY : await authorise(context, contractRoute, request);
  }
  app.route({
    method: contractRoute.method,
    url: BASE_PATHS[contractRoute.base] + contractRoute.path,
    // A HEAD would run a GET that changes something without anybody reading its answer.
    exposeHeadRoute: contractRoute.mutates !== true && contractRoute.download !== true,
    config: { upload: contractRoute.upload === true },
    onRequest: identify,
    // A body may take its time, and the session may have ended or the permission gone meanwhile.
    ...(contractRoute.body && { preValidation: identify }),
    handler: async (request, reply) => {
      const asked = { caller: request.caller, actor: actorOf(request), userAgent: userAgentOf(request) };
      const output = await handler({
        ...(await parseInput(context, contractRoute, request)),
        ...asked,
        callContext: { ...context, tenants: context.tenants.until(departureOf(reply)) },
        upload: uploadOf(request),
      } as never);
      return 'operationId' in output
        ? answerOperation(context, request, reply, contractRoute, output.operationId)
        : send(reply, contractRoute, output);
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

/** The file that is sent; one of no bytes where there is no body. @throws AppError unsupported-media-type for a parsed one */
function uploadOf({ body, routeOptions }: FastifyRequest): Readable | undefined {
  if (!routeOptions.config.upload) return undefined;
  if (body === undefined || body === null) return Readable.from([]);
  if (!(body instanceof Readable)) {
    throw new AppError('unsupported-media-type', { message: 'Send the file as application/octet-stream.' });
  }
  return body;
}

async function authorise(context: Context, contractRoute: ContractRoute, request: FastifyRequest): Promise<Caller> {
  const [, token] = /^Bearer ([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (!token) throw new AppError('not-signed-in');
  const { caller, allowed } = await identifyCaller(context, token, requiredPermission(contractRoute));
  request.caller = caller;
  const refusal = isUnintended(contractRoute, request)
    ? new AppError('cross-site')
    : refusalOf(contractRoute, caller, allowed);
  if (refusal) await recordRefusal(context, actorOf(request), contractRoute.path, refusal);
  if (refusal) throw refusal;
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

function actorOf(request: FastifyRequest): Actor {
  return { id: request.caller.id || null, name: request.caller.userName, address: request.ip };
}

function userAgentOf(request: FastifyRequest): string {
  return (request.headers['user-agent'] ?? '').slice(0, 512);
}

/** Parses query and body together, so that one answer names every field that is wrong. */
async function parseInput(
  context: Context,
  contractRoute: ContractRoute,
  request: FastifyRequest,
): Promise<{ query: unknown; body: unknown }> {
  const errors: Record<string, string[]> = {};
  const query = parse(contractRoute.query, request.query, errors);
  const body = contractRoute.upload ? undefined : parse(contractRoute.body, request.body ?? {}, errors);
  const refusal = refusalOfStamps({ ...asObject(query), ...asObject(body) }, request.caller);
  if (refusal) await recordRefusal(context, actorOf(request), contractRoute.path, refusal);
  if (refusal) throw refusal;
  if (Object.keys(errors).length > 0) throw new AppError('invalid', { errors, message: firstMessage(errors) });
  return { query, body };
}

function parse(schema: z.ZodType | undefined, value: unknown, errors: Record<string, string[]>): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  for (const { path, message } of parsed.success ? findUnstorable(parsed.data) : parsed.error.issues) {
    const field = path.join('.') || 'request';
    errors[field] = [...(errors[field] ?? []), message];
  }
  return parsed.data;
}

const storableText = optionalText(Number.MAX_SAFE_INTEGER, '');

/** Every text of an input that PostgreSQL cannot hold: a schema that forgets to refuse them lets none through. */
function findUnstorable(value: unknown, path: PropertyKey[] = []): { path: PropertyKey[]; message: string }[] {
  if (typeof value === 'string') {
    return storableText.safeParse(value).error?.issues.map(({ message }) => ({ path, message })) ?? [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => findUnstorable(inner, [...path, key]));
}

const firstMessage = (errors: Record<string, string[]>) => Object.values(errors)[0]?.[0];

/** The server records the token's user; a call that names another one is refused (DECISIONS §3). */
function refusalOfStamps(input: Record<string, unknown>, caller: Caller): AppError | undefined {
  const foreign = STAMPS.filter(
    (stamp) => typeof input[stamp] === 'string' && input[stamp] !== '' && input[stamp] !== caller.id,
  );
  if (foreign.length === 0) return undefined;
  const message = 'This is not the signed-in user.';
  return new AppError('wrong-caller', { errors: Object.fromEntries(foreign.map((stamp) => [stamp, [message]])) });
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

/** A file name as RFC 8187 writes it: encodeURIComponent leaves some characters that it does not allow. */
const fileNameParameter = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** Waits for the operation, or answers 202 where that takes long or the caller does not want to wait (DECISIONS §8). */
async function answerOperation(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  contractRoute: ContractRoute,
  operationId: string,
): Promise<FastifyReply> {
  const respondAsync = /(^|,)\s*respond-async\s*(;|,|$)/i.test(String(request.headers.prefer ?? ''));
  const outcome = await waitForOperation(context, operationId, respondAsync);
  if (outcome) return send(reply, contractRoute, outcome);
  if (respondAsync) reply.header('preference-applied', 'respond-async');
  const message = 'This takes a while and goes on in the background.';
  return reply
    .code(202)
    .header('cache-control', 'no-store')
    .header('location', `${BASE_PATHS.api}/operations/getbyid?id=${operationId}`)
    .send({ status: 202, success: true, message, result: { operationId } });
}

/** Writes the answer's envelope; undeclared fields of a result never leave (HOUSE rule 4). */
function send(
  reply: FastifyReply,
  contractRoute: ContractRoute,
  output: Exclude<Output, { operationId: string }>,
): FastifyReply {
  if ('file' in output) {
    const { content, name, sizeBytes } = output.file;
    return reply
      .header('cache-control', 'no-store')
      .header('content-length', sizeBytes)
      .header('content-disposition', `attachment; filename*=UTF-8''${fileNameParameter(name)}`)
      .type('application/octet-stream')
      .send(content);
  }
  reply.header('cache-control', 'no-store').type('application/json; charset=utf-8');
  if ('json' in output) return reply.send(`{"status":200,"success":true,"message":"","result":${output.json}}`);
  const result = contractRoute.result.parse(output.result);
  return reply.send({ status: 200, success: true, message: output.message ?? '', result });
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** The body is a file: it is handed on as it comes, and may take its time. */
    upload?: boolean;
  }
}
