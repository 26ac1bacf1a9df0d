import { TENANT_SORT_COLUMNS, type Tenant } from '@apotheca/contract/tenants';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useListTenantsQuery } from '../../api/tenants.ts';
import { useList } from '../../api/use-list.ts';
import { ListTable } from '../../components/list-table.tsx';
import { useListView } from '../../components/use-list-view.ts';
import { textSearch } from '../../lib/text-search.ts';
import { licenceColumns, licenceTexts } from './licence-columns.tsx';

const idOf = (tenant: Tenant) => tenant.id;
const search = textSearch<Tenant>(licenceTexts);

/** What each tenant has subscribed to, to be read only (SPEC §2.12). */
export function LicencesTable() {
  const { t } = useTranslation();
  const view = useListView(TENANT_SORT_COLUMNS);
  const tenants = useListTenantsQuery({ sortColumn: view.sort.column, sortDirection: view.sort.direction });
  const list = useList(tenants, view, search);
  const columns = useMemo(() => licenceColumns(t), [t]);
  return (
    <ListTable
      {...list}
      view={view}
      label={t('licences.title')}
      fileName="licences"
      filterLabel={t('licences.filter')}
      downloadLabel={t('licences.download')}
      noMatchText={t('licences.noMatch')}
      emptyText={t('licences.empty')}
      columns={columns}
      rowKey={idOf}
    />
  );
}
