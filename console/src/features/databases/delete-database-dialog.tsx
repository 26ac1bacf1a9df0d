import { type Database, deleteDatabaseForm } from '@apotheca/contract/databases';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { deleteDatabase, usePlanDatabaseDeletionQuery } from '../../api/databases.ts';
import { notify } from '../../components/toast/toast.tsx';
import { PlannedOperationDialog } from '../../operations/planned-operation-dialog.tsx';
import { selectSession } from '../../session/session-slice.ts';

interface DeleteDatabaseDialogProps {
  show: boolean;
  database: Database;
  onClose: () => void;
}

/** Shows the plan of a database's deletion, and deletes the database once its name was typed (SPEC §2.13). */
export function DeleteDatabaseDialog({ show, database: { databaseName }, onClose }: DeleteDatabaseDialogProps) {
  const { t } = useTranslation();
  const { id: deletedBy } = useSelector(selectSession);
  const planQuery = usePlanDatabaseDeletionQuery({ databaseName }, { refetchOnMountOrArgChange: true });
  const schema = useMemo(() => deleteDatabaseForm(databaseName), [databaseName]);
  return (
    <PlannedOperationDialog
      {...{ show, planQuery, schema, onClose }}
      mutation={deleteDatabase}
      argOf={(digest) => ({ databaseName, plan: digest, deletedBy })}
      loadingPlan={t('databases.deleting.loadingPlan')}
      // A conflict is final, such as that the database belongs to a tenant.
      isConflictFinal
      title={t('databases.deleting.title')}
      expected={databaseName}
      label={t('databases.deleting.label')}
      confirmLabel={t('databases.deleting.confirm', { name: databaseName })}
      tell={() => notify.success(t('databases.deleted'))}
    />
  );
}
