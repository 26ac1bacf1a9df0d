import type { JsonList } from '../../../db/json-list.ts';
import { utcMoment } from '../../../db/json-list.ts';
import { isShown } from '../faq-period.ts';

/** The tables that decide what readers see. */
export const PUBLIC_TABLES = ['faqs', 'faq_sections', 'faq_questions'] as const;

/** Who reads, and when. */
export interface Reader {
  /** The minute, as ISO 8601. */
  minute: string;
  /** The modules of the reader's tenant. */
  modules: readonly string[];
}

/** Whether a reader sees an FAQ: $1 is the minute, $2 the modules of the tenant. */
const IS_READABLE = `${isShown('f', '$1')} and (f.module is null or f.module = any ($2::text[]))`;

/** The FAQs that a reader sees, in their order. */
export const publicFaqs = ({ minute, modules }: Reader): JsonList => ({
  name: 'public-faqs',
  values: [minute, modules],
  rows: `
    select f.id, f.code, f.name, f.overview
    from faqs f
    where ${IS_READABLE}
    order by f.sort_order, f.creation_number`,
});

/** One FAQ as a reader sees it; no row where they do not. @param faq its id, or its code in any case */
export const publicContent = ({ minute, modules }: Reader, faq: string): JsonList => ({
  name: 'public-faq',
  values: [minute, modules, faq],
  rows: `
    select f.id, f.code, f.name, f.overview, (
      select coalesce(json_agg(section), '[]')
      from (
        select s.id, s.name, s.overview, (
          select coalesce(json_agg(entry), '[]')
          from (
            select q.id, q.question, q.answer, q.answer_text as text, ${utcMoment('q.created_at')} as "createdOnUtc",
              ${utcMoment('q.updated_at')} as "updatedOnUtc"
            from faq_questions q
            where q.section_id = s.id and ${isShown('q', '$1')}
            order by q.sort_order
          ) entry
        ) as questions
        from faq_sections s
        where s.faq_id = f.id and ${isShown('s', '$1')}
        order by s.sort_order
      ) section
    ) as sections
    from faqs f
    where (f.id::text = $3::text or f.code = $3::text) and ${IS_READABLE}
    order by f.id::text = $3::text desc
    limit 1`,
});
