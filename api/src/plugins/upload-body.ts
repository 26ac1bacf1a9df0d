import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

/**
 * Streams the body of an upload to its handler, and cuts off slow clients: a JSON body must arrive completely within `timeout`, an
 * upload must go on within it (DECISIONS §3). While the server is the slow one, the client's time stands still.
 * @param timeout milliseconds
 */
export function registerUploadBody(app: FastifyInstance, timeout: number): void {
  app.addContentTypeParser('application/octet-stream', (request, payload, done) => {
    if (request.routeOptions.config.upload) return done(null, apart(payload));
    return done(new AppError('unsupported-media-type'));
  });
  app.addHook('preParsing', async (request, reply, payload) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (!Number(length) && !encoding) return;
    const stop = watch(request, timeout);
    for (const event of ['end', 'close', 'error']) payload.once(event, stop);
    // A call that is answered before its body is read waits for none of it.
    reply.raw.once('finish', stop);
  });
}

/** A stream of a body. When its reader fails, as on a full disk, the request stays whole: the rest is read and thrown away (unread-body.ts). */
function apart(payload: Readable): Readable {
  const body = Readable.from(chunksOf(payload), { objectMode: false });
  // As with the request itself: without a reader nobody needs to know that the client has gone.
  return body.on('error', () => {});
}

async function* chunksOf(payload: Readable): AsyncGenerator<Buffer> {
  // An error of the reader ends this loop as a return does. The iterator itself would take it for one of the payload.
  for await (const chunk of payload.iterator({ destroyOnReturn: false })) yield chunk;
}

/** Cuts the connection when a body is late. @returns a function that ends the watch */
function watch({ raw, routeOptions }: FastifyRequest, timeout: number): () => void {
  const { socket } = raw;
  let seen = socket.bytesRead;
  let wasFull = false;
  const timer = setInterval(() => {
    // It has come whole, though the server may not have read it yet: nothing of the client is late any more.
    if (raw.complete) return clearInterval(timer);
    // The buffer is full, so the server is the slow one. When it is read, the client has a whole `timeout` again.
    const isFull = raw.readableLength >= raw.readableHighWaterMark;
    if (routeOptions.config.upload && (socket.bytesRead > seen || isFull || wasFull)) {
      seen = socket.bytesRead;
      wasFull = isFull;
      return;
    }
    clearInterval(timer);
    socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
    socket.destroySoon();
  }, timeout);
  return () => clearInterval(timer);
}
