import type { TrackedList } from '../../db/json-list.ts';
import { isShown, minuteOf } from './faq-period.ts';
import { HELPFULNESS } from './questions.repository.ts';

/** What a tree is asked for. */
export interface TreeQuery {
  /** Absent: all FAQs. */
  faqId?: string | undefined;
  /** Whether the tree includes what readers do not see. */
  hidden: boolean;
}

/** Whether a row is in the tree, apart from what it is in. */
const isIn = (row: string): string => `($2::boolean or ${isShown(row, '$3')})`;

/** What decides whether readers see a row. */
const flagsOf = (row: string): string => `
  ${row}.is_active as "isActive", ${row}.published, coalesce(${row}.publish_at > $3::timestamptz, false) as "isEarly",
  coalesce(${row}.publish_until <= $3::timestamptz, false) as "isOver"`;

/** FAQs in their order with their sections and questions, each with its flags. They hold for a minute, unless something is written. */
export const faqTreeList = (now: () => Date): TrackedList<TreeQuery> => ({
  tables: ['faqs', 'faq_sections', 'faq_questions', 'faq_helpfulness'],
  select: ({ faqId, hidden }) => ({
    name: 'faq-tree',
    values: [faqId ?? null, hidden, minuteOf(now())],
    rows: `
      select f.id, f.name, f.code, f.overview, ${flagsOf('f')}, (
        select coalesce(json_agg(section), '[]')
        from (
          select s.id, s.name, s.code, s.overview, s.icon, ${flagsOf('s')}, (
            select coalesce(json_agg(entry), '[]')
            from (
              select q.id, q.question, q.answer, ${HELPFULNESS}, ${flagsOf('q')}
              from faq_questions q
              left join faq_helpfulness h on h.question_id = q.id
              where q.section_id = s.id and ${isIn('q')}
              order by q.sort_order
            ) entry
          ) as questions
          from faq_sections s
          where s.faq_id = f.id and ${isIn('s')}
          order by s.sort_order
        ) section
      ) as sections
      from faqs f
      where ($1::uuid is null or f.id = $1) and ${isIn('f')}
      order by f.sort_order, f.creation_number`,
  }),
});
