import { createHash } from 'node:crypto';
import { AppError } from './errors.ts';

/** A fingerprint: another state has another digest. */
export const digestOf = (state: unknown): string =>
  createHash('sha256').update(JSON.stringify(state)).digest('base64url');

/**
 * Refuses an outdated plan; the error carries the new one.
 * @param sent the digest that came with the call; absent: any plan will do
 * @param subject how the message begins: what has changed; absent: the plan's database
 * @throws AppError plan-changed
 */
export function refuseChangedPlan(
  sent: string | undefined,
  plan: { digest: string; databaseName?: string },
  subject = plan.databaseName,
): void {
  if (sent === undefined || sent === plan.digest) return;
  const message = subject && `${subject} has changed since it was looked at: please check again.`;
  throw new AppError('plan-changed', { ...(message && { message }), result: plan });
}
