import { createHmac, randomBytes } from 'node:crypto';
import { SECRET_OVERLAP_HOURS } from '@apotheca/contract/webhooks';
import { isToCome } from '../../db/due-moments.ts';

const PREFIX = 'whsec_';

/** A new secret of a webhook, as Standard Webhooks writes them: 256 random bits in Base64. */
export const makeSecret = (): string => PREFIX + randomBytes(32).toString('base64');

/**
 * The headers by which a receiver knows who has sent an event, that it was not changed, and when it was sent (Standard Webhooks).
 * @param secrets the receiver needs one of them
 */
export function signatureHeaders(
  secrets: readonly string[],
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/** For how long the secret before a rotation counts too, in milliseconds. */
export const SECRET_OVERLAP = SECRET_OVERLAP_HOURS * 3_600_000;

/** Whether the secret before a rotation still counts; no longer where a clock that was ahead has said until when. */
export const isOverlapping = (previousUntil: Date | null, now: Date): previousUntil is Date =>
  isToCome(previousUntil, now, SECRET_OVERLAP);
