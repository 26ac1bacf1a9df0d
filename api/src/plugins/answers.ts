import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { BASE_PATHS, type ContractRoute, type ResultOf } from '@apotheca/contract/route';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { waitForOperation } from '../operations/operations.service.ts';
import { namesTag } from './entity-tag.ts';
import { keysOfMessage } from './message-keys.ts';

/** A file as an answer. */
interface Download {
  content: Readable;
  name: string;
  /** Absent where it is made while it is sent. */
  sizeBytes?: number;
  /** Absent: any bytes. */
  type?: string;
}

/**
 * What a handler returns: the result with the message to show; for a download the file, for an operation its id.
 */
export type RouteOutput<Route> = Route extends { download: true }
  ? { file: Download }
  : Route extends { operation: true }
    ? { operationId: string }
    : { result: ResultOf<Route>; message?: string };

/** What the handler of any route returns. */
export type Output = { file: Download } | { operationId: string } | { result: unknown; message?: string };

/** Answers a call with what its handler returned. */
export function answer(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  contractRoute: ContractRoute,
  output: Output,
): FastifyReply | Promise<FastifyReply> {
  return 'operationId' in output
    ? answerOperation(context, request, reply, contractRoute, output.operationId)
    : send(reply, contractRoute, output, request.headers['if-none-match']);
}

/** Waits for the operation, or answers 202 if it takes long or the caller does not want to wait (DECISIONS §8). */
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
    .send({ status: 202, success: true, message, ...keysOfMessage(message), result: { operationId } });
}

/** Sends the envelope of an answer, without fields of the result that the contract does not declare (SPEC §7). */
function send(
  reply: FastifyReply,
  contractRoute: ContractRoute,
  output: Exclude<Output, { operationId: string }>,
  ifNoneMatch?: string,
): FastifyReply {
  if ('file' in output) {
    const { content, name, sizeBytes, type = 'application/octet-stream' } = output.file;
    if (sizeBytes !== undefined) reply.header('content-length', sizeBytes);
    return reply
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename*=UTF-8''${fileNameParameter(name)}`)
      .type(type)
      .send(content);
  }
  reply.header('cache-control', contractRoute.secret ? 'no-store, no-transform' : 'no-store');
  reply.type('application/json; charset=utf-8');
  const result = contractRoute.result.parse(output.result);
  const { message = '' } = output;
  const envelope = { status: 200, success: true, message, ...keysOfMessage(message), result };
  if (!contractRoute.tagged) return reply.send(envelope);
  const text = JSON.stringify(envelope);
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  reply.header('etag', etag).header('vary', 'Authorization');
  return namesTag(ifNoneMatch, etag) ? reply.code(304).send() : reply.send(text);
}

/**
 * A file name in the form of RFC 8187, which forbids some characters that encodeURIComponent keeps. Half a character, as at the end of a
 * name that was cut, becomes U+FFFD: encodeURIComponent throws there.
 */
const fileNameParameter = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
