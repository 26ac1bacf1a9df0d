import { TENANT_ORDER, TENANT_SORT_COLUMNS, type Tenant } from '@apotheca/contract/tenants';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useListTenantsQuery } from '../../../api/tenants.ts';
import { useBulk } from '../../../bulks/use-bulk.tsx';
import { ListTable } from '../../../components/data-table/list-table.tsx';
import { useListView } from '../../../components/data-table/use-list-view.ts';
import { useSelection } from '../../../components/data-table/use-selection.ts';
import { KEPT_FRESH } from '../../../lists/list-freshness.ts';
import { useList } from '../../../lists/use-list.ts';
import { ViewMenu } from '../../../views/view-menu.tsx';
import type { TenantDialog } from '../tenant-dialog.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { CreateTenantButton } from './create-tenant-button.tsx';
import { type TenantLink, tenantColumns } from './tenant-columns.tsx';
import { TenantFilterChips } from './tenant-filter-chips.tsx';
import { TenantRowActions } from './tenant-row-actions.tsx';
import { tenantFilter, tenantTexts } from './tenant-search.ts';
import { useShownColumns } from './use-shown-columns.ts';
import { useTenantFilters } from './use-tenant-filters.ts';
import { useToggleTenant } from './use-toggle-tenant.ts';

interface TenantsTableProps {
  /** The address of a tenant's page, to which its name leads. */
  tenantLink: TenantLink;
  onOpen: (dialog: TenantDialog) => void;
}

/** The tenants list with its tools (SPEC §2.6). */
export function TenantsTable({ tenantLink, onOpen }: TenantsTableProps) {
  const { t } = useTranslation();
  const view = useListView(TENANT_SORT_COLUMNS);
  const { filters, changeFilters } = useTenantFilters();
  const { status, active, expires } = filters;
  const passesFilters = useMemo(() => tenantFilter({ status, active, expires }), [status, active, expires]);
  const sorted = { sortColumn: view.sort.column, sortDirection: view.sort.direction };
  const tenants = useListTenantsQuery(sorted, KEPT_FRESH);
  const columns = useMemo(() => tenantColumns(t, tenantLink), [t, tenantLink]);
  const moreTexts = useMemo(() => tenantTexts(t), [t]);
  const list = useList(tenants, view, { order: TENANT_ORDER, columns, moreTexts, passesFilters });
  const selection = useSelection(list);
  const bulk = useBulk('tenants', selection.selected);
  const { shown, toggle } = useShownColumns(columns);
  const toggleActive = useToggleTenant();
  const rowActions = useCallback(
    (tenant: Tenant) => <TenantRowActions tenant={tenant} onOpen={onOpen} onToggleActive={toggleActive} />,
    [onOpen, toggleActive],
  );
  const moreFilters = {
    fields: <TenantFilterChips filters={filters} onChange={changeFilters} />,
    isOn: status !== '' || active !== '' || expires !== '',
    clearAll: () => changeFilters({ q: '', status: '', active: '', expires: '' }),
  };
  return (
    <>
      <ListTable
        {...list}
        label={t('tenants.title')}
        fileName="tenants"
        filterLabel={t('tenants.filter.text')}
        moreFilters={moreFilters}
        tools={
          <>
            <ViewMenu list="tenants" />
            <ColumnChooser columns={columns} shown={shown} onToggle={toggle} />
          </>
        }
        downloadLabel={t('tenants.download')}
        noMatchText={t('tenants.noMatch')}
        emptyText={t('tenants.empty')}
        hiddenText={(tenant) => t('tenants.hidden', { name: tenant.code })}
        emptyAction={<CreateTenantButton onOpen={onOpen} />}
        columns={shown}
        rowActions={rowActions}
        selection={selection}
        selectionActions={bulk.actions}
      />
      {bulk.modal}
    </>
  );
}
