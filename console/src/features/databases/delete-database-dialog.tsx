import { type Database, type DeletionPlan, deleteDatabaseForm } from '@apotheca/contract/databases';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../api/api-error.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { TypeToConfirmDialog } from '../../components/type-to-confirm-dialog.tsx';
import { formatBytes, formatCount } from '../../lib/numbers.ts';
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
  const { check, isDeleting, conflict, confirmDeletion } = useDeleteDatabase(databaseName, onClose);
  const schema = useMemo(() => deleteDatabaseForm(databaseName), [databaseName]);
  let instead: ReactNode;
  if (check.isError) instead = <Refusal error={check.error} onRetry={check.refetch} />;
  else if (check.data === undefined) instead = <Checking />;
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
      error={conflict}
      instead={instead}
      onConfirm={confirmDeletion}
      onCancel={onClose}
    />
  );
}

function Checking() {
  const { t } = useTranslation();
  return (
    <p className="database-checking" role="status">
      <Spinner />
      {t('databases.deleting.checking')}
    </p>
  );
}

/** Why nothing can be deleted. The answer to a conflict is final, such as that the database is a tenant's. */
function Refusal({ error, onRetry }: { error: Partial<ApiError> | undefined; onRetry: () => void }) {
  const { t } = useTranslation();
  const message = error?.message ?? t('session.errors.unknown');
  if (error?.status === 409) {
    return (
      <Notice tone="warning" role="alert">
        {message}
      </Notice>
    );
  }
  const retry = (
    <Button variant="secondary" size="small" onClick={onRetry}>
      {t('databases.modal.retry')}
    </Button>
  );
  return (
    <Notice tone="danger" role="alert" action={retry}>
      {message}
    </Notice>
  );
}

/** What the deletion would destroy. */
function Plan({ message, plan }: { message: string; plan: DeletionPlan }) {
  const { t } = useTranslation();
  const figures = [
    { name: t('databases.deleting.rows'), value: formatCount(plan.rows) },
    { name: t('databases.deleting.size'), value: formatBytes(plan.sizeBytes) },
    { name: t('databases.deleting.connections'), value: formatCount(plan.connections) },
  ];
  return (
    <>
      {message}
      <dl className="database-plan">
        {figures.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
