import type { User } from '@apotheca/contract/users';
import type { TFunction } from 'i18next';
import type { Column } from '../../components/data-table/data-table.tsx';
import { RowName } from '../../components/data-table/row-name.tsx';
import { Badge } from '../../components/display/badge.tsx';
import { fullName, signInName } from '../../lib/user-name.ts';

const names = (t: TFunction, onOpen: (user: User) => void): Column<User>[] => [
  {
    id: 'userName',
    header: t('users.columns.userName'),
    sortKey: 'userName',
    width: 160,
    pinned: true,
    cell: (user) => (
      <RowName opens={() => onOpen(user)}>
        {user.userName || <span className="text-muted">{t('users.noUserName')}</span>}
      </RowName>
    ),
    text: ({ userName }) => userName,
    name: signInName,
  },
  {
    id: 'name',
    header: t('users.columns.name'),
    sortKey: 'fName',
    width: 190,
    cell: (user) => (user.isService ? <Badge tone="info">{t('users.service.badge')}</Badge> : fullName(user)),
    text: (user) => (user.isService ? t('users.service.badge') : fullName(user)),
  },
  {
    id: 'email',
    header: t('users.columns.email'),
    sortKey: 'email',
    width: 245,
    below: 'name',
    onCard: true,
    cell: ({ email }) => email,
    text: ({ email }) => email,
  },
];

/** Whether somebody can sign in as the user. Nobody does as a service account. */
const isComplete = ({ hasPassword, isService }: User) => hasPassword || isService;

/** A user's status in the address. */
const statusOf = (user: User) => {
  const status = user.isActive ? 'active' : 'inactive';
  return isComplete(user) ? status : (`${status}-no-password` as const);
};

const access = (t: TFunction): Column<User>[] => {
  const activeText = ({ isActive }: User) => t(isActive ? 'users.active' : 'users.inactive');
  // All of them can be chosen where no user has one.
  const statuses: Record<ReturnType<typeof statusOf>, string> = {
    active: t('users.active'),
    inactive: t('users.inactive'),
    'active-no-password': `${t('users.active')}, ${t('users.noPassword')}`,
    'inactive-no-password': `${t('users.inactive')}, ${t('users.noPassword')}`,
  };
  return [
    {
      id: 'role',
      header: t('users.columns.role'),
      sortKey: 'role',
      filterBy: ({ roleId }) => roleId,
      width: 130,
      onCard: true,
      cell: ({ role }) => role.roleName,
      text: ({ role }) => role.roleName,
    },
    {
      id: 'status',
      header: t('users.columns.status'),
      width: 210,
      onCard: 'whole',
      filterBy: statusOf,
      filterValues: statuses,
      cell: (user) => (
        <span className="badges">
          <Badge tone={user.isActive ? 'success' : 'muted'}>{activeText(user)}</Badge>
          {!isComplete(user) && <Badge tone="warning">{t('users.noPassword')}</Badge>}
        </span>
      ),
      text: (user) => statuses[statusOf(user)],
    },
  ];
};

/**
 * The columns of the users list, in the order of SPEC §2.11. The last one also shows that a user without a password
 * cannot sign in.
 */
export const userColumns = (t: TFunction, onOpen: (user: User) => void): Column<User>[] => [
  ...names(t, onOpen),
  ...access(t),
];
