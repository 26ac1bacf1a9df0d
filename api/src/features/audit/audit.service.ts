import type { Verification } from '@apotheca/contract/audit';
import type { Actor } from '../../actor.ts';
import { appendAudit } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { readVerification, requestVerification } from './verification.repository.ts';

/** How the newest verification ended, and how far one is that is under way. */
export async function getVerification({ platform, now }: Context): Promise<Verification> {
  const { requestedAt, checked, entries, endedAt, verified, problem } = await readVerification(platform, now());
  return {
    isUnderWay: requestedAt !== null,
    checked: Number(checked),
    entries: Number(entries),
    endedOnUtc: endedAt?.toISOString() ?? null,
    verified: Number(verified),
    problem,
  };
}

/** Asks for a verification, which a server process begins within seconds. @returns false if one is under way already */
export function startVerification(context: Context, actor: Actor): Promise<boolean> {
  return context.platform.transaction().execute(async (trx) => {
    if (!(await requestVerification(trx, context.now()))) return false;
    await appendAudit(context, trx, { actor, action: 'audit.verify', entity: 'audit', entityId: '' });
    return true;
  });
}
