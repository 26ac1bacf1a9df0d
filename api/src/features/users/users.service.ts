import { EXISTING_NAME_MESSAGES, type NewUser, type UserEdit, wholeUser } from '@apotheca/contract/user-form';
import { z } from 'zod';
import { type Actor, newStamps } from '../../actor.ts';
import { changedVersion } from '../../audit/audit.service.ts';
import { refuseStale } from '../../audit/stale-edit.ts';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/platform.ts';
import { AppError } from '../../errors.ts';
import { endSessionsOfUser } from '../auth/auth.service.ts';
import { tellPasswordChanged } from '../auth/credential-notices.ts';
import { deleteFactors } from '../auth/factors/factor-administration.service.ts';
import { hashNewPassword } from '../auth/new-passwords.ts';
import { auditUser, changeUsers } from './user-change.ts';
import { columnsOf, contentOf, type Names } from './user-columns.ts';
import { refuseTakenNames } from './user-names.ts';
import { userOptionsList } from './user-options.repository.ts';
import {
  refuseOwnerOfKey,
  refuseOwnRecord,
  refuseStrongerRole,
  requireAdministrator,
  requirePerson,
} from './user-protection.ts';
import { findUser, insertUser, type UserRow, updateUser, usersList } from './users.repository.ts';

type Changed = { id: string };

/** All users except deleted ones. */
export const listUsers = usersList;

/** Clinical roles in their order, roles by name. */
export const listUserOptions = userOptionsList;

/**
 * Creates a user.
 * @param fields with a password; null: nobody can sign in as the user until one is set
 * @throws AppError not-allowed, already-exists, invalid
 */
export async function createUser(
  context: Context,
  actor: Actor,
  fields: Omit<NewUser, 'password' | 'confirmPassword'> & { password: string | null },
): Promise<Changed> {
  const passwordHash = fields.password === null ? null : await hashNewPassword(context, fields.password);
  const row = { ...columnsOf(fields), deaNumber: fields.deaNumber, isActive: fields.isActive, passwordHash };
  return changeUsers(context, actor, 'create', async (trx) => {
    await refuseStrongerRole(trx, actor, row.roleId);
    await refuseTakenNames(trx, row);
    return addUser(context, trx, actor, 'create', row, {});
  });
}

/**
 * Changes a user's fields. What the edit does not name stays, and an empty password too. A new password or role ends the user's sessions.
 * @param fields with the user's version when the edit began
 * @throws AppError not-found, not-allowed, protected, stale, already-exists, invalid
 */
export async function editUser(
  context: Context,
  actor: Actor,
  id: string,
  fields: UserEdit & { version?: number | undefined },
): Promise<Changed> {
  const passwordHash = fields.password === '' ? undefined : await hashNewPassword(context, fields.password);
  return changeUsers(context, actor, 'edit', async (trx) => {
    const before = await getUser(trx, actor, id);
    requirePerson(before, 'has neither a password nor a person: please edit it as a service account');
    await refuseStrongerRole(trx, actor, fields.roleId);
    if (fields.roleId !== before.roleId) refuseOwnRecord(actor, before, 'change your own user role');
    await refuseStale(trx, { entity: 'users', id, version: before.version }, fields.version);
    const edited = { ...contentOf(before), ...fields };
    refuseIncomplete(edited);
    const after = { ...columnsOf(edited), deaNumber: edited.deaNumber };
    await refuseTakenNames(trx, after, id);
    await saveUser(context, trx, actor, id, { ...after, ...(passwordHash && { passwordHash }) });
    await requireAdministrator(context, trx, before);
    if (passwordHash) await endAfterNewPassword(context, trx, actor, before);
    else if (after.roleId !== before.roleId) await endSessionsOfUser(context, trx, id, 'role-changed');
    await auditUser(context, trx, actor, 'edit', id, {
      ...changedVersion({ ...contentOf(before), version: before.version }, contentOf(after)),
      ...(passwordHash && { password: 'changed' }),
    });
    return { id };
  });
}

/**
 * Sets a user's password and ends their sessions.
 * @returns how many sessions were open
 * @throws AppError not-found, not-allowed, invalid
 */
export async function setUserPassword(context: Context, actor: Actor, id: string, password: string): Promise<number> {
  const passwordHash = await hashNewPassword(context, password);
  return changeUsers(context, actor, 'edit', async (trx) => {
    const before = await getUser(trx, actor, id);
    requirePerson(before, 'has no password');
    await saveUser(context, trx, actor, id, { passwordHash });
    const ended = await endAfterNewPassword(context, trx, actor, before);
    await auditUser(context, trx, actor, 'edit', id, { ...changedVersion(before, {}), password: 'changed' });
    return ended;
  });
}

/**
 * Activates a user, or deactivates one and ends the user's sessions. If nothing changes, the version stays.
 * @throws AppError not-found, not-allowed, protected
 */
export async function setUserActive(context: Context, actor: Actor, id: string, isActive: boolean): Promise<Changed> {
  const change = isActive ? 'activate' : 'deactivate';
  return changeUsers(context, actor, change, async (trx) => {
    const before = await getUser(trx, actor, id);
    if (!isActive) refuseOwnRecord(actor, before, 'deactivate yourself');
    if (before.isActive === isActive) return { id };
    await saveUser(context, trx, actor, id, { isActive });
    await requireAdministrator(context, trx, before);
    if (!isActive) await endSessionsOfUser(context, trx, id, 'deactivated');
    await auditUser(context, trx, actor, change, id, changedVersion(before, { isActive }));
    return { id };
  });
}

