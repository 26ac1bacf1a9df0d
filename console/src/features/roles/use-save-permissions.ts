import { useSelector } from 'react-redux';
import { useEditRolePermissionsMutation } from '../../api/roles.ts';
import { notify } from '../../components/toast/toast.tsx';
import { useFailure } from '../../forms/use-failure.ts';
import { useOneAtATime } from '../../lib/use-one-at-a-time.ts';
import { selectSession } from '../../session/session-slice.ts';

interface SavePermissions {
  edit: { roleId: string; permissionIds: string[] };
  /** The plan may have changed: it is asked for anew. */
  onRefused: () => unknown;
  onSaved: () => void;
}

/** Gives a role its chosen permissions, if the plan that was shown still holds. */
export function useSavePermissions({ edit, onRefused, onSaved }: SavePermissions) {
  const { id: updatedBy } = useSelector(selectSession);
  const [send] = useEditRolePermissionsMutation();
  const { run, isBusy } = useOneAtATime();
  const { failure, fail } = useFailure();
  async function save(plan: string | undefined): Promise<void> {
    const outcome = await run(() => send({ ...edit, plan, updatedBy }));
    if (!outcome) return;
    if (!outcome.data) {
      fail(outcome.error);
      onRefused();
      return;
    }
    notify.success(outcome.data.message);
    onSaved();
  }
  return { save, isSaving: isBusy, failure };
}
