import { original } from '@reduxjs/toolkit';
import { useCallback } from 'react';
import { useDispatch } from 'react-redux';
import {
  type FaqsDispatch,
  invalidateFaqs,
  updateFaqData,
  useMoveFaqQuestionMutation,
  useMoveFaqSectionMutation,
} from '../../../api/faqs.ts';
import { type Direction, type Move, type SendMove, useMoveQueue } from '../../../lists/use-move-queue.ts';

interface Ordered {
  id: string;
  sortOrder: number;
}

interface Mover {
  /** Shows the row at its new place. */
  show: Move;
  send: SendMove;
}

/** Moves sections of an FAQ by one place. */
export function useMoveSections(faqId: string): Move {
  const [send] = useMoveFaqSectionMutation();
  const dispatch = useDispatch<FaqsDispatch>();
  const show = useCallback<Move>(
    (id, direction) =>
      void dispatch(
        updateFaqData('listFaqSections', { faqId }, (rows) => moved(original(rows) ?? rows, id, direction)),
      ),
    [dispatch, faqId],
  );
  return useMoves({ show, send });
}

/** Moves questions of a section by one place. */
export function useMoveQuestions(sectionId: string): Move {
  const [send] = useMoveFaqQuestionMutation();
  const dispatch = useDispatch<FaqsDispatch>();
  const show = useCallback<Move>(
    (id, direction) =>
      void dispatch(
        updateFaqData('listFaqQuestions', { sectionId }, (rows) => moved(original(rows) ?? rows, id, direction)),
      ),
    [dispatch, sectionId],
  );
  return useMoves({ show, send });
}

/** Each move is shown at once; after the last one the list is loaded again. */
function useMoves({ show, send }: Mover): Move {
  const dispatch = useDispatch();
  const reload = useCallback(() => void dispatch(invalidateFaqs(['Faqs'])), [dispatch]);
  const queue = useMoveQueue(send, reload);
  return useCallback(
    (id, direction) => {
      show(id, direction);
      queue(id, direction);
    },
    [show, queue],
  );
}

/** The list with a row and its neighbour swapped; the sort orders stay with the places. */
function moved<Row extends Ordered>(rows: readonly Row[], id: string, direction: Direction): Row[] {
  const from = rows.findIndex((row) => row.id === id);
  const to = direction === 'up' ? from - 1 : from + 1;
  const [row, neighbour] = [rows[from], rows[to]];
  if (!row || !neighbour) return [...rows];
  const next = [...rows];
  next[from] = { ...neighbour, sortOrder: row.sortOrder };
  next[to] = { ...row, sortOrder: neighbour.sortOrder };
  return next;
}
