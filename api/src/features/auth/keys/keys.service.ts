import {
  API_KEY_DAYS,
  API_KEY_LIMIT,
  type ApiKey,
  type ApiKeyList,
  apiKeyRoutes,
  type IssuedApiKey,
  type NewApiKey,
} from '@apotheca/contract/api-keys';
import { PERMISSION_CATALOGUE, type PermissionIdentifier } from '@apotheca/contract/permission-catalogue';
import type { Actor, Caller } from '../../../actor.ts';
import { isAddressRange } from '../../../address-range.ts';
import { appendAudit } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import type { Platform, Trx } from '../../../db/platform.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { findCaller } from '../callers.repository.ts';
import { auditingRefusals, requirePermission } from '../callers.service.ts';
import { DAY_SECONDS, HOUR_SECONDS, idleSince, inSeconds } from '../session-times.ts';
import { lockUser } from '../sign-in-users.repository.ts';
import { isOverlapping } from './key-callers.ts';
import { makeKey, prefixOf } from './key-format.ts';
import {
  type ApiKeyRow,
  findKey,
  findKeyOwner,
  insertKey,
  isKeyNameTaken,
  type KeyOwner,
  listKeys,
  listPermissionsOfRole,
  updateKey,
} from './keys.repository.ts';

/** The permission for keys of others. */
const MANAGE: PermissionIdentifier = 'users.write';

const IDENTIFIERS = PERMISSION_CATALOGUE.map(({ identifier }) => identifier);

const NO_KEY = { message: 'There is no such API key.' };

/**
 * A user's keys that are not revoked, newest first, and the permissions that a new one may have.
 * @param userId absent: the caller's own
 * @throws AppError not-allowed, not-found
 */
export async function listApiKeys(
  context: Context,
  caller: Caller,
  actor: Actor,
  userId = caller.id,
): Promise<ApiKeyList> {
  const { platform } = context;
  if (userId !== caller.id) await requirePermission(context, caller, actor, MANAGE);
  const owner = await findKeyOwner(platform, userId);
  if (!owner) throw new AppError('not-found');
  const keys = await listKeys(platform, userId);
  const { ofMaker, ofOwner } = await readRights(platform, caller, owner);
  return {
    keys: keys.map((key) => apiKeyOf(key, context.now())),
    scopes: IDENTIFIERS.filter((identifier) => ofMaker.has(identifier) && ofOwner.has(identifier)),
  };
}

/**
 * Issues a key for the caller, or for a service account. The caller gives nothing that they lack: they, and the owner, must have what
 * the key is for.
 * @throws AppError not-found, not-allowed, protected, invalid, already-exists, conflict, session-ended
 */
export async function createApiKey(
  context: Context,
  caller: Caller,
  actor: Actor,
  { userId = caller.id, ...key }: NewApiKey & { userId?: string | undefined },
): Promise<IssuedApiKey> {
  return auditingRefusals(context, actor, apiKeyRoutes.create.path, async (trx) => {
    const owner = await lockIssuer(context, trx, caller, userId);
    const now = context.now();
    refuseWrongAddress(key.addresses);
    const expiresAt = expiryOf(key.expiresOnUtc, owner, now);
    await refuseLackedScope(trx, caller, owner, key.scopes);
    if (await isKeyNameTaken(trx, owner.id, key.name, now)) {
      throw fieldError('already-exists', 'name', 'A valid key has this name: use another.');
    }
    await refuseTooMany(trx, owner, now);
    const { key: issued, publicId, hash: secretHash } = makeKey();
    const { name, scopes, addresses } = key;
    const fields = { name, scopes, addresses, expiresAt };
    const made = { userId: owner.id, publicId, secretHash, createdAt: now, createdBy: caller.id };
    const id = await insertKey(trx, { ...fields, ...made });
    const changes = { owner: owner.name, ...fields, expiresAt: expiresAt.toISOString() };
    const event = { actor, action: 'auth.key-created', entity: 'api_keys', entityId: id, changes };
    await appendAudit(context, trx, event);
    return { id, key: issued, expiresOnUtc: expiresAt.toISOString() };
  });
}

