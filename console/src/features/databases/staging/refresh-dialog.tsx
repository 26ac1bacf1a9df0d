import { deleteDatabaseForm } from '@apotheca/contract/databases';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { refreshClone, usePlanRefreshQuery } from '../../../api/anonymized-clones.ts';
import { PlannedOperationDialog } from '../../../operations/planned-operation-dialog.tsx';

interface RefreshDialogProps {
  show: boolean;
  databaseName: string;
  /** Called at the end, unless the dialog was left. */
  onFinished: () => void;
  onClose: () => void;
}

/** Shows what refreshing an anonymized clone replaces, and refreshes it once its name was typed (DECISIONS §8, §13). */
export function RefreshDialog({ show, databaseName, onFinished, onClose }: RefreshDialogProps) {
  const { t } = useTranslation();
  const planQuery = usePlanRefreshQuery({ databaseName }, { refetchOnMountOrArgChange: true });
  const schema = useMemo(() => deleteDatabaseForm(databaseName), [databaseName]);
  return (
    <PlannedOperationDialog
      {...{ show, planQuery, schema, onFinished, onClose }}
      mutation={refreshClone}
      argOf={(digest) => ({ databaseName, plan: digest })}
      loadingPlan={t('databases.staging.refresh.loadingPlan')}
      // A conflict is final, such as that its source is gone.
      isConflictFinal
      title={t('databases.staging.refresh.confirmTitle')}
      expected={databaseName}
      label={t('databases.deleting.label')}
      confirmLabel={t('databases.staging.refresh.confirm')}
    />
  );
}
