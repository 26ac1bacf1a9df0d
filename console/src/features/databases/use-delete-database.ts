import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { showError } from '../../api/answer-errors.ts';
import { isApiError, isCancelled } from '../../api/api-error.ts';
import { useCheckDatabaseQuery, useDeleteDatabaseMutation } from '../../api/databases.ts';
import { selectSession } from '../../api/session-slice.ts';
import { useCallProgress } from '../../api/use-call-progress.tsx';
import { notify } from '../../components/toast.tsx';

/**
 * Finds out what deleting a database would destroy, and deletes it if that is still so (DECISIONS §8).
 * @returns `check`, the call that answers the plan, and `conflict`, why the last attempt was refused; the plan is then
 *   read anew
 */
export function useDeleteDatabase(databaseName: string, onClose: () => void) {
  const { t } = useTranslation();
  const { id: deletedBy } = useSelector(selectSession);
  const check = useCheckDatabaseQuery({ databaseName }, { refetchOnMountOrArgChange: true });
  const [remove, { isLoading: isDeleting }] = useDeleteDatabaseMutation();
  const { progress, isInBackground } = useCallProgress('deleteDatabase', isDeleting, onClose);
  const [conflict, setConflict] = useState<string>();

  async function confirmDeletion() {
    setConflict(undefined);
    try {
      const plan = check.data?.result.digest;
      await remove({ databaseName, plan, deletedBy }).unwrap();
      notify.success(t('databases.deleted'));
      if (!isInBackground()) onClose();
    } catch (error) {
      const isConflict = isApiError(error) && error.status === 409 && !isCancelled(error);
      if (isInBackground() || !isConflict) return void showError(error);
      setConflict(error.message);
      void check.refetch();
    }
  }
  return { check, isDeleting, progress, conflict, confirmDeletion };
}
