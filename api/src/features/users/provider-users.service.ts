import { DEFAULT_DEA_NUMBER, newUserForm, USER_LIMITS } from '@apotheca/contract/user-form';
import type { Actor } from '../../actor.ts';
import { changedVersion } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/platform.ts';
import { AppError } from '../../errors.ts';
import { endSessionsOfUser } from '../auth/auth.service.ts';
import type { Admit, Admitted } from '../auth/oidc/oidc.service.ts';
import type { ProviderPerson } from '../auth/oidc/provider-person.ts';
import { eventOf } from './user-change.ts';
import type { Names } from './user-columns.ts';
import { findIdentity, findRoleId, findUnlinkedUser, linkIdentity } from './user-identities.repository.ts';
import { refuseTakenNames } from './user-names.ts';
import { requireAdministrator } from './user-protection.ts';
import { findUser, isNameTaken, lockUsers } from './users.repository.ts';
import { addUser, saveUser } from './users.service.ts';

/**
 * The user of a person whom a provider vouches for. They are found by issuer and subject; a new person is linked to the user with
 * their e-mail address or gets a user, where the settings allow that. Their role follows their groups.
 * @throws AppError sign-in-refused with its reason as the cause; protected where the last administrator would lose the role
 */
export const admitPerson: Admit = async (context, trx, actor, person) => {
  await lockUsers(trx);
  const roleId = await roleOf(trx, person);
  const known = await findIdentity(trx, person.provider.issuer, person.subject);
  const found =
    known && !known.isDeleted ? { userId: known.userId, events: [] } : await linkPerson(context, trx, actor, person);
  if (found) return changeRole(context, trx, actor, found, roleId);
  // Whoever was deleted here does not come back by themselves.
  if (known) throw refused('deleted user');
  return createPerson(context, trx, actor, person, roleId);
};

const refused = (reason: string) => new AppError('sign-in-refused', {}, { cause: reason });

/** The role of the first group of the settings that a person is in; undefined where the settings give no roles. */
async function roleOf(trx: Trx, { provider, groups }: ProviderPerson): Promise<string | undefined> {
  if (!provider.roles) return undefined;
  const [, name] = Object.entries(provider.roles).find(([group]) => groups.includes(group)) ?? [];
  if (name === undefined) throw refused('in no group that has a role');
  const roleId = await findRoleId(trx, name);
  if (roleId === undefined) throw refused(`there is no role ${name}`);
  return roleId;
}

/**
 * Links a person to the user with their e-mail address, if the settings allow it. PostgreSQL takes some letters beyond ASCII for others (decision
 * 007), which are other addresses: so only what can be the address of a user counts.
 * @returns the user, if there is one
 */
async function linkPerson(
  context: Context,
  trx: Trx,
  actor: Actor,
  { provider, subject, email }: ProviderPerson,
): Promise<Admitted | undefined> {
  const { issuer, linkByEmail } = provider;
  const address = addressOf(email);
  const userId = linkByEmail && address !== '' ? await findUnlinkedUser(trx, issuer, address) : undefined;
  if (userId === undefined) return undefined;
  await linkIdentity(trx, { issuer, subject, userId, createdAt: context.now() });
  const changes = { provider: provider.name, subject };
  return { userId, events: [{ actor, action: 'users.link', entity: 'users', entityId: userId, changes }] };
}

/** Gives a user another role, as an administrator would: it ends their sessions. @throws AppError sign-in-refused, protected */
async function changeRole(
  context: Context,
  trx: Trx,
  actor: Actor,
  { userId, events }: Admitted,
  roleId: string | undefined,
): Promise<Admitted> {
  const before = await findUser(trx, userId);
  if (!before?.isActive) throw refused('inactive user');
  if (roleId === undefined || roleId === before.roleId) return { userId, events };
  await saveUser(context, trx, actor, userId, { roleId });
  await requireAdministrator(context, trx, before);
  await endSessionsOfUser(context, trx, userId, 'role-changed');
  return { userId, events: [...events, eventOf(actor, 'edit', userId, changedVersion(before, { roleId }))] };
}

async function createPerson(
  context: Context,
  trx: Trx,
  actor: Actor,
  person: ProviderPerson,
  roleId: string | undefined,
): Promise<Admitted> {
  const { issuer, createUsers } = person.provider;
  if (!createUsers || roleId === undefined) throw refused('unknown person');
  const names = await namesOf(trx, person);
  await refuseTakenNames(trx, names);
  const called = names.userName || names.email;
  const row = {
    ...names,
    firstName: cut(person.firstName ?? called, USER_LIMITS.fName),
    lastName: cut(person.lastName ?? called, USER_LIMITS.lName),
    ...{ middleInitial: '', title: '', phone: '', notes: '', deaNumber: DEFAULT_DEA_NUMBER, clinicalRoleId: null },
    roleId,
    isActive: true,
    passwordHash: null,
  };
  const { subject, provider } = person;
  const { id: userId } = await addUser(context, trx, actor, 'create', row, { provider: provider.name, subject });
  await linkIdentity(trx, { issuer, subject, userId, createdAt: context.now() });
  return { userId, events: [] };
}

/** What a provider says as the address of a user; empty where it can be none. */
const addressOf = (email: string | undefined): string => newUserForm.shape.email.safeParse(email).data ?? '';

/** The names of a new user: the e-mail address, and the user name where nobody else has it. */
async function namesOf(trx: Trx, { email, userName }: ProviderPerson): Promise<Names> {
  const mail = addressOf(email);
  const name = newUserForm.shape.userName.safeParse(userName).data ?? '';
  const isFree = name !== '' && !(await isNameTaken(trx, name, undefined));
  const names = { email: mail, userName: isFree ? name : '' };
  if (names.email === '' && names.userName === '') throw refused('no name that a user can have');
  return names;
}

/** Cut to a length, but not in the middle of a character. */
const cut = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
