import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Context } from '../context.ts';
import { type JsonList, type ReadTables, selectJsonList, type TrackedList } from '../db/json-list.ts';
import { PRODUCT_VERSION } from '../product-version.ts';
import { acceptedBy, COMPRESSED_FROM, type Coding, compress } from './content-coding.ts';
import { namesTag } from './entity-tag.ts';
import { type Body, ListCache } from './list-cache.ts';

/** Bytes of lists that a server process keeps. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** Makes room for lists in memory. */
export function registerLists(app: FastifyInstance): ListCache {
  const cache = new ListCache(KEPT_BYTES);
  app.decorate('lists', cache);
  return cache;
}

/**
 * Answers a list: with 304 where the caller has it already, from memory where it has not changed. An answer is never older than its
 * call: the version of the list's tables was read with the caller, and memory answers for that version only.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 If-None-Match
 */
export async function answerList(
  { pool }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { tables, select }: TrackedList<never>,
  query: unknown,
): Promise<FastifyReply> {
  const list = select(query as never);
  const { lists } = request.server;
  const fingerprint = fingerprintOf(list);
  const etag = etagOf(fingerprint, request.listVersion);
  reply.header('cache-control', 'private, no-cache').header('vary', 'Accept-Encoding, Authorization');
  if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).header('etag', etag).send();

  const plain = () => lists.get(fingerprint, etag, () => build(pool, list, tables, fingerprint));
  const { coding } = acceptedBy(request.headers['accept-encoding']);
  const body = await (coding
    ? lists.get(`${fingerprint} ${coding}`, etag, async () => encode(await plain(), coding))
    : plain());
  if (body.encoding) reply.header('content-encoding', body.encoding);
  return reply.header('etag', body.etag).type('application/json; charset=utf-8').send(body.bytes);
}

async function build(pool: pg.Pool, list: JsonList, tables: ReadTables, fingerprint: string): Promise<Body> {
  const { json, version } = await selectJsonList(pool, list, tables);
  const result = list.toResult ? await list.toResult(json) : json;
  const bytes = Buffer.from(`{"status":200,"success":true,"message":"","result":${result}}`);
  return { etag: etagOf(fingerprint, version), bytes };
}

async function encode(body: Body, coding: Coding): Promise<Body> {
  if (body.bytes.length < COMPRESSED_FROM) return body;
  return { etag: body.etag, bytes: await compress(body.bytes, coding), encoding: coding };
}

/** Fingerprints of lists, by their name and values: hashing the text anew took a twentieth of an answer that nothing has changed. */
const fingerprints = new LRUCache<string, string, Fingerprinted>({
  max: 1_000,
  memoMethod: (_key, _stale, { context: { list, release } }) =>
    createHash('sha256')
      .update(JSON.stringify([list.rows, list.values ?? [], release]))
      .digest('base64url')
      .slice(0, 16),
});

interface Fingerprinted {
  list: JsonList;
  release: string;
}

/** Tells lists apart: by their text, their values, and the release, whose code may make another result of the same rows. */
export const fingerprintOf = (list: JsonList, release = PRODUCT_VERSION): string =>
  fingerprints.memo(JSON.stringify([list.name, list.values, release]), { context: { list, release } });

/** Weak, as it is the same in every content coding. */
const etagOf = (fingerprint: string, version: string): string => `W/"${fingerprint}.${version}"`;

declare module 'fastify' {
  interface FastifyInstance {
    lists: ListCache;
  }
}
