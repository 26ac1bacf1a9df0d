import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { registerUnreadBody } from './unread-body.ts';

/** Short, as the test waits for it. */
const TIMEOUT = 100;

async function listen(take: (request: FastifyRequest) => Promise<unknown>): Promise<FastifyInstance> {
  const app = Fastify();
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
  registerUnreadBody(app, TIMEOUT);
  app.post('/upload', take);
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  return app;
}

/** Begins an upload that is announced as longer than what is sent of it. */
function begin(app: FastifyInstance): Socket {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    'POST /upload HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\nContent-Length: 9999999\r\n\r\n',
  );
  socket.write(Buffer.alloc(1_000_000));
  return socket;
}

const closeOf = (socket: Socket) => new Promise((fulfil) => socket.once('close', fulfil));

/** As a full disk ends the reading of a body. */
const fail = ({ body }: FastifyRequest) =>
  pipeline(body as Readable, async (chunks: AsyncIterable<Buffer>) => {
    for await (const _chunk of chunks) throw new Error('No space left on device');
  });

it('a body whose reader failed is answered, and then its connection ended [§7]', async () => {
  const socket = begin(await listen(fail));
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  await closeOf(socket);
  expect(answer).toMatch(/^HTTP\/1.1 500 /);
});

it('a client that has gone by then does no harm [§7]', async () => {
  const app = await listen(fail);
  const socket = begin(app);
  await once(socket, 'data');
  socket.destroy();
  // A failure in the timer would end the process, and this test.
  const other = begin(app);
  await closeOf(other.resume());
});
