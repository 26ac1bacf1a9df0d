import { sql } from 'kysely';
import { hasCome, postgresNow, seconds } from '../db/due-moments.ts';
import type { Platform, Trx } from '../db/platform.ts';

/** A mail that waits to be sent. */
export interface MailRow {
  id: string;
  sealed: Buffer;
  validUntil: Date;
  /** How often it was tried, this time included. */
  attempts: number;
}

const inSeconds = (count: number) => sql<Date>`${postgresNow} + ${seconds(count)}`;

/** It is due at once. */
export async function insertMail(
  trx: Trx,
  mail: Omit<MailRow, 'attempts'> & { readerId: string | null; permissions: string[]; linkHash: Buffer | null },
): Promise<void> {
  await trx
    .insertInto('mails')
    .values({ ...mail, dueAt: postgresNow })
    .execute();
}

/** Whether whoever reads a mail may still see what it tells of. */
const isReadable = sql<boolean>`(
  reader_id is null or exists (
    select from users u
    where u.id = reader_id and u.is_active and u.deleted_at is null and mails.permissions <@ array(
      select p.identifier from role_permissions rp
      join permissions p on p.id = rp.permission_id and p.is_active
      where rp.role_id = u.role_id
    )
  )
)`;

/**
 * Takes the mail that is due for longest and may be read, for as long as a server process may need to send it: no pause is longer. One with a
 * link goes before all others, as it is awaited and soon ends. Moments that a clock set that was ahead have come.
 * @param now of the process, by which mails come too late
 * @param lease in seconds
 */
export async function claimMail(platform: Platform, now: Date, lease: number): Promise<MailRow | undefined> {
  const due = (isLink: boolean) =>
    platform
      .selectFrom('mails')
      .select('id')
      .$if(isLink, (query) => query.where('linkHash', 'is not', null))
      .where(hasCome('dueAt', postgresNow, seconds(lease)))
      .where('validUntil', '>', now)
      .where(isReadable)
      .orderBy('dueAt')
      .limit(1)
      .forUpdate()
      .skipLocked();
  return (
    platform
      .updateTable('mails')
      .set({ dueAt: inSeconds(lease), attempts: sql`attempts + 1` })
      // Two looks, each along an index: one that sorts would read all that wait for each mail.
      .where('id', '=', sql<string>`coalesce(${due(true)}, ${due(false)})`)
      .returning(['id', 'sealed', 'validUntil', 'attempts'])
      .executeTakeFirst()
  );
}

export async function postponeMail(platform: Platform, id: string, pause: number): Promise<void> {
  await platform
    .updateTable('mails')
    .set({ dueAt: inSeconds(pause) })
    .where('id', '=', id)
    .execute();
}

export async function deleteMail(platform: Platform, id: string): Promise<void> {
  await platform.deleteFrom('mails').where('id', '=', id).execute();
}

/** @returns of each that could have been read whether it had a link */
export async function deleteMailsBefore(platform: Platform, moment: Date): Promise<boolean[]> {
  const deleted = await platform
    .deleteFrom('mails')
    .where('validUntil', '<=', moment)
    .returning([isReadable.as('isReadable'), sql<boolean>`link_hash is not null`.as('isLink')])
    .execute();
  return deleted.filter((mail) => mail.isReadable).map(({ isLink }) => isLink);
}

/** How many mails wait that may be read: those whose first attempt has not failed as far as is known, and those that are tried again. */
export async function countMails(platform: Platform, now: Date): Promise<{ first: number; retried: number }> {
  const { rows } = await sql<{ first: number; retried: number }>`
    select count(*) filter (where attempts <= 1)::int as first, count(*) filter (where attempts > 1)::int as retried
    from mails where valid_until > ${now} and ${isReadable}`.execute(platform);
  return rows[0] ?? { first: 0, retried: 0 };
}
