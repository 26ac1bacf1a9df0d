import type { AnonymizationReport } from '@apotheca/contract/anonymization';
import { deleteDatabaseForm } from '@apotheca/contract/databases';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { anonymizeDatabase, usePlanAnonymizationQuery } from '../../../../api/tenant-data.ts';
import { TypeToConfirmDialog } from '../../../../components/dialog/type-to-confirm-dialog.tsx';
import { PlanFigures } from '../../../../operations/plan-figures.tsx';
import { usePlannedOperation } from '../../../../operations/use-planned-operation.tsx';

interface AnonymizeDialogProps {
  show: boolean;
  databaseName: string;
  onAnonymized: (report: AnonymizationReport) => void;
  onClose: () => void;
}

/** Anonymizes a database once its name was typed; what changes is found out first (DECISIONS §9). */
export function AnonymizeDialog({ show, databaseName, onAnonymized, onClose }: AnonymizeDialogProps) {
  const { t } = useTranslation();
  const plan = usePlanAnonymizationQuery({ databaseName }, { refetchOnMountOrArgChange: true });
  const operation = usePlannedOperation(anonymizeDatabase, {
    plan,
    checkingText: t('tenants.manage.anonymize.checking'),
    argOf: (digest) => ({ databaseName, plan: digest }),
    onDone: ({ result }) => result && onAnonymized(result),
    onClose,
  });
  const schema = useMemo(() => deleteDatabaseForm(databaseName), [databaseName]);
  return (
    <TypeToConfirmDialog
      {...operation}
      show={show}
      title={t('tenants.manage.anonymize.dialog')}
      warning={
        plan.data && (
          <>
            {plan.data.message}
            <PlanFigures plan={plan.data.result} />
          </>
        )
      }
      expected={databaseName}
      label={t('tenants.manage.database.name')}
      schema={schema}
      confirmLabel={t('tenants.manage.anonymize.confirm')}
      onCancel={onClose}
    />
  );
}
