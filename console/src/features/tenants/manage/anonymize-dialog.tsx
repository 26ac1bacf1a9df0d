import { deleteDatabaseForm } from '@apotheca/contract/databases';
import type { AnonymizationReport } from '@apotheca/contract/tenant-data';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useAnonymizeDatabaseMutation, usePreviewAnonymizationQuery } from '../../../api/tenant-data.ts';
import { TypeToConfirmDialog } from '../../../components/type-to-confirm-dialog.tsx';
import { CheckFailed } from '../check-failed.tsx';
import { Checking } from '../checking.tsx';
import { PlanFigures } from '../plan-figures.tsx';
import { usePlannedOperation } from '../use-planned-operation.ts';

interface AnonymizeDialogProps {
  show: boolean;
  databaseName: string;
  onAnonymized: (report: AnonymizationReport) => void;
  onClose: () => void;
}

/** Anonymises a database once its name was typed; what changes is found out first (DECISIONS §9). */
export function AnonymizeDialog({ show, databaseName, onAnonymized, onClose }: AnonymizeDialogProps) {
  const { t } = useTranslation();
  const check = usePreviewAnonymizationQuery({ databaseName }, { refetchOnMountOrArgChange: true });
  const [anonymize] = useAnonymizeDatabaseMutation();
  const { confirm, busy, refusal, progress } = usePlannedOperation({
    endpoint: 'anonymizeDatabase',
    check,
    send: (plan) => anonymize({ databaseName, plan }),
    onDone: onAnonymized,
    onClose,
  });
  const schema = useMemo(() => deleteDatabaseForm(databaseName), [databaseName]);
  let instead: ReactNode;
  if (check.isError) instead = <CheckFailed error={check.error} busy={check.isFetching} onRetry={check.refetch} />;
  else if (!check.data) instead = <Checking label={t('tenants.manage.anonymize.checking')} />;
  return (
    <TypeToConfirmDialog
      show={show}
      title={t('tenants.manage.anonymize.dialog')}
      warning={
        check.data && (
          <>
            {check.data.message}
            <PlanFigures plan={check.data.result} />
          </>
        )
      }
      expected={databaseName}
      label={t('tenants.manage.database.name')}
      schema={schema}
      confirmLabel={t('tenants.manage.anonymize.confirm')}
      busy={busy}
      error={refusal}
      instead={instead}
      progress={progress}
      onConfirm={confirm}
      onCancel={onClose}
    />
  );
}
