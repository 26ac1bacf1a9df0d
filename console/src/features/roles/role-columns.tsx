import type { Role } from '@apotheca/contract/roles';
import type { TFunction } from 'i18next';
import type { Column } from '../../components/data-table/data-table.tsx';
import { RowName } from '../../components/data-table/row-name.tsx';
import { Badge } from '../../components/display/badge.tsx';
import { formatCount } from '../../lib/numbers.ts';

/** The columns of the list of roles. */
export const roleColumns = (t: TFunction, onOpen: (role: Role) => void): Column<Role>[] => {
  const kindText = ({ isBuiltIn }: Role) => t(isBuiltIn ? 'roles.builtIn' : 'roles.own');
  const factorText = ({ requiresSecondFactor }: Role) =>
    t(requiresSecondFactor ? 'roles.secondFactor.required' : 'roles.secondFactor.optional');
  const countColumn = (id: string, header: string, countOf: (role: Role) => number): Column<Role> => ({
    id,
    header,
    width: 120,
    align: 'end',
    cell: (role) => <span className="num">{formatCount(countOf(role))}</span>,
    text: (role) => formatCount(countOf(role)),
  });
  return [
    {
      id: 'roleName',
      header: t('roles.columns.roleName'),
      width: 200,
      pinned: true,
      cell: (role) => <RowName opens={() => onOpen(role)}>{role.roleName}</RowName>,
      text: ({ roleName }) => roleName,
    },
    {
      id: 'kind',
      filterBy: ({ isBuiltIn }) => (isBuiltIn ? 'built-in' : 'own'),
      header: t('roles.columns.kind'),
      width: 130,
      onCard: true,
      cell: (role) => <Badge tone={role.isBuiltIn ? 'info' : 'muted'}>{kindText(role)}</Badge>,
      text: kindText,
    },
    {
      id: 'secondFactor',
      filterBy: ({ requiresSecondFactor }) => (requiresSecondFactor ? 'required' : 'optional'),
      header: t('roles.columns.secondFactor'),
      width: 140,
      onCard: true,
      cell: (role) => factorText(role),
      text: factorText,
    },
    countColumn('users', t('roles.columns.users'), ({ users }) => users),
    countColumn('permissions', t('roles.columns.permissions'), ({ permissionIds }) => permissionIds.length),
  ];
};
