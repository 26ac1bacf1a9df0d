import type { ScheduledDatabase } from '@apotheca/contract/backup-schedules';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useListBackupSchedulesQuery } from '../../../api/backup-schedules.ts';
import { type Column, DataTable } from '../../../components/data-table/data-table.tsx';
import { Badge } from '../../../components/display/badge.tsx';
import { Moment } from '../../../components/display/moment.tsx';
import { LastResult, NextRun } from '../../../forms/backup-schedule-state.tsx';
import { KEPT_FRESH } from '../../../lists/list-freshness.ts';
import { listProps } from '../../../lists/list-props.ts';
import { messageText } from '../../../locales/messages.ts';

const idOf = ({ id }: ScheduledDatabase) => id;

const columnsOf = (t: TFunction): Column<ScheduledDatabase>[] => [
  {
    id: 'databaseName',
    header: t('databases.columns.databaseName'),
    width: 150,
    pinned: true,
    cell: ({ databaseName }) => <span className="code">{databaseName}</span>,
    text: ({ databaseName }) => databaseName,
  },
  {
    id: 'frequency',
    header: t('databases.schedules.frequency'),
    width: 170,
    onCard: true,
    cell: ({ frequency, isOwn }) => (
      <span className="badges">
        {t(`backupSchedule.frequencies.${frequency}`)}{' '}
        {isOwn && <Badge tone="info">{t('databases.schedules.own')}</Badge>}
      </span>
    ),
    text: ({ frequency }) => t(`backupSchedule.frequencies.${frequency}`),
  },
  {
    id: 'zone',
    header: t('databases.schedules.zone'),
    width: 180,
    below: 'frequency',
    cell: ({ timezoneId }) => timezoneId,
    text: ({ timezoneId }) => timezoneId,
  },
  {
    id: 'nextRun',
    header: t('backupSchedule.nextRun'),
    width: 170,
    onCard: true,
    cell: (state) => <NextRun state={state} />,
  },
  {
    id: 'lastResult',
    header: t('backupSchedule.lastResult'),
    width: 170,
    onCard: true,
    cell: (state) => <LastResult state={state} />,
    text: ({ lastMessage }) => messageText(lastMessage),
  },
  {
    id: 'newest',
    header: t('backupSchedule.newest'),
    width: 230,
    cell: ({ newestBackupOnUtc, isLate }) => (
      <span className="badges">
        {newestBackupOnUtc ? <Moment moment={newestBackupOnUtc} /> : t('backupSchedule.never')}{' '}
        {isLate && <Badge tone="danger">{t('backupSchedule.late')}</Badge>}
      </span>
    ),
  },
];

/** The schedules of all databases and how they stand, those that are late first. */
export function BackupSchedulesTable() {
  const { t } = useTranslation();
  const query = useListBackupSchedulesQuery({}, { refetchOnMountOrArgChange: true, ...KEPT_FRESH });
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <DataTable
      name="backup-schedules"
      label={t('databases.schedules.title')}
      columns={columns}
      {...listProps(query)}
      rowKey={idOf}
      emptyText={t('databases.schedules.empty')}
      emptyHint={t('databases.schedules.emptyHint')}
    />
  );
}
