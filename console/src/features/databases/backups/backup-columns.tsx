import type { Backup } from '@apotheca/contract/backups';
import type { TFunction } from 'i18next';
import type { Column } from '../../../components/data-table/data-table.tsx';
import { Moment } from '../../../components/display/moment.tsx';
import { CopyButton } from '../../../components/toast/copy-button.tsx';
import { zonedMinute } from '../../../lib/moment.ts';
import { formatBytes, formatCount } from '../../../lib/numbers.ts';
import { BackupCopies, copiesText } from './backup-copies.tsx';
import { BackupProof, proofText } from './backup-proof.tsx';

/** What a list of backups need not show. */
interface ListOfBackups {
  /** All of them are of one database, so the column with its name is left out. */
  ofOne: boolean;
  /** Some have copies in stores; where none has, there is no column of them. */
  hasCopies: boolean;
  /** Some were proved; where none was, there is no column of it. */
  hasProofs: boolean;
}

/** The columns of a list of backups. */
export const backupColumns = (t: TFunction, { ofOne, hasCopies, hasProofs }: ListOfBackups): Column<Backup>[] => [
  ...(ofOne ? [] : [nameColumn(t)]),
  {
    id: 'madeOn',
    header: t('databases.backups.madeOn'),
    width: 156,
    onCard: true,
    cell: ({ createdOnUtc }) => <Moment moment={createdOnUtc} />,
    text: ({ createdOnUtc }) => zonedMinute(new Date(createdOnUtc)),
  },
  // Beside the name, as it scrolls out of sight last.
  ...(hasProofs ? [proofColumn(t)] : []),
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
    below: 'size',
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
  ...(hasCopies ? [copiesColumn(t)] : []),
  {
    id: 'sha256',
    header: 'SHA-256',
    width: 122,
    below: 'schemaVersion',
    onCard: true,
    cell: ({ sha256 }) => (
      <span className="backup-digest">
        <span className="code text-muted">{sha256.slice(0, DIGITS)}…</span>
        <CopyButton text={sha256} label={t('databases.backups.copyDigest', { digest: sha256.slice(0, DIGITS) })} />
      </span>
    ),
    text: ({ sha256 }) => sha256,
  },
];

const proofColumn = (t: TFunction): Column<Backup> => ({
  id: 'proof',
  header: t('databases.backups.proof.title'),
  width: 220,
  onCard: true,
  cell: ({ proof }) => <BackupProof proof={proof} />,
  text: (backup) => proofText(t, backup),
});

const copiesColumn = (t: TFunction): Column<Backup> => ({
  id: 'copies',
  header: t('databases.backups.copies.title'),
  width: 220,
  onCard: true,
  cell: ({ copies }) => <BackupCopies copies={copies} />,
  text: (backup) => copiesText(t, backup),
});

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
