import { useCallback } from 'react';
import { useMovePermissionMutation } from '../api/permissions.ts';
import { notify } from '../components/toast/toast.tsx';
import { type Move, useMoveQueue } from './use-move-queue.ts';

/** Moves a permission or menu by one place and shows the server's message. */
export function useMovePermission(): Move {
  const [move] = useMovePermissionMutation();
  const send = useCallback(
    async (sent: Parameters<typeof move>[0]) => {
      const outcome = await move(sent);
      if (outcome.data) notify.success(outcome.data.message);
      return outcome;
    },
    [move],
  );
  return useMoveQueue(send);
}
