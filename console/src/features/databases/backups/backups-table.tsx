import type { Backup } from '@apotheca/contract/backups';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListBackupsQuery } from '../../../api/backups.ts';
import { errorText } from '../../../api/http/answer-errors.ts';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { KEPT_FRESH } from '../../../lists/list-freshness.ts';
import { backupColumns } from './backup-columns.tsx';
import { BackupRowActions } from './backup-row-actions.tsx';
import { DeleteBackupDialog } from './delete-backup-dialog.tsx';

/** Three icon buttons of 30 px and the cell's padding. */
const ACTIONS_WIDTH = 108;

const idOf = (backup: Backup) => backup.id;

interface BackupsTableProps {
  /** The database of the backups; absent: all databases. */
  databaseName?: string;
  onRestore: (backup: Backup) => void;
}

/** The backups, newest first, with buttons for each. */
export function BackupsTable({ databaseName, onRestore }: BackupsTableProps) {
  const { t } = useTranslation();
  const query = useListBackupsQuery({ databaseName }, { refetchOnMountOrArgChange: true, ...KEPT_FRESH });
  const [doomed, setDoomed] = useState<{ backup: Backup; show: boolean }>();
  const ofOne = databaseName !== undefined;
  const columns = useMemo(() => backupColumns(t, ofOne), [t, ofOne]);
  const rowActions = useCallback(
    (backup: Backup) => (
      <BackupRowActions backup={backup} onRestore={onRestore} onDelete={() => setDoomed({ backup, show: true })} />
    ),
    [onRestore],
  );
  return (
    <>
      <DataTable
        label={t('databases.backups.title')}
        columns={columns}
        rows={query.data}
        rowKey={idOf}
        isLoading={query.isLoading}
        isFetching={query.isFetching}
        error={query.error && errorText(query.error)}
        onRetry={query.refetch}
        emptyText={t(ofOne ? 'databases.backups.emptyOfOne' : 'databases.backups.empty')}
        rowActions={rowActions}
        actionsWidth={ACTIONS_WIDTH}
      />
      {doomed && (
        <DeleteBackupDialog
          key={doomed.backup.id}
          {...doomed}
          onClose={() => setDoomed({ backup: doomed.backup, show: false })}
        />
      )}
    </>
  );
}
