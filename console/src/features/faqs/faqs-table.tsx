import type { Faq } from '@apotheca/contract/faqs';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useListFaqsQuery } from '../../api/faqs.ts';
import { ListTable } from '../../components/list-table.tsx';
import { textSearch } from '../../lib/text-search.ts';
import { faqColumns } from './content-columns.tsx';
import type { FaqDialog } from './content-dialog.ts';
import { CreateButton } from './create-button.tsx';
import { FaqRowActions } from './row-actions.tsx';
import { useContentList } from './use-content-list.ts';

interface FaqsTableProps {
  /** Where the sections of an FAQ are. */
  linkTo: (faq: Faq) => string;
  onOpen: (dialog: FaqDialog) => void;
}

const search = textSearch<Faq>(({ name, code }) => [name, code]);

/** All FAQs (SPEC §2.16). */
export function FaqsTable({ linkTo, onOpen }: FaqsTableProps) {
  const { t } = useTranslation();
  const list = useContentList(useListFaqsQuery(), 'faqs', search);
  const columns = useMemo(() => faqColumns(t, linkTo), [t, linkTo]);
  const rowActions = useCallback(
    (faq: Faq) => <FaqRowActions faq={faq} to={linkTo(faq)} onOpen={onOpen} />,
    [linkTo, onOpen],
  );
  return (
    <ListTable
      {...list}
      columns={columns}
      rowActions={rowActions}
      emptyAction={<CreateButton kind="faq" onClick={() => onOpen({ kind: 'create' })} />}
    />
  );
}
