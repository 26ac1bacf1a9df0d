import type { Backup } from '@apotheca/contract/backups';
import type { TFunction } from 'i18next';
import type { Column } from '../../../components/data-table/data-table.tsx';
import { Moment } from '../../../components/display/moment.tsx';
import { CopyButton } from '../../../components/toast/copy-button.tsx';
import { localMinute } from '../../../lib/expiry.ts';
import { formatBytes, formatCount } from '../../../lib/numbers.ts';

/**
 * The columns of a list of backups.
 * @param ofOne all of them are of one database, so the column with its name is left out
 */
export const backupColumns = (t: TFunction, ofOne: boolean): Column<Backup>[] => [
  ...(ofOne ? [] : [nameColumn(t)]),
  {
    id: 'madeOn',
    header: t('databases.backups.madeOn'),
    width: 156,
    cell: ({ createdOnUtc }) => <Moment moment={createdOnUtc} />,
    text: ({ createdOnUtc }) => localMinute(new Date(createdOnUtc)),
  },
  {
    id: 'size',
    header: t('databases.backups.size'),
    width: 100,
    align: 'end',
    cell: ({ sizeBytes }) => <span className="num">{formatBytes(sizeBytes)}</span>,
  },
  {
    id: 'rows',
    header: t('databases.backups.rows'),
    width: 102,
    align: 'end',
    cell: ({ rows }) => (
      <span className="num">{rows === null ? t('databases.backups.unknown') : formatCount(rows)}</span>
    ),
  },
  {
    id: 'schemaVersion',
    header: t('databases.backups.schema'),
    width: 68,
    align: 'end',
    cell: ({ schemaVersion }) => <span className="num">{schemaVersion}</span>,
  },
  {
    id: 'origin',
    header: t('databases.backups.origin'),
    width: 130,
    cell: (backup) => originText(t, backup),
    text: (backup) => originText(t, backup),
  },
  {
    id: 'sha256',
    header: 'SHA-256',
    width: 122,
    cell: ({ sha256 }) => (
      <span className="backup-digest">
        <span className="code text-muted">{sha256.slice(0, DIGITS)}…</span>
        <CopyButton text={sha256} label={t('databases.backups.copyDigest', { digest: sha256.slice(0, DIGITS) })} />
      </span>
    ),
    text: ({ sha256 }) => sha256,
  },
];

/** 'Made by ada' */
const originText = (t: TFunction, { origin, createdBy }: Backup): string =>
  createdBy === null
    ? t(`databases.backups.origins.${origin}`)
    : t(`databases.backups.originsBy.${origin}`, { who: createdBy });

/** This many of the 64 digits are enough to tell backups apart. */
const DIGITS = 8;

const nameColumn = (t: TFunction): Column<Backup> => ({
  id: 'databaseName',
  header: t('databases.columns.databaseName'),
  width: 130,
  pinned: true,
  cell: ({ databaseName }) => <span className="code">{databaseName}</span>,
  text: ({ databaseName }) => databaseName,
});
