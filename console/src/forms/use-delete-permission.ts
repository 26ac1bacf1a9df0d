import { useDeletePermissionMutation } from '../api/permissions.ts';
import { notify } from '../components/toast/toast.tsx';
import { useOneAtATime } from '../lib/use-one-at-a-time.ts';
import { useFailure } from './use-failure.ts';

/** Deletes a permission or menu and shows the server's message. */
export function useDeletePermission(id: string, onDeleted: () => void) {
  const [deletePermission] = useDeletePermissionMutation();
  const { run, isBusy } = useOneAtATime();
  const { failure, fail } = useFailure();
  async function remove() {
    const outcome = await run(() => deletePermission({ id }));
    if (!outcome) return;
    if (outcome.error) return fail(outcome.error);
    notify.success(outcome.data.message);
    onDeleted();
  }
  return { remove, isBusy, failure };
}
