import { useCallback, useRef } from 'react';
import { showError } from '../api/http/answer-errors.ts';
import { notify } from '../components/toast/toast.tsx';

export type Direction = 'up' | 'down';
export type Move = (id: string, direction: Direction) => void;

/** What a call that moves a row is sent. */
interface SentMove {
  id: string;
  moveUp: string;
}

export type SendMove = (move: SentMove) => PromiseLike<{ data?: { message: string }; error?: unknown }>;

/**
 * Takes any number of moves in quick succession: each is sent after the answer to the one before, and told. A refused move cancels those
 * that wait behind it.
 * @param onEnd called after the last one
 */
export function useMoveQueue(send: SendMove, onEnd?: () => void): Move {
  const waiting = useRef<SentMove[]>([]);
  return useCallback(
    (id, direction) => {
      waiting.current.push({ id, moveUp: String(direction === 'up') });
      if (waiting.current.length === 1) void sendAll();

      async function sendAll() {
        for (let next = waiting.current[0]; next; next = waiting.current[0]) {
          const { data, error } = await send(next);
          waiting.current.shift();
          // Who does not see the rows learns of it by this alone.
          if (data) notify.success(data.message);
          if (error === undefined) continue;
          showError(error);
          waiting.current = [];
        }
        onEnd?.();
      }
    },
    [send, onEnd],
  );
}
