import { userRoutes } from '@apotheca/contract/users';
import type { Actor } from '../../actor.ts';
import { type AuditEvent, appendAudit, appendAudits } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { refuseBy } from '../../db/errors/postgres-errors.ts';
import type { Trx } from '../../db/platform.ts';
import { fieldError } from '../../errors.ts';
import { auditingRefusals } from '../auth/callers.service.ts';
import { lockUsers } from './users.repository.ts';

/** The calls that change users; audit entries are named after them. */
type Change = Exclude<keyof typeof userRoutes, 'list' | 'options'>;

/**
 * Runs a change of users in a transaction, one at a time. A refusal for a missing permission is audited.
 * @throws AppError invalid for an unknown role or clinical role; what `work` throws
 */
export function changeUsers<T>(
  context: Context,
  actor: Actor,
  change: Change,
  work: (trx: Trx) => Promise<T>,
): Promise<T> {
  return auditingRefusals(context, actor, userRoutes[change].path, async (trx) => {
    await lockUsers(trx);
    return work(trx);
  }).catch(refuseByConstraint);
}

/** Notes a change of a user in the audit trail. Call it last in a transaction. */
export function auditUser(
  context: Context,
  trx: Trx,
  actor: Actor,
  change: Change,
  entityId: string,
  changes: Record<string, unknown>,
): Promise<void> {
  return appendAudit(context, trx, eventOf(actor, change, entityId, changes));
}

/** Notes the same change of several users, by their ids. Call it last in a transaction. */
export function auditUsers(
  context: Context,
  trx: Trx,
  actor: Actor,
  change: Change,
  changesOf: ReadonlyMap<string, Record<string, unknown>>,
): Promise<void> {
  const events = Array.from(changesOf, ([entityId, changes]) => eventOf(actor, change, entityId, changes));
  return appendAudits(context, trx, events);
}

/** The entry of a change of a user, for who appends it later. */
export const eventOf = (
  actor: Actor,
  change: Change,
  entityId: string,
  changes: Record<string, unknown>,
): AuditEvent => ({
  actor,
  action: `users.${change}`,
  entity: 'users',
  entityId,
  changes,
});

/** The refusals of an unknown role or clinical role, with the field of the call. */
const refuseByConstraint = refuseBy({
  users__role_id: () => fieldError('invalid', 'roleId', 'This User Role is unknown.'),
  users__clinical_role_id: () => fieldError('invalid', 'clinicalRoleId', 'This Clinical Role is unknown.'),
});
