import type { Actor } from '../../actor.ts';
import { appendAuditBy } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { auditRepeated } from './noted-refusals.ts';
import { HOUR_SECONDS } from './session-times.ts';
import {
  type Attempt,
  addressSubject,
  appendFirstOfDelay,
  type Delay,
  findDelay,
} from './sign-in-attempts.repository.ts';

/** How many attempts have no delay, and the longest delay after them, for an account and for an address. */
export const SIGN_IN_LIMITS = {
  account: { blockAfter: 5, maxBlockSeconds: 15 * 60, forgetAfterSeconds: HOUR_SECONDS },
  address: { blockAfter: 50, maxBlockSeconds: 5 * 60, forgetAfterSeconds: HOUR_SECONDS },
};

/** An attempt that was not counted, and whose attempts count with it; null: the address's alone. */
interface BlockedAttempt extends Pick<Attempt, 'what' | 'now' | 'limits'> {
  subject: string | null;
}

/**
 * Refuses an attempt that was not counted, as its subject or its address is blocked, and says when to try again.
 * @throws AppError too-many
 */
export async function refuseBlocked(
  context: Context,
  actor: Actor,
  { subject, ...attempt }: BlockedAttempt,
  { action, what } = { action: 'auth.sign-in-blocked', what: 'failed sign-ins' },
): Promise<never> {
  const { now } = attempt;
  const delay = await findDelay(context.platform, { ...attempt, address: actor.address }, subject);
  if (!(delay && (await tellOf(context, actor, action, delay)))) {
    const kind = `${action} ${delay?.subject ?? addressSubject(actor.address)}`;
    await auditRepeated(context, kind, actor, action);
  }
  const retryAfter = Math.max(1, Math.ceil(((delay?.until ?? now).getTime() - now.getTime()) / 1000));
  throw new AppError('too-many', {
    retryAfter,
    message: `Too many ${what}. Try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`,
  });
}

/** Notes the first attempt that a delay blocks: its entry says until when. @returns false for all others */
function tellOf(context: Context, actor: Actor, action: string, delay: Delay): Promise<boolean> {
  const event = {
    actor,
    action,
    entity: 'users',
    entityId: actor.id ?? '',
    changes: { blockedUntil: delay.until.toISOString() },
  };
  return appendAuditBy(context, context.platform, event, (platform, next) =>
    appendFirstOfDelay(platform, { ...next, ...delay }),
  );
}
