// Consoles that read lists, in a process of their own: they write ready bytes to sockets and look for little in what comes back, so that they
// take as few of the processors as can be from the servers. One task after the other comes from the process that started this one.
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { quantile } from './measurements.ts';

export interface Reading {
  /** Servers; the consoles are spread over them. */
  urls: string[];
  /** Asked for in turn. */
  paths: string[];
  /** Of each request. */
  headers: Record<string, string>;
  consoles: number;
  /** How long they read. */
  milliseconds: number;
  /** Statements that are sent in turn, one after so many answers, and not waited for. */
  writes?: { databaseUrl: string; statements: string[]; every: number };
}

export interface Read {
  answers: number;
  /** Those of them that brought the list, as it had changed. */
  full: number;
  answersPerSecond: number;
  p99: number;
}

process.on('message', async (reading: Reading) => {
  process.send?.(await read(reading));
});

async function read({ urls, paths, headers, consoles, milliseconds, writes }: Reading): Promise<Read> {
  const pool = writes && new pg.Pool({ connectionString: writes.databaseUrl, max: 1 });
  const sent: Promise<unknown>[] = [];
  const times: number[] = [];
  let full = 0;
  const onAnswer = (status: number, time: number) => {
    times.push(time);
    if (status === 200) full += 1;
    if (!writes || !pool || times.length % writes.every > 0) return;
    const statement = writes.statements[sent.length % writes.statements.length] ?? '';
    sent.push(pool.query(statement));
  };
  const startedAt = performance.now();
  const endsAt = startedAt + milliseconds;
  const each = Array.from({ length: consoles }, (_, index) => {
    const url = new URL(urls[index % urls.length] ?? '');
    return readInTurn(url, { paths, headers, first: index, endsAt, onAnswer });
  });
  await Promise.all(each);
  const seconds = (performance.now() - startedAt) / 1000;
  await Promise.all(sent);
  await pool?.end();
  return { answers: times.length, full, answersPerSecond: times.length / seconds, p99: quantile(times, 0.99) };
}

interface Console {
  paths: string[];
  headers: Record<string, string>;
  /** Where in the paths it begins. */
  first: number;
  endsAt: number;
  onAnswer(status: number, time: number): void;
}

/** One console: asks for each list with the version that it knows of it, as a browser does. */
async function readInTurn(url: URL, { paths, headers, first, endsAt, onAnswer }: Console): Promise<void> {
  const lines = Object.entries({ host: url.host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const versions = new Map<string, string>();
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
  const ask = asking(socket);
  for (let turn = first; performance.now() < endsAt; turn += 1) {
    const path = paths[turn % paths.length] ?? '';
    const version = versions.get(path);
    const known = version === undefined ? '' : `if-none-match: ${version}\r\n`;
    const askedAt = performance.now();
    const { status, etag } = await ask(`GET ${path} HTTP/1.1\r\n${lines.join('')}${known}\r\n`);
    onAnswer(status, performance.now() - askedAt);
    versions.set(path, etag);
  }
  socket.destroy();
}

interface Answer {
  status: number;
  etag: string;
}

/** @returns what sends a request and waits for its answer. That throws when it is neither a list nor the word that it is unchanged */
function asking(socket: Socket): (request: string) => Promise<Answer> {
  let waiting: PromiseWithResolvers<Answer> | undefined;
  let head = '';
  /** Bytes of the body that are still to come, once the head is there. */
  let missing: number | undefined;
  socket.on('data', (chunk) => {
    let { length } = chunk;
    if (missing === undefined) {
      const before = head.length;
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      length -= end + 4 - before;
      missing = head.startsWith('HTTP/1.1 304') ? 0 : Number(/\ncontent-length: (\d+)/i.exec(head)?.[1]);
    }
    missing -= length;
    if (missing > 0) return;
    const status = Number(head.slice(9, 12));
    const etag = /\netag: (.+?)\r/i.exec(head)?.[1];
    if (etag === undefined || missing !== 0) waiting?.reject(new Error(`It was answered: ${head}`));
    else waiting?.resolve({ status, etag });
    head = '';
    missing = undefined;
  });
  for (const event of ['error', 'close'] as const)
    socket.on(event, () => waiting?.reject(new Error('The server closed the connection.')));
  return (request) => {
    waiting = Promise.withResolvers();
    socket.write(request);
    return waiting.promise;
  };
}
