import type { AnonymizationReport } from '@apotheca/contract/anonymization';
import { deleteDatabaseForm } from '@apotheca/contract/databases';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { anonymizeDatabase, usePlanAnonymizationQuery } from '../../../../api/tenant-data.ts';
import { PlannedOperationDialog } from '../../../../operations/planned-operation-dialog.tsx';

interface AnonymizeDialogProps {
  show: boolean;
  databaseName: string;
  onAnonymized: (report: AnonymizationReport) => void;
  onClose: () => void;
}

/** Shows the plan of an anonymization, and anonymizes the database once its name was typed (DECISIONS §9). */
export function AnonymizeDialog({ show, databaseName, onAnonymized, onClose }: AnonymizeDialogProps) {
  const { t } = useTranslation();
  const planQuery = usePlanAnonymizationQuery({ databaseName }, { refetchOnMountOrArgChange: true });
  const schema = useMemo(() => deleteDatabaseForm(databaseName), [databaseName]);
  return (
    <PlannedOperationDialog
      {...{ show, planQuery, schema, onClose }}
      mutation={anonymizeDatabase}
      argOf={(digest) => ({ databaseName, plan: digest })}
      loadingPlan={t('tenants.manage.anonymize.loadingPlan')}
      title={t('tenants.manage.anonymize.dialog')}
      expected={databaseName}
      label={t('tenants.manage.database.name')}
      confirmLabel={t('tenants.manage.anonymize.confirm')}
      onDone={({ result }) => result && onAnonymized(result)}
    />
  );
}
