import type { FastifyInstance } from 'fastify';

/**
 * Ends the connection of a client that goes on sending a body of which nothing is wanted any more: its call has been answered
 * without it, as with a token that is refused. What comes in time is read and thrown away, so that the answer arrives.
 * @param timeout milliseconds
 */
export function registerUnreadBody(app: FastifyInstance, timeout: number): void {
  app.addHook('onResponse', async ({ raw }) => {
    // An injected call has no such thing.
    if (raw.complete !== false) return;
    const { socket } = raw;
    const timer = setTimeout(() => socket.destroy(), timeout);
    for (const event of ['end', 'close'] as const) raw.once(event, () => clearTimeout(timer));
  });
}
