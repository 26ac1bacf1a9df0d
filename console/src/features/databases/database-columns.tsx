import type { Database } from '@apotheca/contract/databases';
import type { TFunction } from 'i18next';
import type { Column } from '../../components/data-table.tsx';
import { Day } from '../../components/day.tsx';
import { localDay } from '../../lib/expiry.ts';
import { TenantName } from './tenant-name.tsx';

/** The columns of the databases list. */
export const databaseColumns = (t: TFunction): Column<Database>[] => [
  {
    id: 'databaseName',
    header: t('databases.columns.databaseName'),
    sortKey: 'datName',
    width: 260,
    pinned: true,
    cell: ({ databaseName }) => <span className="code">{databaseName}</span>,
    text: ({ databaseName }) => databaseName,
  },
  {
    id: 'tenant',
    header: t('databases.columns.tenant'),
    width: 290,
    cell: (database) => <TenantName database={database} />,
    text: ({ tenantCode, customerCode }) =>
      tenantCode === null ? t('databases.clone') : `${tenantCode} ${customerCode ?? ''}`.trim(),
  },
  {
    id: 'copiedFrom',
    header: t('databases.columns.copiedFrom'),
    width: 200,
    cell: ({ copiedFrom }) => <span className="code text-muted">{copiedFrom}</span>,
    text: ({ copiedFrom }) => copiedFrom ?? '',
  },
  {
    id: 'createdOn',
    header: t('databases.columns.createdOn'),
    width: 112,
    cell: ({ createdOnUtc }) => <Day moment={createdOnUtc} />,
    text: ({ createdOnUtc }) => localDay(new Date(createdOnUtc)),
  },
];
