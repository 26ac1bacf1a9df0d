import { PERMISSION_ORDER, PERMISSION_SORT_COLUMNS, type Permission } from '@apotheca/contract/permissions';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useListPermissionsQuery } from '../../api/permissions.ts';
import { ListTable } from '../../components/data-table/list-table.tsx';
import { useListView } from '../../components/data-table/use-list-view.ts';
import { KEPT_FRESH } from '../../lists/list-freshness.ts';
import { useList } from '../../lists/use-list.ts';
import { useMovePermission } from '../../lists/use-move-permission.ts';
import { CreatePermissionButton } from './create-permission-button.tsx';
import { permissionColumns } from './permission-columns.tsx';
import type { PermissionDialog } from './permission-dialog.ts';
import { PermissionRowActions } from './permission-row-actions.tsx';

/** Two icon buttons of 30 px and the cell's padding. */
const ACTIONS_WIDTH = 80;

/** The permissions that are not menus (SPEC §2.14). */
export function PermissionsTable({ onOpen }: { onOpen: (dialog: PermissionDialog) => void }) {
  const { t } = useTranslation();
  const view = useListView(PERMISSION_SORT_COLUMNS);
  const sorted = { sortColumn: view.sort.column, sortDirection: view.sort.direction };
  const query = useListPermissionsQuery(sorted, KEPT_FRESH);
  const data = useMemo(() => query.data?.filter(({ isMenu }) => !isMenu), [query.data]);
  const columns = useMemo(
    () => permissionColumns(t, (permission) => onOpen({ kind: 'edit', permission })),
    [t, onOpen],
  );
  const list = useList({ ...query, data, currentData: query.currentData && data }, view, {
    order: PERMISSION_ORDER,
    columns,
  });
  const move = useMovePermission();
  const rowActions = useCallback(
    (permission: Permission) => <PermissionRowActions permission={permission} onOpen={onOpen} onMove={move} />,
    [onOpen, move],
  );
  return (
    <ListTable
      {...list}
      label={t('permissions.title')}
      name="permissions"
      filterLabel={t('permissions.filter')}
      downloadLabel={t('permissions.download')}
      noMatchText={t('permissions.noMatch')}
      emptyText={t('permissions.empty')}
      emptyHint={t('permissions.emptyHint')}
      hiddenText={(permission) => t('permissions.hidden', { name: permission.name })}
      emptyAction={<CreatePermissionButton onOpen={onOpen} />}
      rowActions={rowActions}
      actionsWidth={ACTIONS_WIDTH}
    />
  );
}
