import { sql } from 'kysely';
import type { Platform, Trx } from '../db/platform.ts';

/** A mail that waits to be sent. */
export interface MailRow {
  id: string;
  sealed: Buffer;
  validUntil: Date;
  /** How often it was tried, this time included. */
  attempts: number;
}

export async function insertMail(trx: Trx, mail: Omit<MailRow, 'attempts'> & { dueAt: Date }): Promise<void> {
  await trx.insertInto('mails').values(mail).execute();
}

/** Takes the mail that is due for longest, for as long as a server process may need to send it. */
export async function claimMail(
  platform: Platform,
  { now, until }: { now: Date; until: Date },
): Promise<MailRow | undefined> {
  const due = platform
    .selectFrom('mails')
    .select('id')
    .where('dueAt', '<=', now)
    .where('validUntil', '>', now)
    .orderBy('dueAt')
    .limit(1)
    .forUpdate()
    .skipLocked();
  return platform
    .updateTable('mails')
    .set({ dueAt: until, attempts: sql`attempts + 1` })
    .where('id', '=', due)
    .returning(['id', 'sealed', 'validUntil', 'attempts'])
    .executeTakeFirst();
}

export async function postponeMail(platform: Platform, id: string, dueAt: Date): Promise<void> {
  await platform.updateTable('mails').set({ dueAt }).where('id', '=', id).execute();
}

export async function deleteMail(platform: Platform, id: string): Promise<void> {
  await platform.deleteFrom('mails').where('id', '=', id).execute();
}

export async function deleteMailsBefore(platform: Platform, moment: Date): Promise<void> {
  await platform.deleteFrom('mails').where('validUntil', '<=', moment).execute();
}