/**
 * Gives a key a new secret and a new life. The secret before it stays valid for some hours, but no longer than it would have been; the
 * one before that ends at once.
 * @throws AppError as {@link createApiKey}
 */
export async function rotateApiKey(
  context: Context,
  caller: Caller,
  actor: Actor,
  { id, overlapHours, expiresOnUtc }: { id: string; overlapHours: number; expiresOnUtc?: string | undefined },
): Promise<IssuedApiKey> {
  return auditingRefusals(context, actor, apiKeyRoutes.rotate.path, async (trx) => {
    const { userId } = await requireExisting(trx, id);
    const owner = await lockIssuer(context, trx, caller, userId);
    // Once more, as another call may have changed it before the owner was locked.
    const before = await requireExisting(trx, id);
    const now = context.now();
    if (before.expiresAt <= now) {
      throw new AppError('conflict', { message: 'This API key has expired: please create another one.' });
    }
    const expiresAt = expiryOf(expiresOnUtc, owner, now);
    await refuseLackedScope(trx, caller, owner, before.scopes);
    const { key, hash: secretHash } = makeKey(before.publicId);
    const overlapEnd = inSeconds(now, overlapHours * HOUR_SECONDS);
    const previousUntil = overlapEnd < before.expiresAt ? overlapEnd : before.expiresAt;
    const previous = overlapHours > 0 ? before.secretHash : null;
    await updateKey(trx, id, {
      secretHash,
      previousHash: previous,
      previousUntil: previous && previousUntil,
      expiresAt,
    });
    const changes = {
      name: before.name,
      owner: owner.name,
      overlapHours,
      expiresAt: [before.expiresAt.toISOString(), expiresAt.toISOString()],
    };
    const event = { actor, action: 'auth.key-rotated', entity: 'api_keys', entityId: id, changes };
    await appendAudit(context, trx, event);
    return { id, key, expiresOnUtc: expiresAt.toISOString() };
  });
}

/** Revokes a key, one's own or, with the permission, that of any user: its next call is refused. @throws AppError not-found, not-allowed */
export async function deleteApiKey(context: Context, caller: Caller, actor: Actor, id: string): Promise<void> {
  await auditingRefusals(context, actor, apiKeyRoutes.delete.path, async (trx) => {
    const { userId } = await requireExisting(trx, id);
    const owner = await lockOwner(context, trx, caller, userId);
    const { name } = await requireExisting(trx, id);
    await updateKey(trx, id, { revokedAt: context.now() });
    const changes = { name, owner: owner.name };
    await appendAudit(context, trx, { actor, action: 'auth.key-revoked', entity: 'api_keys', entityId: id, changes });
  });
}

async function requireExisting(trx: Trx, id: string): Promise<ApiKeyRow> {
  const key = await findKey(trx, id);
  if (!key) throw new AppError('not-found', NO_KEY);
  return key;
}

/**
 * Locks the owner of a key against other changes of the owner and of their keys.
 * @throws AppError not-found; not-allowed where the caller may not manage that user's keys; session-ended if the caller's session has
 * ended meanwhile
 */
async function lockOwner(context: Context, trx: Trx, caller: Caller, ownerId: string): Promise<KeyOwner> {
  const isOwn = ownerId === caller.id;
  await lockUser(trx, ownerId);
  const now = context.now();
  const needs = isOwn ? {} : { permission: MANAGE };
  const signedIn = await findCaller(trx, { sessionId: caller.sessionId, now, idleSince: idleSince(now), ...needs });
  if (!signedIn) throw new AppError('session-ended');
  if (!signedIn.allowed) {
    throw new AppError('not-allowed', { message: `You do not have the permission '${MANAGE}'.`, permission: MANAGE });
  }
  const owner = await findKeyOwner(trx, ownerId);
  if (!owner) throw new AppError('not-found', { message: 'There is no such user.' });
  return owner;
}

