import { type Database, deleteDatabaseForm } from '@apotheca/contract/databases';
import type { DeletionPlan } from '@apotheca/contract/plan';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { TypeToConfirmDialog } from '../../components/dialog/type-to-confirm-dialog.tsx';
import { Checking } from '../../operations/checking.tsx';
import { LoadFailed } from '../../operations/load-failed.tsx';
import { PlanFigures } from '../../operations/plan-figures.tsx';
import { isConflict } from '../../transport/api-error.ts';
import { useDeleteDatabase } from './use-delete-database.ts';

interface DeleteDatabaseDialogProps {
  show: boolean;
  database: Database;
  onClose: () => void;
}

/** Erases a database once its name was typed; what goes with it is found out first (SPEC §2.13). */
export function DeleteDatabaseDialog({ show, database, onClose }: DeleteDatabaseDialogProps) {
  const { t } = useTranslation();
  const { databaseName } = database;
  const { check, isDeleting, progress, conflict, failure, confirmDeletion } = useDeleteDatabase(databaseName, onClose);
  const schema = useMemo(() => deleteDatabaseForm(databaseName), [databaseName]);
  let instead: ReactNode;
  // The answer to a conflict is final, such as that the database is a tenant's.
  const isFinal = isConflict(check.error);
  if (check.isError) instead = <LoadFailed error={check.error} onRetry={isFinal ? undefined : check.refetch} />;
  else if (check.data === undefined) instead = <Checking label={t('databases.deleting.checking')} />;
  return (
    <TypeToConfirmDialog
      show={show}
      title={t('databases.deleting.title')}
      warning={check.data && <Plan message={check.data.message} plan={check.data.result} />}
      expected={databaseName}
      label={t('databases.deleting.label')}
      schema={schema}
      confirmLabel={t('databases.deleting.confirm')}
      busy={isDeleting || (check.isFetching && conflict !== undefined)}
      progress={progress}
      error={conflict}
      failure={failure}
      instead={instead}
      onConfirm={confirmDeletion}
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
