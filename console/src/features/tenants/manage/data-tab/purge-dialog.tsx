import { deleteDatabaseForm } from '@apotheca/contract/databases';
import type { PurgePlan } from '@apotheca/contract/purges';
import { labelOfTable } from '@apotheca/contract/tenant-tables';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { purgeTables, usePlanPurgeQuery } from '../../../../api/tenant-data.ts';
import { TypeToConfirmDialog } from '../../../../components/dialog/type-to-confirm-dialog.tsx';
import { Notice } from '../../../../components/notice/notice.tsx';
import { PlanFigures } from '../../../../operations/plan-figures.tsx';
import { usePlannedOperation } from '../../../../operations/use-planned-operation.tsx';
import { ScrollList } from './scroll-list.tsx';
import type { Purged } from './use-data-tab.ts';

interface PurgeDialogProps {
  show: boolean;
  databaseName: string;
  tables: readonly string[];
  onPurged: (purged: Purged) => void;
  onClose: () => void;
}

/** Empties the ticked tables once the database's name was typed; what goes is found out first (DECISIONS §9). */
export function PurgeDialog({ show, databaseName, tables, onPurged, onClose }: PurgeDialogProps) {
  const { t } = useTranslation();
  const query = { databaseName, tables: tables.join(',') };
  const plan = usePlanPurgeQuery(query, { refetchOnMountOrArgChange: true });
  const shown = plan.data?.result;
  const operation = usePlannedOperation(purgeTables, {
    plan,
    checkingText: t('tenants.manage.purge.checking'),
    argOf: (digest) => ({ query: { databaseName, plan: digest }, body: [...tables] }),
    onDone: ({ result }) => shown && result && onPurged({ plan: shown, result }),
    onClose,
  });
  const schema = useMemo(() => deleteDatabaseForm(databaseName), [databaseName]);
  const emptyPlan = shown?.tables.length === 0 ? <Notice tone="warning">{plan.data?.message}</Notice> : undefined;
  return (
    <TypeToConfirmDialog
      {...operation}
      show={show}
      title={t('tenants.manage.purge.title')}
      warning={plan.data && <PurgeWarning message={plan.data.message} plan={plan.data.result} />}
      expected={databaseName}
      label={t('tenants.manage.database.name')}
      schema={schema}
      confirmLabel={t('tenants.manage.purge.confirm', { count: shown?.tables.length ?? 0 })}
      instead={operation.instead ?? emptyPlan}
      onCancel={onClose}
    />
  );
}

function PurgeWarning({ message, plan }: { message: string; plan: PurgePlan }) {
  const { t } = useTranslation();
  return (
    <>
      {message}
      <PlanFigures plan={plan} />
      <ScrollList
        label={t('tenants.manage.purge.emptied')}
        items={plan.tables.map(({ name, rows }) => ({ name, text: labelOfTable(name), count: rows }))}
      />
    </>
  );
}
