import type { Database, DatabaseSortColumn } from '@apotheca/contract/databases';
import type { TFunction } from 'i18next';
import { kindText } from '../../../api/http/operation-title.ts';
import type { Column } from '../../../components/data-table/data-table.tsx';
import type { FilterBy } from '../../../components/data-table/data-table-types.ts';
import { Day } from '../../../components/display/day.tsx';
import { localDay, zonedMinute } from '../../../lib/moment.ts';
import { formatBytes } from '../../../lib/numbers.ts';
import { NewestBackup } from '../newest-backup.tsx';
import { type TenantLink, TenantName } from '../tenant-name.tsx';
import { DatabaseName } from './database-name.tsx';

type DatabaseColumn = Column<Database> & { sortKey?: DatabaseSortColumn };

/** What the names in the list lead to. */
interface Targets {
  tenantLink: TenantLink;
  onOpen: (database: Database) => void;
}

/** The server of each database, which says something only where there are several. */
export const serverColumn = (t: TFunction): DatabaseColumn => ({
  id: 'server',
  header: t('databases.columns.server'),
  width: 130,
  filterBy: ({ serverName }) => serverName,
  cell: ({ serverName }) => serverName,
  text: ({ serverName }) => serverName,
});

/** The columns of the databases list. */
export const databaseColumns = (t: TFunction, { tenantLink, onOpen }: Targets): DatabaseColumn[] => [
  {
    id: 'databaseName',
    header: t('databases.columns.databaseName'),
    sortKey: 'datName',
    width: 220,
    pinned: true,
    cell: (database) => <DatabaseName database={database} onOpen={() => onOpen(database)} />,
    text: ({ databaseName }) => databaseName,
  },
  {
    id: 'tenant',
    header: t('databases.columns.tenant'),
    sortKey: 'tenantCode',
    width: 212,
    onCard: true,
    cell: (database) => <TenantName database={database} tenantLink={tenantLink} />,
    text: ({ tenantCode, customerCode }) =>
      tenantCode === null ? t('databases.clone') : `${tenantCode} ${customerCode ?? ''}`.trim(),
  },
  {
    id: 'copiedFrom',
    header: t('databases.columns.copiedFrom'),
    width: 150,
    below: 'tenant',
    cell: ({ copiedFrom }) => <span className="code text-muted">{copiedFrom}</span>,
    text: ({ copiedFrom }) => copiedFrom ?? '',
  },
  {
    id: 'size',
    header: t('databases.columns.size'),
    sortKey: 'sizeBytes',
    width: 92,
    align: 'end',
    cell: ({ sizeBytes }) => <span className="num">{sizeText(sizeBytes)}</span>,
    text: ({ sizeBytes }) => sizeText(sizeBytes),
  },
  {
    id: 'newestBackup',
    header: t('databases.columns.newestBackup'),
    sortKey: 'newestBackupOnUtc',
    width: 160,
    onCard: 'whole',
    cell: ({ newestBackupOnUtc }) => <NewestBackup moment={newestBackupOnUtc} />,
    text: ({ newestBackupOnUtc }) =>
      newestBackupOnUtc === null ? t('databases.columns.noBackup') : zonedMinute(new Date(newestBackupOnUtc)),
  },
  {
    id: 'createdOn',
    header: t('databases.columns.createdOn'),
    width: 116,
    below: 'newestBackup',
    cell: ({ createdOnUtc }) => <Day moment={createdOnUtc} />,
    text: ({ createdOnUtc }) => localDay(new Date(createdOnUtc)),
  },
];

/** What the text filter searches in addition to the columns: the badges next to the name. */
export const databaseTexts =
  (t: TFunction) =>
  ({ operation, isOutdated, refreshedOnUtc, access }: Database): string[] => [
    operation === null ? '' : t(`databases.doing.${kindText(operation.kind)}`),
    refreshedOnUtc === null ? '' : t('databases.anonymized'),
    isOutdated ? t('databases.oldSchema') : '',
    access === 'open' ? '' : t(`databases.access.${access}`),
  ];

/** The size is null until it was measured for the first time. */
const sizeText = (sizeBytes: number | null): string => (sizeBytes === null ? '' : formatBytes(sizeBytes));

/** What the list is filtered by in addition to its columns. */
export const databaseFilters = (t: TFunction): FilterBy<Database>[] => [
  {
    id: 'schema',
    header: t('databases.filters.schema.label'),
    filterBy: ({ isOutdated }) => (isOutdated ? 'old' : 'newest'),
    filterValues: { old: t('databases.filters.schema.old'), newest: t('databases.filters.schema.newest') },
  },
  {
    id: 'proof',
    header: t('databases.filters.proof.label'),
    filterBy: ({ hasProvedBackup }) => (hasProvedBackup ? 'proved' : 'none'),
    filterValues: { none: t('databases.filters.proof.none'), proved: t('databases.filters.proof.proved') },
  },
];
