import type { ServiceAccount } from '@apotheca/contract/service-accounts';
import { DEFAULT_DEA_NUMBER } from '@apotheca/contract/user-form';
import type { Actor } from '../../../actor.ts';
import { changedVersion } from '../../../audit/audit.service.ts';
import { refuseStale } from '../../../audit/stale-edit.ts';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { auditUser, changeUsers } from '../user-change.ts';
import { refuseTakenNames } from '../user-names.ts';
import { refuseStrongerRole } from '../user-protection.ts';
import { addUser, getUser, saveUser } from '../users.service.ts';

/** What people have and service accounts do not. */
const NO_PERSON = {
  email: '',
  firstName: '',
  lastName: '',
  middleInitial: '',
  title: '',
  phone: '',
  clinicalRoleId: null,
  deaNumber: DEFAULT_DEA_NUMBER,
};

/**
 * Creates a service account: a user who never signs in, as it has neither a password nor an e-mail address, and works with API keys.
 * @throws AppError not-allowed, already-exists, invalid
 */
export async function createServiceAccount(
  context: Context,
  actor: Actor,
  { userName, roleId, notes }: ServiceAccount,
): Promise<{ id: string }> {
  const row = { ...NO_PERSON, userName, roleId, notes, isActive: true, isService: true, passwordHash: null };
  return changeUsers(context, actor, 'create', async (trx) => {
    await refuseStrongerRole(trx, actor, roleId);
    await refuseTakenNames(trx, row);
    return addUser(context, trx, actor, 'create', row, { isService: true });
  });
}

/**
 * Changes a service account. Its keys stay: another role counts for their next calls.
 * @throws AppError not-found, not-allowed, protected, stale, already-exists, invalid
 */
export async function editServiceAccount(
  context: Context,
  actor: Actor,
  id: string,
  {
    version,
    notes,
    ...named
  }: Omit<ServiceAccount, 'notes'> & { notes?: string | undefined; version?: number | undefined },
): Promise<{ id: string }> {
  return changeUsers(context, actor, 'edit', async (trx) => {
    const before = await getUser(trx, actor, id);
    const fields = { ...named, notes: notes ?? before.notes };
    if (!before.isService) throw new AppError('protected', { message: 'This is a person, not a service account.' });
    await refuseStrongerRole(trx, actor, fields.roleId);
    await refuseStale(trx, { entity: 'users', id, version: before.version }, version);
    await refuseTakenNames(trx, { userName: fields.userName, email: '' }, id);
    await saveUser(context, trx, actor, id, fields);
    await auditUser(context, trx, actor, 'edit', id, changedVersion(before, fields));
    return { id };
  });
}
