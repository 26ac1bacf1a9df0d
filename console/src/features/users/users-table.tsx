import { USER_ORDER, USER_SORT_COLUMNS, type User } from '@apotheca/contract/users';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListUsersQuery } from '../../api/users.ts';
import { useBulk } from '../../bulks/use-bulk.tsx';
import { ListTable } from '../../components/data-table/list-table.tsx';
import { useListView } from '../../components/data-table/use-list-view.ts';
import { useSelection } from '../../components/data-table/use-selection.ts';
import { fullName } from '../../lib/user-name.ts';
import { KEPT_FRESH } from '../../lists/list-freshness.ts';
import { useList } from '../../lists/use-list.ts';
import { selectSession } from '../../session/session-slice.ts';
import { ViewMenu } from '../../views/view-menu.tsx';
import { CreateUserButton } from './create-user-button.tsx';
import { useToggleUser } from './use-toggle-user.ts';
import { userColumns } from './user-columns.tsx';
import type { UserDialog } from './user-dialog.ts';
import { UserRowActions } from './user-row-actions.tsx';

/** The users list with its tools (SPEC §2.11). */
export function UsersTable({ onOpen }: { onOpen: (dialog: UserDialog) => void }) {
  const { t } = useTranslation();
  const { id: ownId } = useSelector(selectSession);
  const view = useListView(USER_SORT_COLUMNS);
  const sorted = { sortColumn: view.sort.column, sortDirection: view.sort.direction };
  const users = useListUsersQuery(sorted, KEPT_FRESH);
  const columns = useMemo(() => userColumns(t, (user) => onOpen({ kind: 'view', user })), [t, onOpen]);
  const list = useList(users, view, { order: USER_ORDER, columns });
  const selection = useSelection(list);
  const bulk = useBulk('users', selection.selected);
  const toggleActive = useToggleUser();
  const rowActions = useCallback(
    (user: User) => (
      <UserRowActions user={user} isOwn={user.id === ownId} onOpen={onOpen} onToggleActive={toggleActive} />
    ),
    [ownId, onOpen, toggleActive],
  );
  return (
    <>
      <ListTable
        {...list}
        label={t('users.title')}
        name="users"
        filterLabel={t('users.filter')}
        tools={<ViewMenu list="users" />}
        downloadLabel={t('users.download')}
        noMatchText={t('users.noMatch')}
        emptyText={t('users.empty')}
        emptyHint={t('users.emptyHint')}
        hiddenText={(user) => t('users.hidden', { name: fullName(user) })}
        emptyAction={<CreateUserButton onOpen={onOpen} />}
        rowActions={rowActions}
        selection={selection}
        selectionActions={bulk.actions}
      />
      {bulk.modal}
    </>
  );
}
