import { type Database, deleteDatabaseForm } from '@apotheca/contract/databases';
import type { DeletionPlan } from '@apotheca/contract/plan';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { deleteDatabase, useCheckDatabaseQuery } from '../../api/databases.ts';
import { TypeToConfirmDialog } from '../../components/dialog/type-to-confirm-dialog.tsx';
import { notify } from '../../components/toast/toast.tsx';
import { PlanFigures } from '../../operations/plan-figures.tsx';
import { usePlannedOperation } from '../../operations/use-planned-operation.tsx';
import { selectSession } from '../../session/session-slice.ts';

interface DeleteDatabaseDialogProps {
  show: boolean;
  database: Database;
  onClose: () => void;
}

/** Erases a database once its name was typed; what goes with it is found out first (SPEC §2.13). */
export function DeleteDatabaseDialog({ show, database, onClose }: DeleteDatabaseDialogProps) {
  const { t } = useTranslation();
  const { databaseName } = database;
  const { id: deletedBy } = useSelector(selectSession);
  const plan = useCheckDatabaseQuery({ databaseName }, { refetchOnMountOrArgChange: true });
  const operation = usePlannedOperation(deleteDatabase, {
    plan,
    checkingText: t('databases.deleting.checking'),
    // Such as that the database is a tenant's.
    isConflictFinal: true,
    argOf: (digest) => ({ databaseName, plan: digest, deletedBy }),
    tell: () => notify.success(t('databases.deleted')),
    onClose,
  });
  const schema = useMemo(() => deleteDatabaseForm(databaseName), [databaseName]);
  return (
    <TypeToConfirmDialog
      {...operation}
      show={show}
      title={t('databases.deleting.title')}
      warning={plan.data && <Plan message={plan.data.message} plan={plan.data.result} />}
      expected={databaseName}
      label={t('databases.deleting.label')}
      schema={schema}
      confirmLabel={t('databases.deleting.confirm')}
      onCancel={onClose}
    />
  );
}

/** What the deletion would destroy. */
function Plan({ message, plan }: { message: string; plan: DeletionPlan | undefined }) {
  return (
    <>
      {message}
      {plan && <PlanFigures plan={plan} />}
    </>
  );
}
