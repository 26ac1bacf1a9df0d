import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../actor.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';

/** The time in which calls are counted, in seconds. */
const WINDOW = 60;
/** Of how many callers this process knows the counts; the one that was not heard of for longest is forgotten first. */
const KNOWN = 10_000;

/** The calls that a program has made since its window began. */
interface Window {
  calls: number;
  endsAt: number;
}

/** How a call stands: how many more there may be, and seconds until they are counted anew. */
interface Rate {
  remaining: number;
  seconds: number;
}

/**
 * Limits the calls of each API key and API token. Each process counts for itself. Every answer says how the caller stands
 * (draft-ietf-httpapi-ratelimit-headers-10).
 * @param perMinute 0: no limit
 */
export function registerRateLimit(app: FastifyInstance, { now }: Context, perMinute: number): void {
  const windows = new LRUCache<string, Window>({ max: KNOWN });
  app.decorateRequest('rate');
  app.decorate('countCall', (request: FastifyRequest) => {
    const program = programOf(request.caller);
    if (perMinute === 0 || program === undefined) return;
    const time = now().getTime();
    const known = windows.get(program);
    // One that ends later was begun by a clock that was ahead: it would last for as long as that was.
    const isOpen = known && known.endsAt > time && known.endsAt <= time + WINDOW * 1_000;
    const window = isOpen ? known : { calls: 0, endsAt: time + WINDOW * 1_000 };
    if (window !== known) windows.set(program, window);
    window.calls += 1;
    const seconds = Math.ceil((window.endsAt - time) / 1_000);
    request.rate = { remaining: Math.max(0, perMinute - window.calls), seconds };
    if (window.calls <= perMinute) return;
    const message = `You may make ${perMinute} calls a minute. Please wait and try again.`;
    throw new AppError('too-many', { message, retryAfter: seconds });
  });
  app.addHook('onSend', async ({ rate }, reply) => {
    if (!rate) return;
    reply.header('ratelimit-policy', `"minute";q=${perMinute};w=${WINDOW}`);
    reply.header('ratelimit', `"minute";r=${rate.remaining};t=${rate.seconds}`);
  });
}

/** The API key or the session of an API token that a call came with; undefined: a person calls. */
const programOf = ({ key, readOnly, sessionId }: Caller): string | undefined =>
  key?.publicId ?? (readOnly ? sessionId : undefined);

declare module 'fastify' {
  interface FastifyRequest {
    rate: Rate | undefined;
  }
  interface FastifyInstance {
    /** Counts a call whose caller was found. @throws AppError too-many */
    countCall(request: FastifyRequest): void;
  }
}
