import { useMovePermissionMutation } from '../api/permissions.ts';
import { type Move, useMoveQueue } from './use-move-queue.ts';

/** Moves a permission or menu by one place. */
export function useMovePermission(): Move {
  const [move] = useMovePermissionMutation();
  return useMoveQueue(move);
}
