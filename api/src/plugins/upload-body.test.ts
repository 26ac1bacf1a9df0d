import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { registerUnreadBody } from './unread-body.ts';
import { registerUploadBody } from './upload-body.ts';

const TIMEOUT = 1_000;
/** More than Node reads ahead. */
const FILE = Buffer.alloc(1024 * 1024);

let app: FastifyInstance;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  app = Fastify();
  registerUploadBody(app, TIMEOUT);
});
afterEach(async () => {
  await app.close();
  vi.useRealTimers();
});

/** Sends bytes of an upload. @param length what is announced @returns all that is answered until the connection ends */
async function answerTo(
  sent: Buffer,
  take: (request: FastifyRequest) => Promise<number>,
  length = FILE.length,
): Promise<string> {
  app.post('/upload', { config: { upload: true } }, async (request) => ({ bytes: await take(request) }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => {});
  const head = 'POST /upload HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\nConnection: close';
  socket.write(`${head}\r\nContent-Length: ${length}\r\n\r\n`);
  socket.write(sent);
  await once(socket, 'close');
  return answer;
}

it('a client is not cut off while the server is the slow one, nor right after that [DECISIONS §3]', async () => {
  const answer = await answerTo(FILE, async ({ raw, body }) => {
    while (raw.readableLength < raw.readableHighWaterMark) await setImmediate();
    vi.advanceTimersByTime(10 * TIMEOUT);
    const taken: Buffer = raw.read();
    vi.advanceTimersByTime(TIMEOUT);
    let bytes = taken.length;
    for await (const chunk of body as Readable) bytes += chunk.length;
    return bytes;
  });
  expect(answer).toMatch(/^HTTP\/1.1 200 /);
  expect(answer).toContain(`{"bytes":${FILE.length}}`);
});

it('a client that stops is cut off, even if the server was slow before [DECISIONS §3]', async () => {
  const answer = await answerTo(FILE.subarray(1), async ({ raw, body }) => {
    while (raw.readableLength < raw.readableHighWaterMark) await setImmediate();
    vi.advanceTimersByTime(10 * TIMEOUT);
    let bytes = 0;
    (body as Readable).on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    while (bytes < FILE.length - 1) await setImmediate();
    vi.advanceTimersByTime(2 * TIMEOUT);
    return bytes;
  });
  expect(answer).toMatch(/^HTTP\/1.1 408 /);
});

it('a client whose upload has come whole is not cut off, however late the server reads it [DECISIONS §3]', async () => {
  const sent = Buffer.from('hello');
  const takeLate = async ({ raw, body }: FastifyRequest) => {
    while (!raw.complete) await setImmediate();
    vi.advanceTimersByTime(3 * TIMEOUT);
    let bytes = 0;
    for await (const chunk of body as Readable) bytes += chunk.length;
    return bytes;
  };
  const answer = await answerTo(sent, takeLate, sent.length);
  expect(answer).toMatch(/^HTTP\/1.1 200 /);
  expect(answer).toContain(`{"bytes":${sent.length}}`);
});

it('a call that is answered before its body is read leaves no watch over it [DECISIONS §3]', async () => {
  app.addHook('preParsing', async () => {
    throw new Error('Refused.');
  });
  app.post('/refused', async () => {});
  const { statusCode } = await app.inject({ method: 'POST', url: '/refused', payload: { of: 'no interest' } });
  expect(statusCode).toBe(500);
  expect(vi.getTimerCount()).toBe(0);
});

it('the connection goes on after an upload that could not be written [§8]', async () => {
  // This client is not to be cut off, however long it takes.
  registerUnreadBody(app, 300_000);
  app.get('/', async () => 'here');
  app.post('/upload', { config: { upload: true } }, ({ body }) =>
    pipeline(body as Readable, async (chunks: AsyncIterable<Buffer>) => {
      for await (const _chunk of chunks) throw new Error('No space left on device');
    }),
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  let answers = '';
  socket.on('data', (chunk) => {
    answers += chunk;
  });
  socket.write('POST /upload HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\n');
  socket.write(`Content-Length: ${FILE.length}\r\n\r\n`);
  socket.write(FILE);
  await once(socket, 'data');
  expect(answers).toMatch(/^HTTP\/1.1 500 /);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await once(socket, 'close');
  expect(answers).toMatch(/HTTP\/1.1 200 [\s\S]*here$/);
});
