import { type Insertable, sql } from 'kysely';
import type { Platform, PlatformTables, Trx } from '../../../db/platform.ts';

/** How many pictures are looked at in one statement. */
const AT_ONCE = 500;

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

/**
 * Looks at the next pictures: notes since when they are in no text and no revision, and deletes those that are in none since before a moment.
 * Indexes tell which are named, as reading all texts takes longer than a statement may.
 * @param after the last one that was looked at; empty: from the first one on
 * @returns the last of these; undefined where there are no more
 */
export async function sweepPictures(
  platform: Platform,
  after: string,
  { now, before }: { now: Date; before: Date },
): Promise<string | undefined> {
  const { rows } = await sql<{ hash: string }>`
    with found as (
      select
        hash,
        exists (select from faqs where faq_pictures(overview) @> array[hash])
          or exists (select from faq_sections where faq_pictures(overview) @> array[hash])
          or exists (select from faq_questions where faq_pictures(answer) @> array[hash])
          or exists (select from faq_revisions where faq_pictures(content::text) @> array[hash]) as is_named
      from faq_images where hash > ${after} order by hash limit ${AT_ONCE}
    ), noted as (
      update faq_images i set unused_since = case when is_named then null else ${now}::timestamptz end
      from found where i.hash = found.hash and (unused_since is null) <> is_named
    )
    select hash from found order by hash desc limit 1`.execute(platform);
  const last = rows[0]?.hash;
  if (last === undefined) return undefined;
  const those = platform.deleteFrom('faqImages').where('hash', '>', after).where('hash', '<=', last);
  await those.where('unusedSince', '<', before).execute();
  return last;
}
