import type { Tenant } from '@apotheca/contract/tenants';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button.tsx';
import { DataTable, type Sort } from '../../components/data-table.tsx';
import { exportRows } from '../../components/export-rows.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { CreateTenantButton } from './create-tenant-button.tsx';
import { tenantColumns } from './tenant-columns.tsx';
import type { TenantDialog } from './tenant-dialog.ts';
import { TenantRowActions } from './tenant-row-actions.tsx';
import { TenantsToolbar } from './tenants-toolbar.tsx';
import { isFiltered } from './tenants-view.ts';
import { useShownColumns } from './use-shown-columns.ts';
import { useTenantsList } from './use-tenants-list.ts';
import { useTenantsView } from './use-tenants-view.ts';
import { useToggleActive } from './use-toggle-active.ts';

const idOf = (tenant: Tenant) => tenant.id;

/** The tenants list with its tools (SPEC §2.6). */
export function TenantsTable({ onOpen }: { onOpen: (dialog: TenantDialog) => void }) {
  const { t } = useTranslation();
  const { view, changeView } = useTenantsView();
  const list = useTenantsList(view);
  const { rows } = list;
  const columns = useMemo(() => tenantColumns(t), [t]);
  const { shown, toggle } = useShownColumns(columns);
  const toggleActive = useToggleActive();
  const rowActions = useCallback(
    (tenant: Tenant) => <TenantRowActions tenant={tenant} onOpen={onOpen} onToggleActive={toggleActive} />,
    [onOpen, toggleActive],
  );
  function handleSortChange({ column, direction }: Sort) {
    // Asked for already, in vain: the address would not change, and nothing would be loaded.
    if (column === view.sort.column && direction === view.sort.direction) void list.onRetry();
    else changeView({ sort: column, dir: direction });
  }
  const toolbar = (
    <TenantsToolbar
      view={view}
      onChange={changeView}
      columnChooser={<ColumnChooser columns={columns} shown={shown} onToggle={toggle} />}
      onExport={rows && rows.length > 0 ? () => exportRows('tenants', shown, rows) : undefined}
    />
  );
  const empty =
    isFiltered(view) && list.total !== 0
      ? { emptyText: t('tenants.noMatch'), emptyAction: <ClearFilterButton onChange={changeView} /> }
      : { emptyText: t('tenants.empty'), emptyAction: <CreateTenantButton onOpen={onOpen} /> };
  return (
    <DataTable
      {...list}
      {...empty}
      label={t('tenants.title')}
      columns={shown}
      rowKey={idOf}
      onSortChange={handleSortChange}
      rowActions={rowActions}
      toolbar={toolbar}
    />
  );
}

function ClearFilterButton({ onChange }: { onChange: (change: { q: ''; status: ''; active: '' }) => void }) {
  const { t } = useTranslation();
  return (
    <Button variant="secondary" onClick={() => onChange({ q: '', status: '', active: '' })}>
      {t('components.filter.clear')}
    </Button>
  );
}
