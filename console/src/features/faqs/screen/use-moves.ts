import { original } from '@reduxjs/toolkit';
import { useCallback, useRef } from 'react';
import { useDispatch } from 'react-redux';
import {
  type FaqsDispatch,
  invalidateFaqs,
  updateFaqData,
  useMoveFaqQuestionMutation,
  useMoveFaqSectionMutation,
} from '../../../api/faqs.ts';
import { showError } from '../../../api/http/answer-errors.ts';

export type Direction = 'up' | 'down';
export type Move = (id: string, direction: Direction) => void;

interface Ordered {
  id: string;
  sortOrder: number;
}

interface Mover {
  /** Shows the row at its new place. */
  show: Move;
  send: (move: { id: string; moveUp: string }) => PromiseLike<{ error?: unknown }>;
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

/**
 * Takes any number of moves in quick succession: each is shown at once and sent after the answer to the one before;
 * after the last one the list is loaded again. A refused move cancels those that wait behind it.
 */
function useMoves({ show, send }: Mover): Move {
  const dispatch = useDispatch();
  const waiting = useRef<{ id: string; direction: Direction }[]>([]);
  return useCallback(
    (id, direction) => {
      show(id, direction);
      waiting.current.push({ id, direction });
      if (waiting.current.length === 1) void sendAll();

      async function sendAll() {
        for (let next = waiting.current[0]; next; next = waiting.current[0]) {
          const { error } = await send({ id: next.id, moveUp: String(next.direction === 'up') });
          waiting.current.shift();
          if (error === undefined) continue;
          showError(error);
          waiting.current = [];
        }
        dispatch(invalidateFaqs(['Faqs']));
      }
    },
    [show, send, dispatch],
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
