import { TENANT_ORDER, TENANT_SORT_COLUMNS, type Tenant } from '@apotheca/contract/tenants';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useListTenantsQuery } from '../../../api/tenants.ts';
import { useBulk } from '../../../bulks/use-bulk.tsx';
import { ListTable } from '../../../components/data-table/list-table.tsx';
import { useListView } from '../../../components/data-table/use-list-view.ts';
import { useSelection } from '../../../components/data-table/use-selection.ts';
import { utcDay } from '../../../lib/moment.ts';
import { KEPT_FRESH } from '../../../lists/list-freshness.ts';
import { useFindingFilter } from '../../../lists/use-finding-filter.ts';
import { useList } from '../../../lists/use-list.ts';
import { ViewMenu } from '../../../views/view-menu.tsx';
import type { TenantDialog } from '../tenant-dialog.ts';
import { CreateTenantButton } from './create-tenant-button.tsx';
import { type TenantLink, tenantColumns } from './tenant-columns.tsx';
import { TenantRowActions } from './tenant-row-actions.tsx';
import { tenantFilters, tenantTexts } from './tenant-search.ts';
import { useToggleTenant } from './use-toggle-tenant.ts';

/** Four icon buttons of 30 px and the cell's padding. */
const ACTIONS_WIDTH = 130;

interface TenantsTableProps {
  /** The address of a tenant's page, to which its name leads. */
  tenantLink: TenantLink;
  /** Leads there from a toast. */
  onOpenPage: (code: string) => void;
  onOpen: (dialog: TenantDialog) => void;
}

/** The tenants list with its tools (SPEC §2.6). */
export function TenantsTable({ tenantLink, onOpenPage, onOpen }: TenantsTableProps) {
  const { t } = useTranslation();
  const view = useListView(TENANT_SORT_COLUMNS);
  const sorted = { sortColumn: view.sort.column, sortDirection: view.sort.direction };
  const tenants = useListTenantsQuery(sorted, KEPT_FRESH);
  const columns = useMemo(() => tenantColumns(t, tenantLink), [t, tenantLink]);
  const today = utcDay();
  const moreTexts = useMemo(() => tenantTexts(t, today), [t, today]);
  const { filters: ofFinding, query } = useFindingFilter<Tenant>('tenants', tenants);
  const moreFilters = useMemo(() => [...tenantFilters(t, today), ...ofFinding], [t, today, ofFinding]);
  const list = useList(query, view, { order: TENANT_ORDER, columns, moreTexts, moreFilters });
  const selection = useSelection(list);
  const bulk = useBulk('tenants', selection.selected);
  const toggleActive = useToggleTenant(onOpenPage);
  const rowActions = useCallback(
    (tenant: Tenant) => <TenantRowActions tenant={tenant} onOpen={onOpen} onToggleActive={toggleActive} />,
    [onOpen, toggleActive],
  );
  return (
    <>
      <ListTable
        {...list}
        label={t('tenants.title')}
        name="tenants"
        filterLabel={t('tenants.filter.text')}
        tools={<ViewMenu list="tenants" />}
        downloadLabel={t('tenants.download')}
        noMatchText={t('tenants.noMatch')}
        emptyText={t('tenants.empty')}
        emptyHint={t('tenants.emptyHint')}
        hiddenText={(tenant) => t('tenants.hidden', { name: tenant.code })}
        emptyAction={<CreateTenantButton onOpen={onOpen} />}
        rowActions={rowActions}
        actionsWidth={ACTIONS_WIDTH}
        selection={selection}
        selectionActions={bulk.actions}
      />
      {bulk.modal}
    </>
  );
}
