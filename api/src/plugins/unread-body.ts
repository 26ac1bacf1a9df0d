import type { FastifyInstance } from 'fastify';

/**
 * Ends the connection of a client that keeps sending a body after its call was answered, as when its token was refused. Until the
 * timeout the body is read and thrown away, so that the answer arrives.
 * @param timeout milliseconds
 */
export function registerUnreadBody(app: FastifyInstance, timeout: number): void {
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    // Injected calls have no `complete`.
    if (raw.complete === false) {
      const { socket } = raw;
      const timer = setTimeout(() => socket.destroy(), timeout);
      for (const event of ['end', 'close'] as const) raw.once(event, () => clearTimeout(timer));
    }
    done();
  });
}
