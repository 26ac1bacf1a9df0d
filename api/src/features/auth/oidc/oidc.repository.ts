import { type Insertable, sql } from 'kysely';
import { deleteExpired } from '../../../db/delete-expired.ts';
import type { Platform, PlatformTables, Trx } from '../../../db/platform.ts';
import { isOpen, type OpenAt } from '../sessions.repository.ts';

/** Uses what counts once. @returns whether it was not used before */
export async function useOnce(platform: Platform, digest: Buffer, expiresAt: Date): Promise<boolean> {
  const used = await platform
    .insertInto('usedProviderTokens')
    .values({ digest, expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('digest')
    .executeTakeFirst();
  return used !== undefined;
}

export async function insertProviderSession(
  trx: Trx,
  session: Insertable<PlatformTables['providerSessions']>,
): Promise<void> {
  await trx.insertInto('providerSessions').values(session).execute();
}

/** What a provider is asked about. */
export interface ProviderSessionRow {
  sessionId: string;
  issuer: string;
  subject: string;
  refreshToken: Buffer | null;
  checkedAt: Date;
}

/** The open session of a refresh token that a provider has opened; undefined for every other one. */
export function findOpenProviderSession(
  platform: Platform,
  refreshTokenHash: Buffer,
  openAt: OpenAt,
): Promise<ProviderSessionRow | undefined> {
  return platform
    .selectFrom('providerSessions as p')
    .innerJoin('sessions as s', 's.id', 'p.sessionId')
    .select(['p.sessionId', 'p.issuer', 'p.subject', 'p.refreshToken', 'p.checkedAt'])
    .where('s.refreshTokenHash', '=', refreshTokenHash)
    .where(isOpen(openAt))
    .executeTakeFirst();
}

/**
 * Takes the turn to ask the provider about a session: a provider may take a refresh token that is used twice for a stolen one. A turn
 * that a killed server did not give back ends by itself.
 * @param before turns that began earlier have ended
 * @returns whether it is this caller's turn, and nobody has asked since `checkedAt`
 */
export async function takeTurn(
  platform: Platform,
  { sessionId, checkedAt }: ProviderSessionRow,
  now: Date,
  before: Date,
): Promise<boolean> {
  const taken = await platform
    .updateTable('providerSessions')
    .set({ askingSince: now })
    .where('sessionId', '=', sessionId)
    .where('checkedAt', '=', checkedAt)
    .where((eb) => eb.or([eb('askingSince', 'is', null), eb('askingSince', '<', before)]))
    .returning('sessionId')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Gives a turn back. @param checked when the provider has answered, with the new token; absent: it has not */
export async function endTurn(
  platform: Platform,
  sessionId: string,
  began: Date,
  checked?: { checkedAt: Date; refreshToken: Buffer },
): Promise<void> {
  await platform
    .updateTable('providerSessions')
    .set({ askingSince: null, ...checked })
    .where('sessionId', '=', sessionId)
    .where('askingSince', '=', began)
    .execute();
}

/** A session by its refresh token, with the provider's ID token; open or ended. */
export function findIdToken(platform: Platform, refreshTokenHash: Buffer) {
  return platform
    .selectFrom('providerSessions as p')
    .innerJoin('sessions as s', 's.id', 'p.sessionId')
    .select(['p.issuer', 'p.idToken'])
    .where('s.refreshTokenHash', '=', refreshTokenHash)
    .executeTakeFirst();
}

/** The sessions that a provider speaks of, by its own id of one or by the person, that have not been ended. */
export async function findSessionsOf(
  trx: Trx,
  { issuer, subject, sid }: { issuer: string; subject: string | undefined; sid: string | undefined },
): Promise<{ sessionId: string }[]> {
  return trx
    .selectFrom('providerSessions as p')
    .innerJoin('sessions as s', 's.id', 'p.sessionId')
    .select('p.sessionId')
    .where('p.issuer', '=', issuer)
    .$if(subject !== undefined, (query) => query.where('p.subject', '=', String(subject)))
    .$if(sid !== undefined, (query) => query.where('p.sid', '=', String(sid)))
    .where('s.revokedAt', 'is', null)
    .orderBy('p.sessionId')
    .execute();
}

/** Who has signed in at which provider, in a session; undefined for a session of another kind. */
export function findPersonOfSession(
  platform: Platform,
  sessionId: string,
): Promise<{ issuer: string; subject: string } | undefined> {
  const sessions = platform.selectFrom('providerSessions').select(['issuer', 'subject']);
  return sessions.where('sessionId', '=', sessionId).executeTakeFirst();
}

export async function isProviderSession(platform: Platform, sessionId: string): Promise<boolean> {
  const found = platform.selectFrom('providerSessions').select('sessionId').where('sessionId', '=', sessionId);
  return (await found.executeTakeFirst()) !== undefined;
}

/**
 * Deletes what counted once and has expired, and the tokens of sessions that have ended. Those sessions are over from then on whatever the
 * clock of who comes with one: without its tokens nobody could ask the provider about it. One that is just being refreshed goes another time.
 */
export async function deleteProviderRests(platform: Platform, openAt: OpenAt, stopping?: AbortSignal): Promise<void> {
  await deleteExpired(platform, 'used_provider_tokens', sql`expires_at < ${openAt.now}`, stopping);
  await sql`
    with over as materialized (
      select s.id from sessions s join provider_sessions p on p.session_id = s.id
      where not (${isOpen(openAt)}) for no key update of s skip locked
    ),
    ended as (
      update sessions set revoked_at = ${openAt.now}, revoked_reason = 'session-ended'
      where id in (select id from over) and revoked_at is null
    )
    delete from provider_sessions where session_id in (select id from over)`.execute(platform);
}
