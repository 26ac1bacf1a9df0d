import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../../components/data-table/data-table.tsx';
import { useListView } from '../../../components/data-table/use-list-view.ts';
import { useList } from '../../../lists/use-list.ts';

/** These lists are sorted by their content's order, which only a move changes. */
const COLUMNS = ['sortOrder'] as const;

interface Texts {
  label: string;
  name: string;
  filterLabel: string;
  downloadLabel: string;
  noMatchText: string;
  emptyText: string;
  emptyHint: string;
  hiddenText: () => string;
}

/** What the lists of FAQs, sections and questions share: the filter in the address, the texts, no sorting. */
export function useContentList<Row extends { id: string }>(
  query: Parameters<typeof useList<Row, 'sortOrder'>>[0],
  kind: 'faqs' | 'sections' | 'questions',
  columns: readonly Column<Row>[],
) {
  const { t } = useTranslation();
  const view = useListView(COLUMNS);
  const { sort: _sort, onSortChange: _onSortChange, ...list } = useList(query, view, { columns });
  const texts: Texts = useMemo(
    () => ({
      label: t(`faqs.lists.${kind}.title`),
      name: kind,
      filterLabel: t(`faqs.lists.${kind}.filter`),
      downloadLabel: t(`faqs.lists.${kind}.download`),
      noMatchText: t(`faqs.lists.${kind}.noMatch`),
      emptyText: t(`faqs.lists.${kind}.empty`),
      emptyHint: t(`faqs.lists.${kind}.emptyHint`),
      hiddenText: () => t(`faqs.lists.${kind}.hidden`),
    }),
    [t, kind],
  );
  return { ...texts, ...list };
}

/** The ids of the first and last row, which can move in one direction only. */
export const edgesOf = (rows: readonly { id: string }[] | undefined) => ({
  firstId: rows?.[0]?.id,
  lastId: rows?.at(-1)?.id,
});
