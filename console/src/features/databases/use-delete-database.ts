import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useCheckDatabaseQuery, useDeleteDatabaseMutation } from '../../api/databases.ts';
import { notify } from '../../components/toast/toast.tsx';
import { useFailure } from '../../forms/use-failure.ts';
import { useCallProgress } from '../../operations/use-call-progress.tsx';
import { selectSession } from '../../session/session-slice.ts';
import { isApiError, isCancelled } from '../../transport/api-error.ts';

/**
 * Finds out what deleting a database would destroy, and deletes it if that is still so (DECISIONS §8).
 * @returns `check`, the call that answers the plan, and `conflict`, why the last attempt was refused; the plan is then
 *   read anew; `failure`, why it failed otherwise
 */
export function useDeleteDatabase(databaseName: string, onClose: () => void) {
  const { t } = useTranslation();
  const { id: deletedBy } = useSelector(selectSession);
  const check = useCheckDatabaseQuery({ databaseName }, { refetchOnMountOrArgChange: true });
  const [remove, { isLoading: isDeleting }] = useDeleteDatabaseMutation();
  const { progress, isInBackground } = useCallProgress('deleteDatabase', isDeleting, onClose);
  const { failure, fail, clear } = useFailure();
  const [conflict, setConflict] = useState<string>();

  async function confirmDeletion() {
    setConflict(undefined);
    clear();
    try {
      const plan = check.data?.result?.digest;
      await remove({ databaseName, plan, deletedBy }).unwrap();
      notify.success(t('databases.deleted'));
      if (!isInBackground()) onClose();
    } catch (error) {
      const isConflict = isApiError(error) && error.status === 409 && !isCancelled(error);
      if (isInBackground() || !isConflict) return fail(error);
      setConflict(error.message);
      void check.refetch();
    }
  }
  return { check, isDeleting, progress, conflict, failure, confirmDeletion };
}
