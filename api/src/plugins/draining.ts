import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Connections } from './connections.ts';

/** How long after a request for /readyz somebody counts as polling it, in milliseconds: balancers ask every few seconds. */
const FOLLOWED_FOR = 60_000;

/** What a server does between the signal to stop and the stop. */
export interface Draining {
  /** Notes that somebody polls /readyz. @returns whether the server takes new callers */
  isReady(): boolean;
}

/**
 * Lets a server stop without a failed call. `app.drain` makes /readyz a 503, and gives balancers that poll it time to move to other
 * servers. Calls are still answered, and each answer closes its connection (RFC 9112 §9.6).
 */
export function registerDraining(app: FastifyInstance, connections: Connections): Draining {
  let isDraining = false;
  let lastAsked = Number.NEGATIVE_INFINITY;
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isDraining) reply.header('connection', 'close');
    done();
  });
  app.addHook('preClose', async () => connections.closeIdle());
  app.decorate('drain', async (seconds: number, hurry: AbortSignal) => {
    isDraining = true;
    hurry.addEventListener('abort', () => connections.closeAll());
    const isFollowed = performance.now() - lastAsked < FOLLOWED_FOR;
    if (isFollowed) await setTimeout(seconds * 1000, undefined, { signal: hurry }).catch(() => {});
  });
  return {
    isReady() {
      lastAsked = performance.now();
      return !isDraining;
    },
  };
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Call it before `close`.
     * @param seconds how long to wait for balancers; if nobody polls /readyz, it does not wait
     * @param hurry when aborted, ends the wait, and then all open connections
     */
    drain(seconds: number, hurry: AbortSignal): Promise<void>;
  }
}
