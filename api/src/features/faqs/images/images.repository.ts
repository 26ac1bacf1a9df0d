import { type Insertable, sql } from 'kysely';
import type { Platform, PlatformTables, Trx } from '../../../db/platform.ts';

/** Locks the pictures of a person until the transaction ends, so that they are counted one after another. */
export async function lockPicturesOf(trx: Trx, userId: string | null): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${userId ?? ''}, 2))`.execute(trx);
}

/** How many pictures a person has stored between two moments. */
export async function countPictures(trx: Trx, userId: string | null, since: Date, until: Date): Promise<number> {
  const { count } = await trx
    .selectFrom('faqImages')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('createdBy', 'is not distinct from', userId)
    .where('createdAt', '>', since)
    .where('createdAt', '<', until)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Stores a picture, unless it is there: then it counts as just stored. */
export async function upsertPicture(trx: Trx, row: Insertable<PlatformTables['faqImages']>): Promise<void> {
  const { createdBy, createdAt, unusedSince } = row;
  await trx
    .insertInto('faqImages')
    .values(row)
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ createdBy, createdAt, unusedSince }))
    .execute();
}

export async function findPicture(platform: Platform, hash: string): Promise<Buffer | undefined> {
  return (await platform.selectFrom('faqImages').select('bytes').where('hash', '=', hash).executeTakeFirst())?.bytes;
}

/** Marks pictures as used. @returns those that are there */
export async function keepPictures(platform: Platform, hashes: readonly string[]): Promise<string[]> {
  const rows = await platform
    .updateTable('faqImages')
    .set({ unusedSince: null })
    .where('hash', 'in', hashes)
    .returning('hash')
    .execute();
  return rows.map(({ hash }) => hash);
}

/** Notes since when pictures are in no text and no revision, and deletes those that are in none since before a moment. */
export async function sweepPictures(platform: Platform, now: Date, before: Date): Promise<void> {
  await sql`
    with texts as (
      select overview as html from faqs union all select overview from faq_sections union all select answer from faq_questions
      union all select content::text from faq_revisions
    ), named as (
      select distinct picture[1] as hash from texts, regexp_matches(html, '/faqs/images/([0-9a-f]{64})', 'g') picture
    )
    update faq_images i set unused_since = case when i.hash in (select hash from named) then null else ${now}::timestamptz end
    where (i.unused_since is null) <> (i.hash in (select hash from named))`.execute(platform);
  await platform.deleteFrom('faqImages').where('unusedSince', '<', before).execute();
}
