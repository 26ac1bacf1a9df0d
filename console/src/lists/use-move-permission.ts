import { useCallback, useRef } from 'react';
import { showError } from '../api/http/answer-errors.ts';
import { useMovePermissionMutation } from '../api/permissions.ts';
import { notify } from '../components/toast/toast.tsx';

/** Moves a permission or menu by one place and shows the server's message; one move at a time. */
export function useMovePermission(): (id: string, direction: 'up' | 'down') => Promise<void> {
  const [move] = useMovePermissionMutation();
  const isMoving = useRef(false);
  return useCallback(
    async (id, direction) => {
      if (isMoving.current) return;
      isMoving.current = true;
      try {
        notify.success((await move({ id, moveUp: String(direction === 'up') }).unwrap()).message);
      } catch (error) {
        showError(error);
      } finally {
        isMoving.current = false;
      }
    },
    [move],
  );
}
