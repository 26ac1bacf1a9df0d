import { type Faq, faqRoutes } from '@apotheca/contract/faqs';
import { ArrowDown, ArrowUp, Eye, History, List, type LucideIcon, Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { IconButton } from '../../../components/button/button.tsx';
import { useRefusal } from '../../../rights/rights.tsx';
import type { FaqDialog } from '../content-dialog.ts';
import type { Direction } from './use-moves.ts';

interface FaqRowActionsProps {
  faq: Faq;
  /** The address of its sections. */
  to: string;
  onOpen: (dialog: FaqDialog) => void;
}

/** The buttons of one FAQ in the list (SPEC §2.16). */
export function FaqRowActions({ faq, to, onOpen }: FaqRowActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const { name } = faq;
  return (
    <>
      <IconLink icon={List} label={t('faqs.actions.viewSections', { name })} to={to} />
      <IconButton
        icon={Pencil}
        label={t('faqs.actions.editFaq', { name })}
        refusal={refusal(faqRoutes.edit)}
        onClick={() => onOpen({ kind: 'edit', faq })}
      />
      <IconButton
        icon={Eye}
        label={t('faqs.actions.preview', { name })}
        onClick={() => onOpen({ kind: 'preview', faq })}
      />
      <IconButton
        icon={History}
        label={t('faqs.actions.history', { name })}
        onClick={() => onOpen({ kind: 'history', faq })}
      />
      <IconButton
        icon={Trash2}
        variant="danger"
        label={t('faqs.actions.deleteFaq', { name })}
        refusal={refusal(faqRoutes.delete)}
        onClick={() => onOpen({ kind: 'delete', faq })}
      />
    </>
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

/** The buttons of one section or question in a list (SPEC §2.17, §2.18). */
export function OrderedRowActions({ name, to, onEdit, onHistory, onDelete, ...place }: OrderedRowActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  return (
    <>
      {to !== undefined && <IconLink icon={List} label={t('faqs.actions.viewQuestions', { name })} to={to} />}
      <IconButton
        icon={Pencil}
        label={t('faqs.actions.edit', { name })}
        refusal={refusal(faqRoutes.edit)}
        onClick={onEdit}
      />
      <MoveButton name={name} direction="up" isAtEdge={place.isFirst} {...place} />
      <MoveButton name={name} direction="down" isAtEdge={place.isLast} {...place} />
      <IconButton icon={History} label={t('faqs.actions.history', { name })} onClick={onHistory} />
      <IconButton
        icon={Trash2}
        variant="danger"
        label={t('faqs.actions.delete', { name })}
        refusal={refusal(faqRoutes.delete)}
        onClick={onDelete}
      />
    </>
  );
}

interface MoveButtonProps extends Pick<OrderedRowActionsProps, 'name' | 'isFiltered' | 'onMove'> {
  direction: Direction;
  isAtEdge: boolean;
}

function MoveButton({ name, direction, isAtEdge, isFiltered, onMove }: MoveButtonProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const label = t(direction === 'up' ? 'faqs.actions.moveUp' : 'faqs.actions.moveDown', { name });
  const isOff = isAtEdge || isFiltered;
  return (
    <IconButton
      icon={direction === 'up' ? ArrowUp : ArrowDown}
      label={isFiltered ? t('faqs.actions.moveFiltered', { move: label }) : label}
      // Not `disabled`: a row that reaches the edge of the list would lose the focus.
      aria-disabled={isOff || undefined}
      refusal={refusal(faqRoutes.edit)}
      onClick={() => !isOff && onMove(direction)}
    />
  );
}

function IconLink({ icon: Icon, label, to }: { icon: LucideIcon; label: string; to: string }) {
  return (
    <Link to={to} className="icon-button" aria-label={label} title={label}>
      <Icon className="icon" aria-hidden="true" />
    </Link>
  );
}
