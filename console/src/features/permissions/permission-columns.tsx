import type { Permission } from '@apotheca/contract/permissions';
import type { TFunction } from 'i18next';
import type { Column } from '../../components/data-table/data-table.tsx';
import { flagColumn } from '../../components/data-table/flag-column.tsx';
import { RowName } from '../../components/data-table/row-name.tsx';

/** This many characters of an id are enough to tell permissions apart; the tooltip has the whole id. */
const ID_SHOWN = 8;

const identity = (t: TFunction, onOpen: (permission: Permission) => void): Column<Permission>[] => [
  {
    id: 'id',
    header: t('permissions.columns.id'),
    width: 105,
    cell: ({ id }) => <span className="code">{id.slice(0, ID_SHOWN)}</span>,
    text: ({ id }) => id,
  },
  {
    id: 'module',
    header: t('permissions.columns.module'),
    sortKey: 'module',
    filterBy: ({ module }) => module,
    width: 165,
    cell: ({ module }) => module,
    text: ({ module }) => module,
  },
  {
    id: 'name',
    header: t('permissions.columns.name'),
    sortKey: 'name',
    width: 290,
    pinned: true,
    cell: (permission) => <RowName opens={() => onOpen(permission)}>{permission.name}</RowName>,
    text: ({ name }) => name,
  },
  {
    id: 'identifier',
    header: t('permissions.columns.identifier'),
    sortKey: 'identifier',
    width: 200,
    below: 'name',
    onCard: true,
    cell: ({ identifier }) => <span className="code">{identifier}</span>,
    text: ({ identifier }) => identifier,
  },
];

const state = (t: TFunction): Column<Permission>[] => [
  {
    id: 'sortOrder',
    header: t('permissions.columns.sortOrder'),
    sortKey: 'sortOrder',
    width: 110,
    align: 'end',
    cell: ({ sortOrder }) => <span className="num">{sortOrder}</span>,
    text: ({ sortOrder }) => String(sortOrder),
  },
  flagColumn({
    id: 'isActive',
    header: t('permissions.columns.isActive'),
    width: 110,
    onCard: true,
    values: ['true', 'false'],
    isOn: ({ isActive }) => isActive,
    onText: t('permissions.active'),
    offText: t('permissions.inactive'),
  }),
];

/** The columns of the permissions list, in the order of SPEC §2.14. */
export const permissionColumns = (t: TFunction, onOpen: (permission: Permission) => void): Column<Permission>[] => [
  ...identity(t, onOpen),
  ...state(t),
];
