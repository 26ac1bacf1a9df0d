import type { Role } from '@apotheca/contract/roles';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useListRolesQuery } from '../../api/roles.ts';
import { ListTable } from '../../components/data-table/list-table.tsx';
import { useListView } from '../../components/data-table/use-list-view.ts';
import { KEPT_FRESH } from '../../lists/list-freshness.ts';
import { useList } from '../../lists/use-list.ts';
import { CreateRoleButton } from './create-role-button.tsx';
import { roleColumns } from './role-columns.tsx';
import type { RoleDialog } from './role-dialog.ts';
import { RoleRowActions } from './role-row-actions.tsx';

/** Two icon buttons of 30 px and the cell's padding. */
const ACTIONS_WIDTH = 80;

/** All roles, by name, with how many people and permissions each has. */
export function RolesTable({ onOpen }: { onOpen: (dialog: RoleDialog) => void }) {
  const { t } = useTranslation();
  const view = useListView(['roleName']);
  const columns = useMemo(() => roleColumns(t, (role) => onOpen({ kind: 'permissions', role })), [t, onOpen]);
  const list = useList(useListRolesQuery(undefined, KEPT_FRESH), view, { columns });
  const rowActions = useCallback((role: Role) => <RoleRowActions role={role} onOpen={onOpen} />, [onOpen]);
  return (
    <ListTable
      {...list}
      label={t('roles.title')}
      name="roles"
      filterLabel={t('roles.filter')}
      downloadLabel={t('roles.download')}
      noMatchText={t('roles.noMatch')}
      emptyText={t('roles.empty')}
      emptyHint={t('roles.emptyHint')}
      hiddenText={({ roleName }) => t('roles.hidden', { name: roleName })}
      emptyAction={<CreateRoleButton onOpen={onOpen} />}
      rowActions={rowActions}
      actionsWidth={ACTIONS_WIDTH}
    />
  );
}
