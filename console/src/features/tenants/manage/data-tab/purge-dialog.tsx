import { deleteDatabaseForm } from '@apotheca/contract/databases';
import type { PurgePlan } from '@apotheca/contract/purges';
import { labelOfTable, type TenantTableName } from '@apotheca/contract/tenant-tables';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { purgeTables, usePlanPurgeQuery } from '../../../../api/tenant-data.ts';
import { ScrollList } from '../../../../components/display/scroll-list.tsx';
import { Notice } from '../../../../components/notice/notice.tsx';
import { PlannedOperationDialog } from '../../../../operations/planned-operation-dialog.tsx';
import type { Purged } from './use-data-tab.ts';

interface PurgeDialogProps {
  show: boolean;
  databaseName: string;
  tables: readonly TenantTableName[];
  onPurged: (purged: Purged, tables: readonly TenantTableName[]) => void;
  onClose: () => void;
}

/** Shows the plan of a purge, and empties the ticked tables once the database's name was typed (DECISIONS §9). */
export function PurgeDialog({ show, databaseName, tables, onPurged, onClose }: PurgeDialogProps) {
  const { t } = useTranslation();
  const query = { databaseName, tables: tables.join(',') };
  const planQuery = usePlanPurgeQuery(query, { refetchOnMountOrArgChange: true });
  const plan = planQuery.data?.result;
  const schema = useMemo(() => deleteDatabaseForm(databaseName), [databaseName]);
  const isEmpty = plan?.tables.length === 0;
  return (
    <PlannedOperationDialog
      {...{ show, planQuery, schema, onClose }}
      mutation={purgeTables}
      argOf={(digest) => ({ query: { databaseName, plan: digest }, body: [...tables] })}
      loadingPlan={t('tenants.manage.purge.loadingPlan')}
      title={t('tenants.manage.purge.title')}
      details={plan && <EmptiedTables plan={plan} />}
      nothingToDo={isEmpty ? <Notice tone="warning">{planQuery.data?.message}</Notice> : undefined}
      expected={databaseName}
      label={t('tenants.manage.database.name')}
      confirmLabel={t('tenants.manage.purge.confirm', { count: plan?.tables.length ?? 0 })}
      onDone={({ result }) => plan && result && onPurged({ plan, result }, tables)}
    />
  );
}

function EmptiedTables({ plan }: { plan: PurgePlan }) {
  const { t } = useTranslation();
  const items = plan.tables.map(({ name, rows }) => ({ id: name, text: labelOfTable(name), count: rows }));
  return <ScrollList label={t('tenants.manage.purge.emptied')} items={items} />;
}
