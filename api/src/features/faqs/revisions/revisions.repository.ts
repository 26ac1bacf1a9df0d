import {
  type ComparedRevision,
  type FaqKind,
  type FaqRevision,
  KEPT_REVISIONS,
} from '@apotheca/contract/faq-revisions';
import { sql } from 'kysely';
import { type TrackedList, utcMoment } from '../../../db/json-list.ts';
import type { Platform, Trx } from '../../../db/platform.ts';

/** An FAQ, a section or a question. */
export interface RevisedRecord {
  kind: FaqKind;
  id: string;
}

const FLAGS = `
  is_active as "isActive", published, ${utcMoment('publish_at')} as "publishAtUtc", ${utcMoment('publish_until')} as "publishUntilUtc"`;

/** The table of each kind, the column that names its rows in `faq_revisions`, and its content in the contract's names. */
const KINDS: Record<FaqKind, Record<'table' | 'key' | 'content', string>> = {
  faq: { table: 'faqs', key: 'faq_id', content: `name, code, overview, module, ${FLAGS}` },
  section: { table: 'faq_sections', key: 'section_id', content: `name, code, overview, icon, ${FLAGS}` },
  question: { table: 'faq_questions', key: 'question_id', content: `question, answer, ${FLAGS}` },
};

const sqlOf = (kind: FaqKind) => {
  const { table, key, content } = KINDS[kind];
  return { table: sql.raw(table), key: sql.raw(key), content: sql.raw(content) };
};

/** Keeps what a record is now as its newest revision. */
export async function insertRevision(
  trx: Trx,
  { kind, id, verb, fields, by, at }: RevisedRecord & Pick<FaqRevision, 'verb' | 'fields' | 'by'> & { at: Date },
): Promise<void> {
  const { table, key, content } = sqlOf(kind);
  await sql`
    insert into faq_revisions (${key}, version, verb, fields, content, actor_name, at)
    select id, version, ${verb}, ${fields}::text[], to_jsonb(present), ${by}, ${at}
    from ${table}, lateral (select ${content}) present
    where id = ${id}`.execute(trx);
}

/** Deletes the oldest revisions of a record, of which there may be so many. */
export async function deleteOldRevisions(trx: Trx, { kind, id }: RevisedRecord): Promise<void> {
  const { key } = sqlOf(kind);
  await sql`
    delete from faq_revisions
    where ${key} = ${id} and version <= (
      select version from faq_revisions where ${key} = ${id} order by version desc offset ${KEPT_REVISIONS} limit 1
    )`.execute(trx);
}

/** The revisions of a record, newest first, in the shape of contract/faq-revisions `faqRevision`. */
export const revisionsList: TrackedList<RevisedRecord> = {
  tables: ['faq_revisions'],
  select: ({ kind, id }) => ({
    name: `faq-revisions-${kind}`,
    values: [id],
    rows: `
      select version as revision, verb, fields, actor_name as by, ${utcMoment('at')} as "onUtc"
      from faq_revisions
      where ${KINDS[kind].key} = $1
      order by version desc`,
  }),
};

/** A revision and what its record is now, in one snapshot. */
export async function findCompared(
  platform: Platform,
  { kind, id, revision }: RevisedRecord & { revision: number },
): Promise<ComparedRevision | undefined> {
  const { table, key, content } = sqlOf(kind);
  const { rows } = await sql<ComparedRevision>`
    select revision.content as past, to_jsonb(present) as present, record.version
    from faq_revisions revision
    join ${table} record on record.id = revision.${key}, lateral (select ${content} from ${table} where id = record.id) present
    where revision.${key} = ${id} and revision.version = ${revision}`.execute(platform);
  return rows[0];
}
