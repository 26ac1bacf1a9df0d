import type { FastifyInstance } from 'fastify';

/**
 * Ends the connection of a client that keeps sending a body after its call was answered, as when its token was refused. Until the
 * timeout the body is read and thrown away, so that the answer arrives.
 * @param timeout milliseconds
 */
export function registerUnreadBody(app: FastifyInstance, timeout: number): void {
  app.addHook('onRequest', ({ raw }, reply, done) => {
    // Taken now: a request whose reader failed, as on a full disk, has lost its socket when it is answered.
    const { socket } = raw;
    reply.raw.once('finish', () => {
      // Injected calls have no `complete`.
      if (raw.complete !== false) return;
      // A reader that failed may let go of it only later: the listener makes it go on then.
      raw.on('data', () => {}).resume();
      const timer = setTimeout(() => raw.complete || socket.destroy(), timeout);
      raw.once('end', () => clearTimeout(timer));
      socket.once('close', () => clearTimeout(timer));
    });
    done();
  });
}
