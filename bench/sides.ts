// The servers that answer one list: Apotheca's, two floors with the same bytes, and an earlier commit of Apotheca.
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { get as httpGet } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { withDatabaseName } from '../api/src/db/connections/connection-string.ts';
import { type Installation, signIn } from './installation.ts';
import type { List } from './lists.ts';
import type { Request } from './load.ts';
import { type RunningProcess, startFloor, startServer } from './processes.ts';
import { withClient } from './rows.ts';

export interface Side {
  name: string;
  process: RunningProcess;
  request: Request;
  /** Changes a row that the list shows; absent: nothing can. */
  write?(): Promise<unknown>;
}

export interface Sides {
  ours: Side;
  plain: Side;
  buffer: Side;
  earlier?: Side;
}

export const ENCODINGS = { 'accept-encoding': 'gzip, deflate, br, zstd' };

/** Runs `work` with a server a side, all of which have the same rows. */
export async function withSides<T>(
  installation: Installation,
  list: List,
  work: (sides: Sides) => Promise<T>,
): Promise<T> {
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const ours = await startApotheca('Apotheca', installation.environment.DATABASE_URL, list, stops, () =>
      startServer(installation.environment),
    );
    const answer = (await fetchAnswer(ours.request)).body;
    const plain = await startPlain(installation, list, answer, stops);
    const buffer = await startBuffer(answer, stops);
    const earlier = installation.earlier;
    if (!earlier) return await work({ ours, plain, buffer });
    const { ref, root, environment } = earlier;
    const start = () => startServer(environment, root);
    return await work({
      ours,
      plain,
      buffer,
      earlier: await startApotheca(ref, environment.DATABASE_URL, list, stops, start),
    });
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

async function startApotheca(
  name: string,
  databaseUrl: string,
  list: List,
  stops: (() => Promise<unknown>)[],
  start: () => Promise<RunningProcess>,
): Promise<Side> {
  const server = await start();
  stops.push(server.stop);
  const path = await withClient(databaseUrl, (client) => list.fill(client, list.rows));
  const request = {
    url: `${server.url}/api${path}`,
    headers: { authorization: `Bearer ${await signIn(server.url)}` },
  };
  const { body } = await fetchAnswer(request);
  const { table, column } = list.written;
  return {
    name,
    process: server,
    request,
    write: openWriter(databaseUrl, { table, column }, lastIdOf(body, list), stops),
  };
}

/** A table that has the rows of an answer ready, in a database of its own on the same PostgreSQL, behind a bare server. */
async function startPlain(
  { environment }: Installation,
  list: List,
  answer: Buffer,
  stops: (() => Promise<unknown>)[],
): Promise<Side> {
  const table = `plain_${randomUUID().replaceAll('-', '')}`;
  const database = 'bench_plain';
  await withClient(environment.DATABASE_URL, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
    if (rowCount === 0) await client.query(`create database ${database}`);
  });
  const url = withDatabaseName(environment.DATABASE_URL, database);
  await withClient(url, (client) => makePlainTable(client, table, list, answer));
  const server = await startFloor('plain.ts', { DATABASE_URL: url, PLAIN_TABLE: table });
  stops.push(server.stop);
  const request = { url: server.url };
  const { body } = await fetchAnswer(request);
  // The list's answer may have a few more fields around its rows, or other white space.
  if (Math.abs(body.length - answer.length) > 100 + answer.length / 50)
    throw new Error(`The plain table's answer has ${body.length} bytes, the list's ${answer.length}.`);
  const write = openWriter(url, { table, column: `"${list.written.field}"` }, lastIdOf(answer, list), stops);
  return { name: 'plain json_agg', process: server, request, write };
}

/** Columns of the cheapest types that give the same JSON: nothing is formatted when it is read. */
async function makePlainTable(client: pg.Client, table: string, list: List, answer: Buffer): Promise<void> {
  const rows = rowsOf(answer, list);
  const typeOf = (field: string) => {
    const value = rows.map((row) => row[field]).find((each) => each !== null);
    if (typeof value === 'boolean') return 'boolean';
    if (typeof value === 'number') return Number.isInteger(value) ? 'bigint' : 'double precision';
    return typeof value === 'object' ? 'json' : 'text';
  };
  const columns = Object.keys(rows[0] ?? {}).map((field) => `"${field}" ${typeOf(field)}`);
  await client.query(`create table ${table} (${columns.join(', ')}, primary key (id))`);
  const path = ['result', ...(list.key ? [list.key] : [])];
  // As text, so that PostgreSQL keeps the white space inside of JSON columns.
  await client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1::json #> $2)`, [
    answer.toString(),
    path,
  ]);
  await client.query(`vacuum analyze ${table}`);
}

/** A server that has the bytes of an answer ready. */
export async function startBuffer(answer: Buffer, stops: (() => Promise<unknown>)[]): Promise<Side> {
  const file = join(tmpdir(), `apotheca-bench-${randomUUID()}.json`);
  await writeFile(file, answer);
  const server = await startFloor('buffer.ts', { BODY_FILE: file });
  await rm(file);
  stops.push(server.stop);
  return { name: 'ready buffer', process: server, request: { url: server.url } };
}

/** Turns a text of one row around, which changes the answer and keeps its length. Nothing is waited for that only durability needs. */
function openWriter(
  url: string,
  { table, column }: { table: string; column: string },
  id: string,
  stops: (() => Promise<unknown>)[],
): () => Promise<unknown> {
  const pool = new pg.Pool({ connectionString: url, max: 1, options: '-c synchronous_commit=off' });
  stops.push(() => pool.end());
  return () => pool.query(`update ${table} set ${column} = reverse(${column}) where id = $1`, [id]);
}

function rowsOf(answer: Buffer, { key }: List): Record<string, unknown>[] {
  const { result } = JSON.parse(answer.toString());
  return key ? result[key] : result;
}

const lastIdOf = (answer: Buffer, list: List): string => String(rowsOf(answer, list).at(-1)?.id);

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** As it was sent. */
  body: Buffer;
  /** Bytes on the wire, headers among them. */
  bytes: number;
}

/** One answer over a connection of its own. @throws when it is not 200 or 304 */
export async function fetchAnswer({ url, headers = {} }: Request): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const request = httpGet(url, { headers, agent: false }, async (response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    const { statusCode: status = 0, headers: answered, socket } = response;
    resolve({ status, headers: answered, body: Buffer.concat(chunks), bytes: socket.bytesRead });
  });
  request.on('error', reject);
  const answer = await promise;
  if (answer.status !== 200 && answer.status !== 304) throw new Error(`${url}: ${answer.status} ${answer.body}`);
  return answer;
}
