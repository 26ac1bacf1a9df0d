import type { TrackedList } from '../../db/json-list.ts';

/** What a tree is asked for. */
export interface TreeQuery {
  /** Absent: all FAQs. */
  faqId?: string | undefined;
  /** Whether the tree includes what readers do not see. */
  hidden: boolean;
}

/** Whether a row is in the tree, apart from what it is in. */
const isIn = (row: string): string => `($2::boolean or ${row}.is_active and ${row}.published)`;

/** FAQs in their order with their sections and questions, each with its flags. */
export const faqTreeList: TrackedList<TreeQuery> = {
  tables: ['faqs', 'faq_sections', 'faq_questions'],
  select: ({ faqId, hidden }) => ({
    name: 'faq-tree',
    values: [faqId ?? null, hidden],
    rows: `
      select f.id, f.name, f.code, f.overview, f.is_active as "isActive", f.published, (
        select coalesce(json_agg(section), '[]')
        from (
          select s.id, s.name, s.code, s.overview, s.icon, s.is_active as "isActive", s.published, (
            select coalesce(json_agg(entry), '[]')
            from (
              select q.id, q.question, q.answer, q.is_active as "isActive", q.published
              from faq_questions q
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
};
