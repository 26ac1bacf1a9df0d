import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { showError } from '../../api/answer-errors.ts';
import { isApiError } from '../../api/api-error.ts';
import { useCheckDatabaseQuery, useDeleteDatabaseMutation } from '../../api/databases.ts';
import { selectSession } from '../../api/session-slice.ts';
import { notify } from '../../components/toast.tsx';

const ACCEPTED = 202;

/**
 * Finds out what deleting a database would destroy, and deletes it if that is still so (DECISIONS §8).
 * @returns `check`, the call that answers the plan, and `conflict`, why the last attempt was refused; the plan is then
 *   read anew
 */
export function useDeleteDatabase(databaseName: string, onDeleted: () => void) {
  const { t } = useTranslation();
  const { id: deletedBy } = useSelector(selectSession);
  const check = useCheckDatabaseQuery({ databaseName }, { refetchOnMountOrArgChange: true });
  const [remove, { isLoading: isDeleting }] = useDeleteDatabaseMutation();
  const [conflict, setConflict] = useState<string>();

  async function confirmDeletion() {
    setConflict(undefined);
    try {
      const plan = check.data?.result.digest;
      const { status, message } = await remove({ databaseName, plan, deletedBy }).unwrap();
      notify.success(status === ACCEPTED ? message : t('databases.deleted'));
      onDeleted();
    } catch (error) {
      if (!isApiError(error) || error.status !== 409) return void showError(error);
      setConflict(error.message);
      void check.refetch();
    }
  }
  return { check, isDeleting, conflict, confirmDeletion };
}
