import { TENANT_ORDER, TENANT_SORT_COLUMNS } from '@apotheca/contract/tenants';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useListTenantsQuery } from '../../api/tenants.ts';
import { ListTable } from '../../components/data-table/list-table.tsx';
import { useListView } from '../../components/data-table/use-list-view.ts';
import { utcDay } from '../../lib/moment.ts';
import { KEPT_FRESH } from '../../lists/list-freshness.ts';
import { useList } from '../../lists/use-list.ts';
import { licenceColumns, licenceTexts } from './licence-columns.tsx';

interface LicencesTableProps {
  /** The address of a tenant's page. */
  tenantLink: (code: string) => string;
  /** The way to the first licence. */
  emptyAction: ReactNode;
}

/** The tenants' licences, read only (SPEC §2.12). */
export function LicencesTable({ tenantLink, emptyAction }: LicencesTableProps) {
  const { t } = useTranslation();
  const view = useListView(TENANT_SORT_COLUMNS);
  const sorted = { sortColumn: view.sort.column, sortDirection: view.sort.direction };
  const tenants = useListTenantsQuery(sorted, KEPT_FRESH);
  const columns = useMemo(() => licenceColumns(t, tenantLink), [t, tenantLink]);
  const today = utcDay();
  const moreTexts = useMemo(() => licenceTexts(t, today), [t, today]);
  const list = useList(tenants, view, { order: TENANT_ORDER, columns, moreTexts });
  return (
    <ListTable
      {...list}
      label={t('licences.title')}
      name="licences"
      filterLabel={t('licences.filter')}
      downloadLabel={t('licences.download')}
      noMatchText={t('licences.noMatch')}
      emptyText={t('licences.empty')}
      emptyHint={t('licences.emptyHint')}
      emptyAction={emptyAction}
    />
  );
}