/** {@link lockOwner} for who gets to see a key: the person whose it is, and those who manage a service account. */
async function lockIssuer(context: Context, trx: Trx, caller: Caller, ownerId: string): Promise<KeyOwner> {
  const owner = await lockOwner(context, trx, caller, ownerId);
  if (owner.id !== caller.id && !owner.isService) {
    throw new AppError('protected', { message: 'People make their API keys themselves.' });
  }
  if (!owner.isActive) throw new AppError('conflict', { message: 'The owner of the API key is not active.' });
  return owner;
}

/** What the maker of a key and its owner may do. */
async function readRights(platform: Platform, caller: Caller, owner: KeyOwner) {
  const ofOwner = new Set(await listPermissionsOfRole(platform, owner.roleId));
  if (owner.id === caller.id) return { ofOwner, ofMaker: ofOwner };
  const maker = await findKeyOwner(platform, caller.id);
  return { ofOwner, ofMaker: new Set(maker && (await listPermissionsOfRole(platform, maker.roleId))) };
}

/** Refuses a key for what its owner, or who makes it, may not do. @throws AppError not-allowed, invalid */
async function refuseLackedScope(trx: Trx, caller: Caller, owner: KeyOwner, scopes: readonly string[]): Promise<void> {
  const { ofMaker, ofOwner } = await readRights(trx, caller, owner);
  const permission = scopes.find((scope) => !ofMaker.has(scope));
  if (permission)
    throw new AppError('not-allowed', { message: `You do not have the permission '${permission}'.`, permission });
  const lacked = scopes.find((scope) => !ofOwner.has(scope));
  if (lacked)
    throw fieldError('invalid', 'scopes', `The role of '${owner.name}' does not have the permission '${lacked}'.`);
}

async function refuseTooMany(trx: Trx, owner: KeyOwner, now: Date): Promise<void> {
  const valid = (await listKeys(trx, owner.id)).filter(({ expiresAt }) => expiresAt > now);
  if (valid.length < API_KEY_LIMIT) return;
  throw new AppError('conflict', {
    message: `There are ${API_KEY_LIMIT} valid API keys: please revoke one of them first.`,
  });
}

function refuseWrongAddress(addresses: readonly string[]): void {
  const wrong = addresses.find((address) => !isAddressRange(address));
  if (wrong === undefined) return;
  throw fieldError('invalid', 'addresses', `'${wrong}' is neither an address nor a range such as 10.0.0.0/8.`);
}

function expiryOf(expiresOnUtc: string | undefined, { isService }: KeyOwner, now: Date): Date {
  if (expiresOnUtc === undefined) return inSeconds(now, API_KEY_DAYS.default * DAY_SECONDS);
  const expiresAt = new Date(expiresOnUtc);
  const days = isService ? API_KEY_DAYS.service : API_KEY_DAYS.person;
  if (expiresAt > inSeconds(now, days * DAY_SECONDS)) {
    throw fieldError('invalid', 'expiresOnUtc', `An API key lives at most ${days} days`);
  }
  if (expiresAt > now) return expiresAt;
  throw fieldError('invalid', 'expiresOnUtc', 'The last day must not have passed');
}

function apiKeyOf(row: ApiKeyRow, now: Date): ApiKey {
  const { id, name, scopes, addresses, lastUsedAddress, previousUntil } = row;
  return {
    id,
    name,
    prefix: prefixOf(row.publicId),
    scopes,
    addresses,
    createdOnUtc: row.createdAt.toISOString(),
    expiresOnUtc: row.expiresAt.toISOString(),
    isExpired: row.expiresAt <= now,
    lastUsedOnUtc: row.lastUsedAt?.toISOString() ?? null,
    lastUsedAddress,
    previousUntilUtc: isOverlapping(previousUntil, now) ? previousUntil.toISOString() : null,
  };
}
