import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

/**
 * Hands the body of an upload on as it comes, and cuts off clients that are slow to send theirs: a JSON body has `timeout` for the
 * whole of it, an upload for each part (DECISIONS §3). While the server is the slow one, the client's time stands still.
 * @param timeout milliseconds
 */
export function registerUploadBody(app: FastifyInstance, timeout: number): void {
  app.addContentTypeParser('application/octet-stream', (request, payload, done) => {
    if (request.routeOptions.config.upload) return done(null, payload);
    return done(new AppError('unsupported-media-type'));
  });
  app.addHook('preParsing', async (request, _reply, payload) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (!Number(length) && !encoding) return;
    const stop = watch(request, timeout);
    for (const event of ['end', 'close', 'error']) payload.once(event, stop);
  });
}

/** Cuts the connection when nothing, or not all, of a body has come in time. @returns a function that ends the watch */
function watch({ raw, routeOptions }: FastifyRequest, timeout: number): () => void {
  const { socket } = raw;
  let seen = socket.bytesRead;
  let wasFull = false;
  const timer = setInterval(() => {
    // Nothing more is read from the client until what it has sent is taken out; then it has a whole `timeout` again.
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
