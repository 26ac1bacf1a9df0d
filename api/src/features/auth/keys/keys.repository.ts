import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { compiledOnce } from '../../../db/compiled-statements.ts';
import { isAheadOf, postgresNow } from '../../../db/due-moments.ts';
import type { Platform, PlatformTables, Trx } from '../../../db/platform.ts';
import {
  answersOf,
  type CallNeeds,
  type Placed,
  questionsAs,
  READ_TABLES,
  ROLE_HAS_PERMISSION,
} from '../caller-questions.repository.ts';
import { SEEN_SECONDS } from '../session-times.ts';

export type ApiKeyRow = Selectable<PlatformTables['apiKeys']>;

/** What is known of whoever calls with a key, whether it is valid or not. */
export interface KeyCallerRow {
  keyId: string;
  keyName: string;
  userId: string;
  userName: string;
  role: string;
  scopes: string[];
  addresses: string[];
  /** When this secret ends: the key's end or, for the one before a rotation, that of the overlap. */
  endsAt: Date;
  /** Whether it is the newest secret of the key. */
  isNewest: boolean;
  isRevoked: boolean;
  isOwnerActive: boolean;
  lastUsedAt: Date | null;
  /** Whether the owner's role and the key have the permission. */
  allowed: boolean;
  version: string;
  numbers: number;
}

/** Whose key is looked for, and what the call needs besides. */
export interface KeyQuestion extends CallNeeds {
  publicId: string;
  /** The SHA-256 of the key, in hexadecimal. */
  hash: string;
}

const selectKeyCallers = compiledOnce<readonly KeyQuestion[], KeyCallerRow & Placed>((value) => {
  const hash = sql`decode(asked.hash, 'hex')`;
  return sql`
    select asked.place, found.*
    from ${questionsAs(value, sql`"publicId" text, hash text`)} cross join lateral (
      select k.id as "keyId", k.name as "keyName", u.id as "userId",
             coalesce(nullif(u.user_name, ''), u.email) as "userName", r.name as role, k.scopes, k.addresses,
             case when k.secret_hash = ${hash} then k.expires_at else k.previous_until end as "endsAt",
             k.secret_hash = ${hash} as "isNewest", k.revoked_at is not null as "isRevoked",
             u.is_active and u.deleted_at is null as "isOwnerActive", k.last_used_at as "lastUsedAt",
             asked.permission is null or asked.permission = any (k.scopes) and ${ROLE_HAS_PERMISSION} as allowed,
             tables.version, tables.numbers
      from api_keys k
      join users u on u.id = k.user_id
      join roles r on r.id = u.role_id
      cross join ${READ_TABLES} tables
      where k.public_id = asked."publicId" and ${hash} in (k.secret_hash, k.previous_hash)
      limit 1
    ) found`;
});

/**
 * The owners of keys, whether owner and key have a permission, and the version of the tables that a call reads: what `findCallers`
 * is for sessions. It is read for every request, so that changes take effect at once.
 * @returns what was found for each question, in their order
 */
export const findKeyCallers = (
  platform: Platform,
  questions: readonly KeyQuestion[],
): Promise<readonly (KeyCallerRow | undefined)[]> => answersOf(platform, selectKeyCallers, questions);

const SEEN = sql`make_interval(secs => ${SEEN_SECONDS})`;

/** Whether nothing of the last minute is noted; what a clock noted that was ahead of this one is no such thing. */
const isLongAgo = (column: 'lastUsedAt' | 'refusedAt', now: Date | typeof postgresNow) =>
  sql<boolean>`(${sql.ref(column)} is null or ${sql.ref(column)} <= ${now}::timestamptz - ${SEEN} or ${isAheadOf(column, now, SEEN)})`;

/** Notes a use of a key, unless one of the last minute is noted: so of many calls at once one writes. */
export async function setKeyUsed(platform: Platform, id: string, now: Date, address: string) {
  await platform
    .updateTable('apiKeys')
    .set({ lastUsedAt: now, lastUsedAddress: address })
    .where('id', '=', id)
    .where(isLongAgo('lastUsedAt', now))
    .execute();
}

/**
 * Notes that a use was refused, unless one of the last minute is noted: by PostgreSQL's clock, as those of processes may be far apart.
 * @returns whether it was noted
 */
export async function setKeyRefused(trx: Trx, id: string): Promise<boolean> {
  const noted = await trx
    .updateTable('apiKeys')
    .set({ refusedAt: postgresNow })
    .where('id', '=', id)
    .where(isLongAgo('refusedAt', postgresNow))
    .returning('id')
    .executeTakeFirst();
  return noted !== undefined;
}

/** Who has keys, or may have them. */
export interface KeyOwner {
  id: string;
  name: string;
  roleId: string;
  isActive: boolean;
  isService: boolean;
}

/** A user who is not deleted, as the owner of keys. */
export function findKeyOwner(platform: Platform, id: string): Promise<KeyOwner | undefined> {
  return platform
    .selectFrom('users')
    .select(['id', 'roleId', 'isActive', 'isService', sql<string>`coalesce(nullif(user_name, ''), email)`.as('name')])
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
}

/** The keys of a user that are not revoked, newest first; expired ones too. */
export function listKeys(platform: Platform, userId: string): Promise<ApiKeyRow[]> {
  return platform
    .selectFrom('apiKeys')
    .selectAll()
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute();
}

/** A key that is not revoked. */
export function findKey(platform: Platform, id: string): Promise<ApiKeyRow | undefined> {
  return platform
    .selectFrom('apiKeys')
    .selectAll()
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .executeTakeFirst();
}

/** Whether a user has a key of a name that is valid, in any case. */
export async function isKeyNameTaken(trx: Trx, userId: string, name: string, now: Date): Promise<boolean> {
  const taken = await trx
    .selectFrom('apiKeys')
    .select('id')
    .where('userId', '=', userId)
    .where('name', '=', name)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return taken !== undefined;
}

/** The identifiers of the active permissions of a role. */
export async function listPermissionsOfRole(platform: Platform, roleId: string): Promise<string[]> {
  const rows = await platform
    .selectFrom('rolePermissions as rp')
    .innerJoin('permissions as p', 'p.id', 'rp.permissionId')
    .select('p.identifier')
    .where('rp.roleId', '=', roleId)
    .where('p.isActive', '=', true)
    .execute();
  return rows.map(({ identifier }) => identifier);
}

/** @returns the new key's id */
export async function insertKey(trx: Trx, row: Insertable<PlatformTables['apiKeys']>): Promise<string> {
  return (await trx.insertInto('apiKeys').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

export async function updateKey(trx: Trx, id: string, fields: Updateable<PlatformTables['apiKeys']>): Promise<void> {
  await trx.updateTable('apiKeys').set(fields).where('id', '=', id).execute();
}

/** Revokes every key of a user. */
export async function revokeKeysOfUser(trx: Trx, userId: string, now: Date): Promise<void> {
  await trx
    .updateTable('apiKeys')
    .set({ revokedAt: now })
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .execute();
}

/** Deletes keys that were revoked or had expired before a moment. */
export async function deleteKeysEndedBefore(platform: Platform, before: Date): Promise<void> {
  await platform
    .deleteFrom('apiKeys')
    .where((eb) => eb.or([eb('revokedAt', '<', before), eb('expiresAt', '<', before)]))
    .execute();
}
