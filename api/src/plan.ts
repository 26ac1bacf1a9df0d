import { createHash } from 'node:crypto';
import { AppError } from './errors.ts';

/** Names exactly this state of things. */
export const digestOf = (state: unknown): string =>
  createHash('sha256').update(JSON.stringify(state)).digest('base64url');

/**
 * Refuses a plan that no longer holds; the new one goes along.
 * @param sent the digest that came with the call; absent: it does what there is to do now
 * @param subject what the plan is about, as the sentence begins; absent: its database
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
