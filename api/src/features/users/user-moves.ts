import type { Actor } from '../../actor.ts';
import { changedVersion } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/platform.ts';
import { endSessionsOfUsers } from '../auth/auth.service.ts';
import { auditUsers } from './user-change.ts';
import { lockUsers, replaceRole } from './users.repository.ts';

/**
 * Gives everybody who has a role another one and ends their sessions, as an edit of each user does. From here on until the transaction
 * ends nobody can be given a role, so none is left with the old one.
 * @returns how many they are; deleted users get the role too, and do not count
 */
export async function moveUsers(context: Context, trx: Trx, actor: Actor, from: string, to: string): Promise<number> {
  await lockUsers(trx);
  const moved = await replaceRole(trx, from, to, { updatedBy: actor.id, updatedAt: context.now() });
  const changesOf = new Map(
    moved.map(({ id, version }) => [id, changedVersion({ roleId: from, version }, { roleId: to })]),
  );
  await endSessionsOfUsers(context, trx, [...changesOf.keys()], 'role-changed');
  await auditUsers(context, trx, actor, 'edit', changesOf);
  return moved.length;
}
