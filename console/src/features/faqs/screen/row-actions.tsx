import { type Faq, faqRoutes } from '@apotheca/contract/faqs';
import { ArrowDown, ArrowUp, Eye, History, List, Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type RowAction, RowActions } from '../../../components/data-table/row-actions.tsx';
import type { Direction } from '../../../lists/use-move-queue.ts';
import { useRefusal } from '../../../rights/rights.tsx';
import type { FaqDialog } from '../content-dialog.ts';

interface FaqRowActionsProps {
  faq: Faq;
  /** The address of its sections. */
  to: string;
  onOpen: (dialog: FaqDialog) => void;
}

/** The actions of one FAQ in the list (SPEC §2.16). */
export function FaqRowActions({ faq, to, onOpen }: FaqRowActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const { name } = faq;
  return (
    <RowActions
      name={name}
      actions={[
        { icon: List, label: t('faqs.actions.viewSections', { name }), to },
        {
          icon: Pencil,
          label: t('faqs.actions.editFaq', { name }),
          refusal: refusal(faqRoutes.edit),
          onSelect: () => onOpen({ kind: 'edit', faq }),
        },
        { icon: Eye, label: t('faqs.actions.preview', { name }), onSelect: () => onOpen({ kind: 'preview', faq }) },
        {
          icon: History,
          inMenu: true,
          label: t('faqs.actions.history', { name }),
          onSelect: () => onOpen({ kind: 'history', faq }),
        },
        {
          icon: Trash2,
          inMenu: true,
          danger: true,
          label: t('faqs.actions.deleteFaq', { name }),
          refusal: refusal(faqRoutes.delete),
          onSelect: () => onOpen({ kind: 'delete', faq }),
        },
      ]}
    />
  );
}

interface OrderedRowActionsProps {
  name: string;
  isFirst: boolean;
  isLast: boolean;
  /** The filter hides some rows, so the visible neighbours are not those that a move would pass. */
  isFiltered: boolean;
  /** The address of its questions; absent for a question. */
  to?: string;
  onEdit: () => void;
  onHistory: () => void;
  onDelete: () => void;
  onMove: (direction: Direction) => void;
}

/** The actions of one section or question in a list (SPEC §2.17, §2.18). */
export function OrderedRowActions({ name, to, onEdit, onHistory, onDelete, ...place }: OrderedRowActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const { isFirst, isLast, isFiltered, onMove } = place;
  function move(direction: Direction, isAtEdge: boolean): RowAction {
    const label = t(direction === 'up' ? 'faqs.actions.moveUp' : 'faqs.actions.moveDown', { name });
    return {
      icon: direction === 'up' ? ArrowUp : ArrowDown,
      label: isFiltered ? t('faqs.actions.moveFiltered', { move: label }) : label,
      disabled: isAtEdge || isFiltered,
      refusal: refusal(faqRoutes.edit),
      onSelect: () => onMove(direction),
    };
  }
  return (
    <RowActions
      name={name}
      actions={[
        {
          icon: Pencil,
          label: t('faqs.actions.edit', { name }),
          refusal: refusal(faqRoutes.edit),
          onSelect: onEdit,
        },
        move('up', isFirst),
        move('down', isLast),
        // Its name leads there too.
        ...(to === undefined
          ? []
          : [{ icon: List, inMenu: true, label: t('faqs.actions.viewQuestions', { name }), to }]),
        { icon: History, inMenu: true, label: t('faqs.actions.history', { name }), onSelect: onHistory },
        {
          icon: Trash2,
          inMenu: true,
          danger: true,
          label: t('faqs.actions.delete', { name }),
          refusal: refusal(faqRoutes.delete),
          onSelect: onDelete,
        },
      ]}
    />
  );
}
