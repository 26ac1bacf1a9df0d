import type { TrackedList } from '../../db/json-list.ts';

/** Most hits of a search. */
const MAX_HITS = 100;
/** Characters of an excerpt, and how many of them come before the text that was found. */
const EXCERPT = 120;
const BEFORE = 45;

/**
 * The first FAQs, sections and questions that contain a text, ignoring case, in the shape of contract/faqs `faqHit`. FAQs come first, each
 * kind in its order.
 */
export const faqHitsList: TrackedList<{ text: string }> = {
  tables: ['faqs', 'faq_sections', 'faq_questions'],
  select: ({ text }) => ({
    name: 'faq-hits',
    // LIKE's wildcards are escaped: they stand for themselves.
    values: [`%${text.replace(/[\\%_]/g, '\\$&')}%`, text],
    rows: `
      with entries as (
        select 1 as rank, 'faq' as kind, f.id, f.id as faq_id, f.name as faq_name, null::uuid as section_id,
          null as section_name, f.name as title, f.code collate "und-x-icu" as code, f.overview_text as body,
          f.sort_order as faq_order, f.creation_number as faq_number, 0 as section_order, 0 as question_order
        from faqs f
        union all
        select 2, 'section', s.id, f.id, f.name, s.id, s.name, s.name, s.code collate "und-x-icu", s.overview_text,
          f.sort_order, f.creation_number, s.sort_order, 0
        from faq_sections s
        join faqs f on f.id = s.faq_id
        union all
        select 3, 'question', q.id, f.id, f.name, s.id, s.name, q.question, '', q.answer_text,
          f.sort_order, f.creation_number, s.sort_order, q.sort_order
        from faq_questions q
        join faq_sections s on s.id = q.section_id
        join faqs f on f.id = s.faq_id
      ), hits as (
        select *, title collate "und-x-icu" ilike $1::text or code ilike $1::text as is_in_title
        from entries
        where title collate "und-x-icu" ilike $1::text or code ilike $1::text or body collate "und-x-icu" ilike $1::text
        order by rank, faq_order, faq_number, section_order, question_order
        limit ${MAX_HITS}
      )
      select kind, id, faq_id as "faqId", faq_name as "faqName", section_id as "sectionId", section_name as "sectionName", title,
        case when is_in_title then '' else
          case when start > 1 then '…' else '' end
          || btrim(substring(body from start for ${EXCERPT}))
          || case when start + ${EXCERPT} <= length(body) then '…' else '' end
        end as excerpt
      from hits, lateral (
        select greatest(1, strpos(lower(body collate "und-x-icu"), lower($2::text collate "und-x-icu")) - ${BEFORE}) as start
      ) hit
      order by rank, faq_order, faq_number, section_order, question_order`,
  }),
};