/** Of a service account whose role is to be changed as that of a person. */
export const ROLE_ASSIGNED_ELSEWHERE = 'gets its role as a service account: please edit it there';

/**
 * Gives a user another role, and ends the user's sessions. If nothing changes, the version stays.
 * @param seen the user as they were when the role was chosen: a role that somebody has given them since then stays
 * @throws AppError not-found, not-allowed, protected, stale, invalid
 */
export async function assignRole(
  context: Context,
  actor: Actor,
  id: string,
  roleId: string,
  seen: Pick<UserRow, 'version' | 'roleId'>,
): Promise<Changed> {
  return changeUsers(context, actor, 'edit', async (trx) => {
    const before = await getUser(trx, actor, id);
    requirePerson(before, ROLE_ASSIGNED_ELSEWHERE);
    await refuseStrongerRole(trx, actor, roleId);
    if (before.roleId === roleId) return { id };
    if (before.roleId !== seen.roleId)
      await refuseStale(trx, { entity: 'users', id, version: before.version }, seen.version);
    refuseOwnRecord(actor, before, 'change your own user role');
    await saveUser(context, trx, actor, id, { roleId });
    await requireAdministrator(context, trx, before);
    await endSessionsOfUser(context, trx, id, 'role-changed');
    await auditUser(context, trx, actor, 'edit', id, changedVersion(before, { roleId }));
    return { id };
  });
}

/**
 * Copies a user under other names. The copy is active and has no password.
 * @throws AppError not-found, not-allowed, already-exists
 */
export async function duplicateUser(context: Context, actor: Actor, id: string, names: Names): Promise<Changed> {
  return changeUsers(context, actor, 'duplicate', async (trx) => {
    const source = await getUser(trx, actor, id);
    requirePerson(source, 'is not duplicated: please create another one');
    await refuseTakenNames(trx, names, undefined, EXISTING_NAME_MESSAGES);
    const { firstName, lastName, middleInitial, title, deaNumber, phone, notes, roleId, clinicalRoleId } = source;
    const copied = { firstName, lastName, middleInitial, title, deaNumber, phone, notes, roleId, clinicalRoleId };
    const row = { ...copied, ...names, isActive: true, passwordHash: null };
    return addUser(context, trx, actor, 'duplicate', row, { copiedFrom: source.id });
  });
}

/**
 * Deletes a user and ends the user's sessions. The names are free again; the row stays for references to it.
 * @param reason for the audit trail; empty: none
 * @throws AppError not-found, not-allowed, protected
 */
export async function deleteUser(context: Context, actor: Actor, id: string, reason: string): Promise<Changed> {
  return changeUsers(context, actor, 'delete', async (trx) => {
    const before = await getUser(trx, actor, id);
    refuseOwnRecord(actor, before, 'delete yourself');
    await saveUser(context, trx, actor, id, { deletedAt: context.now(), deletedBy: actor.id });
    await requireAdministrator(context, trx, before);
    await endSessionsOfUser(context, trx, id, 'deleted');
    await deleteFactors(trx, id);
    const { userName, email } = before;
    await auditUser(context, trx, actor, 'delete', id, { userName, email, reason: reason || null });
    return { id };
  });
}

/** Refuses a user without a name, or with a clinical role and without credentials. @throws AppError invalid */
function refuseIncomplete(user: z.input<typeof wholeUser>): void {
  const { error } = wholeUser.safeParse(user);
  if (!error) return;
  const errors = z.flattenError(error).fieldErrors as Record<string, string[]>;
  throw new AppError('invalid', { errors });
}

/** Ends the sessions of a user who has a new password, and tells them, at the address they had before. @returns how many were open */
async function endAfterNewPassword(context: Context, trx: Trx, actor: Actor, user: UserRow): Promise<number> {
  const by = actor.id === user.id ? 'self' : { name: actor.name };
  await tellPasswordChanged(context, trx, user, { by, address: actor.address });
  return endSessionsOfUser(context, trx, user.id, 'password-changed');
}

/** Reads a user whom the actor may change. @throws AppError not-found, not-allowed */
export async function getUser(trx: Trx, actor: Actor, id: string): Promise<UserRow> {
  const user = await findUser(trx, id);
  if (!user) throw new AppError('not-found', { message: 'There is no such user.' });
  refuseOwnerOfKey(actor, user);
  await refuseStrongerRole(trx, actor, user.roleId);
  return user;
}

/** Adds a user with its audit entry. */
export async function addUser(
  context: Context,
  trx: Trx,
  actor: Actor,
  change: 'create' | 'duplicate',
  row: Parameters<typeof contentOf>[0] & Pick<UserRow, 'isActive' | 'passwordHash'> & { isService?: boolean },
  changes: Record<string, unknown>,
): Promise<Changed> {
  const stamps = { ...newStamps(actor, context.now()), deletedBy: null, deletedAt: null };
  const id = await insertUser(trx, { ...row, ...stamps });
  await auditUser(context, trx, actor, change, id, { ...contentOf(row), isActive: row.isActive, ...changes });
  return { id };
}

/** Changes a user, whose new version the actor has made. */
export function saveUser(
  context: Context,
  trx: Trx,
  actor: Actor,
  id: string,
  fields: Parameters<typeof updateUser>[2],
): Promise<void> {
  return updateUser(trx, id, { ...fields, updatedBy: actor.id, updatedAt: context.now() });
}
