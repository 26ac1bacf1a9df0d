import type { FaqSection } from '@apotheca/contract/faq-sections';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useListFaqSectionsQuery } from '../../../api/faqs.ts';
import { ListTable } from '../../../components/data-table/list-table.tsx';
import { KEPT_FRESH } from '../../../lists/list-freshness.ts';
import type { SectionDialog } from '../content-dialog.ts';
import { sectionColumns } from './content-columns.tsx';
import { CreateButton } from './create-button.tsx';
import { OrderedRowActions } from './row-actions.tsx';
import { edgesOf, useContentList } from './use-content-list.ts';
import { useMoveSections } from './use-moves.ts';

interface SectionsTableProps {
  faqId: string;
  /** The address of a section's questions. */
  linkTo: (section: FaqSection) => string;
  onOpen: (dialog: SectionDialog) => void;
}

/** The sections of an FAQ, in their order (SPEC §2.17). */
export function SectionsTable({ faqId, linkTo, onOpen }: SectionsTableProps) {
  const { t } = useTranslation();
  const query = useListFaqSectionsQuery({ faqId }, KEPT_FRESH);
  const columns = useMemo(() => sectionColumns(t, linkTo), [t, linkTo]);
  const list = useContentList(query, 'sections', columns);
  const move = useMoveSections(faqId);
  const { firstId, lastId } = edgesOf(query.data);
  const isFiltered = list.view.text !== '' || list.filters.isOn;
  const rowActions = useCallback(
    (section: FaqSection) => (
      <OrderedRowActions
        name={section.name}
        isFirst={section.id === firstId}
        isLast={section.id === lastId}
        isFiltered={isFiltered}
        to={linkTo(section)}
        onEdit={() => onOpen({ kind: 'edit', section })}
        onHistory={() => onOpen({ kind: 'history', section })}
        onDelete={() => onOpen({ kind: 'delete', section })}
        onMove={(direction) => move(section.id, direction)}
      />
    ),
    [firstId, lastId, isFiltered, linkTo, onOpen, move],
  );
  return (
    <ListTable
      {...list}
      rowActions={rowActions}
      emptyAction={<CreateButton kind="section" onClick={() => onOpen({ kind: 'create' })} />}
    />
  );
}
