import type { Faq } from '@apotheca/contract/faqs';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useListFaqsQuery } from '../../../api/faqs.ts';
import { ListTable } from '../../../components/data-table/list-table.tsx';
import { KEPT_FRESH } from '../../../lists/list-freshness.ts';
import type { FaqDialog } from '../content-dialog.ts';
import { faqColumns } from './content-columns.tsx';
import { CreateButton } from './create-button.tsx';
import { FaqRowActions } from './row-actions.tsx';
import { useContentList } from './use-content-list.ts';

interface FaqsTableProps {
  /** The address of an FAQ's sections. */
  linkTo: (faq: Faq) => string;
  onOpen: (dialog: FaqDialog) => void;
}

/** All FAQs (SPEC §2.16). */
export function FaqsTable({ linkTo, onOpen }: FaqsTableProps) {
  const { t } = useTranslation();
  const columns = useMemo(() => faqColumns(t, linkTo), [t, linkTo]);
  const list = useContentList(useListFaqsQuery(undefined, KEPT_FRESH), 'faqs', columns);
  const rowActions = useCallback(
    (faq: Faq) => <FaqRowActions faq={faq} to={linkTo(faq)} onOpen={onOpen} />,
    [linkTo, onOpen],
  );
  return (
    <ListTable
      {...list}
      rowActions={rowActions}
      emptyAction={<CreateButton kind="faq" onClick={() => onOpen({ kind: 'create' })} />}
    />
  );
}
