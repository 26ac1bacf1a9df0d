import type { FaqQuestion } from '@apotheca/contract/faq-questions';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useListFaqQuestionsQuery } from '../../../api/faqs.ts';
import { ListTable } from '../../../components/data-table/list-table.tsx';
import { KEPT_FRESH } from '../../../lists/list-freshness.ts';
import { getRuntimeConfig } from '../../../transport/runtime-config.ts';
import type { QuestionDialog } from '../content-dialog.ts';
import { questionColumns } from './content-columns.tsx';
import { CreateButton } from './create-button.tsx';
import { OrderedRowActions } from './row-actions.tsx';
import { edgesOf, useContentList } from './use-content-list.ts';
import { useMoveQuestions } from './use-moves.ts';

interface QuestionsTableProps {
  sectionId: string;
  onOpen: (dialog: QuestionDialog) => void;
}

/** The questions of a section, in their order (SPEC §2.18). */
export function QuestionsTable({ sectionId, onOpen }: QuestionsTableProps) {
  const { t } = useTranslation();
  const query = useListFaqQuestionsQuery({ sectionId }, KEPT_FRESH);
  const columns = useMemo(
    () => questionColumns(t, getRuntimeConfig().publicFaqs === true, (question) => onOpen({ kind: 'edit', question })),
    [t, onOpen],
  );
  const list = useContentList(query, 'questions', columns);
  const move = useMoveQuestions(sectionId);
  const { firstId, lastId } = edgesOf(query.data);
  const isFiltered = list.view.text !== '' || list.filters.isOn;
  const rowActions = useCallback(
    (question: FaqQuestion) => (
      <OrderedRowActions
        name={question.question}
        isFirst={question.id === firstId}
        isLast={question.id === lastId}
        isFiltered={isFiltered}
        onEdit={() => onOpen({ kind: 'edit', question })}
        onHistory={() => onOpen({ kind: 'history', question })}
        onDelete={() => onOpen({ kind: 'delete', question })}
        onMove={(direction) => move(question.id, direction)}
      />
    ),
    [firstId, lastId, isFiltered, onOpen, move],
  );
  return (
    <ListTable
      {...list}
      rowActions={rowActions}
      emptyAction={<CreateButton kind="question" onClick={() => onOpen({ kind: 'create' })} />}
    />
  );
}
