import type { ContractRoute } from '@apotheca/contract/route';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/platform.ts';
import { auditingRefusals } from '../auth/callers.service.ts';
import { refuseByConstraint } from './permission-refusals.ts';
import { lockPermissions } from './permissions.repository.ts';

/**
 * Runs a change of permissions, menus or roles in a transaction, one at a time. A refusal for a missing permission is audited.
 * @param call the one that asks for it
 * @throws AppError already-exists, invalid for an unknown role; what `work` throws
 */
export function changePermissions<T>(
  context: Context,
  actor: Actor,
  call: ContractRoute,
  work: (trx: Trx) => Promise<T>,
): Promise<T> {
  return auditingRefusals(context, actor, call.path, async (trx) => {
    await lockPermissions(trx);
    return work(trx);
  }).catch(refuseByConstraint);
}
