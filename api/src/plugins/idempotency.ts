import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { ContractRoute } from '@apotheca/contract/route';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import {
  attemptCall,
  deleteKeysBefore,
  findKeptCall,
  HELD_SECONDS,
  holdKey,
  type KeptCall,
  type KeyedCall,
  keepAnswer,
  releaseKey,
  takeKey,
} from '../db/keyed-calls.ts';
import { AppError, fieldError } from '../errors.ts';
import { decrypt, encrypt } from '../secrets.ts';
import type { Output } from './answers.ts';

/** How long keys are kept, in milliseconds: a day. */
const KEPT = 24 * 60 * 60 * 1000;
/** How often an attempt that goes on is seen to, in milliseconds. */
const SEEN_TO = (HELD_SECONDS * 1_000) / 3;
/** How long a call waits for another attempt with its key, in milliseconds, and how often it looks. */
const WAIT = { most: (HELD_SECONDS + 2) * 1_000, look: 100 };

/**
 * Does the work of a call. Where the call takes idempotency keys and came with one, the work is done once: who comes again is answered
 * the same (draft-ietf-httpapi-idempotency-key-header).
 * @throws AppError key-reused for a key of another call; key-busy while another attempt goes on
 */
export async function doOnce(
  context: Context,
  request: FastifyRequest,
  route: ContractRoute,
  input: { query: unknown; body: unknown },
  work: () => Promise<Output>,
): Promise<Output> {
  const key = route.keyed ? readKey(request) : undefined;
  if (key === undefined) return work();
  const { id, key: apiKey } = request.caller;
  const asked = JSON.stringify([route.method, route.base, route.path, input.query, input.body]);
  // With a key, as a call may have a password in it that could be guessed by a plain digest, as fast as such are made.
  const call: KeyedCall = {
    caller: apiKey?.publicId ?? id,
    key,
    request: createHmac('sha256', context.keys.keyedCalls).update(asked).digest(),
    attempt: randomUUID(),
  };
  return (await waitForOther(context, route, call)) ?? attempt(context, call, work);
}

/** The key of a call, with or without the quotes of a structured field (RFC 9651 §3.3.3); undefined: it came without one. */
function readKey({ headers }: FastifyRequest): string | undefined {
  const sent = headers['idempotency-key'];
  if (sent === undefined) return undefined;
  const [, key] = /^"?([!#-[\]-~]{1,255})"?$/.exec(String(sent)) ?? [];
  if (key) return key;
  throw fieldError(
    'invalid',
    'Idempotency-Key',
    'Idempotency-Key should be 1 to 255 printable ASCII characters without blanks, quotes and backslashes',
  );
}

/** Takes the key. @returns what another attempt has made; undefined: the key is this attempt's */
async function waitForOther(context: Context, route: ContractRoute, call: KeyedCall): Promise<Output | undefined> {
  const deadline = after(context.now(), WAIT.most);
  for (;;) {
    const now = context.now();
    if (await takeKey(context.platform, call, now)) return undefined;
    const kept = await findKeptCall(context.platform, call);
    if (kept && !kept.request.equals(call.request)) throw new AppError('key-reused');
    const output = kept && outputOf(context, route, kept);
    if (output) return output;
    if (now > deadline) throw new AppError('key-busy', { retryAfter: 1 });
    await setTimeout(WAIT.look);
  }
}

function outputOf(context: Context, route: ContractRoute, kept: KeptCall): Output | undefined {
  const { operationId, answer, madeId, isOver } = kept;
  if (operationId) return { operationId };
  if (answer) return JSON.parse(decrypt(context.keys.answers, answer));
  if (madeId === null || !isOver) return undefined;
  // The server was killed between the two. Most calls answer with nothing but the id of what they made.
  const { success, data } = route.result.safeParse({ id: madeId });
  if (success) return { result: data };
  const message = `This was done (${madeId}), but the server was stopped before it could answer.`;
  throw new AppError('conflict', { message });
}

async function attempt(context: Context, call: KeyedCall, work: () => Promise<Output>): Promise<Output> {
  const { platform, keys } = context;
  const holding = setInterval(() => void holdKey(platform, call).catch(() => {}), SEEN_TO);
  try {
    const output = await attemptCall(call, work);
    const answer = 'operationId' in output ? undefined : encrypt(keys.answers, JSON.stringify(output));
    // What was made stands noted with the key, so this call is done whatever becomes of its answer.
    if (answer) await keepAnswer(platform, call, answer).catch(() => {});
    return output;
  } catch (error) {
    await releaseKey(platform, call).catch(() => {});
    throw error;
  } finally {
    clearInterval(holding);
  }
}

const after = (moment: Date, milliseconds: number): Date => new Date(moment.getTime() + milliseconds);

/** Forgets keys that were kept long enough. */
export const forgetOldKeys = ({ platform, now }: Context, stopping?: AbortSignal): Promise<void> =>
  deleteKeysBefore(platform, after(now(), -KEPT), stopping);
