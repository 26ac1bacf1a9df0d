import type { ContractRoute } from '@apotheca/contract/route';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/platform.ts';
import { AppError } from '../../errors.ts';
import { recordRefusal } from '../auth/callers.service.ts';
import { refuseByConstraint } from './permission-refusals.ts';
import { lockPermissions } from './permissions.repository.ts';

/**
 * Runs a change of permissions, menus or roles in a transaction, one at a time. A refusal for a missing permission is audited.
 * @param call the one that asks for it
 * @throws AppError already-exists, invalid for an unknown role; what `work` throws
 */
export async function changePermissions<T>(
  context: Context,
  actor: Actor,
  call: ContractRoute,
  work: (trx: Trx) => Promise<T>,
): Promise<T> {
  try {
    return await context.platform.transaction().execute(async (trx) => {
      await lockPermissions(trx);
      return work(trx);
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-allowed') {
      await recordRefusal(context, actor, call.path, error);
    }
    return refuseByConstraint(error);
  }
}
