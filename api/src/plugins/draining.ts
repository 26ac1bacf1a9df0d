import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Connections } from './connections.ts';

/** Whoever asked for /readyz this recently follows it, in milliseconds: balancers ask every few seconds. */
const FOLLOWED_FOR = 60_000;

/** What a server does between the word that it stops and its stop. */
export interface Draining {
  /** Notes that somebody follows /readyz. @returns whether the server takes new callers */
  isReady(): boolean;
}

/**
 * Lets a server be stopped without a failed call: `app.drain` turns /readyz 503 and gives those who follow it time to go
 * elsewhere. Calls are answered all the same, and each answer closes its connection (RFC 9112 §9.6).
 */
export function registerDraining(app: FastifyInstance, connections: Connections): Draining {
  let isDraining = false;
  let lastAsked = Number.NEGATIVE_INFINITY;
  app.addHook('onSend', async (_request, reply) => {
    if (isDraining) reply.header('connection', 'close');
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
     * Is to be called before `close`.
     * @param seconds that those who follow /readyz have; where nobody does, none pass
     * @param hurry ends the wait, and then what is still open
     */
    drain(seconds: number, hurry: AbortSignal): Promise<void>;
  }
}
