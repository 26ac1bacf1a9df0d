import type { Actor } from '../../actor.ts';
import { changedVersion } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/platform.ts';
import { endSessionsOfUsers } from '../auth/auth.service.ts';
import { lockUsers, replaceRole } from './users.repository.ts';

/**
 * Gives everybody who has a role another one and ends their sessions, as an edit of each user does. From here on until the transaction
 * ends nobody can be given a role, so none is left with the old one.
 * @returns what `auditUsers` is to note of each, as an edit, once all else is written; deleted users get the role too, and are not noted
 */
export async function moveUsers(
  context: Context,
  trx: Trx,
  actor: Actor,
  from: string,
  to: string,
): Promise<ReadonlyMap<string, Record<string, unknown>>> {
  await lockUsers(trx);
  const moved = await replaceRole(trx, from, to, { updatedBy: actor.id, updatedAt: context.now() });
  const changesOf = new Map(
    moved.map(({ id, version }) => [id, changedVersion({ roleId: from, version }, { roleId: to })]),
  );
  await endSessionsOfUsers(context, trx, [...changesOf.keys()], 'role-changed');
  return changesOf;
}
