import type { Backup } from '@apotheca/contract/backups';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListBackupsQuery } from '../../../api/backups.ts';
import { Button } from '../../../components/button/button.tsx';
import { EmptyState } from '../../../components/notice/empty-state.tsx';
import { LoadFailed } from '../../../operations/load-failed.tsx';
import { LoadingText } from '../../../operations/loading-text.tsx';
import { unlessForbidden } from '../../../transport/api-error.ts';
import { useBackupFilter } from '../backups/use-backup-filter.tsx';
import { BackupOptions } from './backup-options.tsx';

/** The number of backups that are loaded; older ones are found by filtering by name. */
const SHOWN_MAX = 100;

interface BackupPickerProps {
  /** At first only the backups of this database are listed. */
  ofDatabase?: string;
  /** The archive that has just been uploaded; it belongs to no database. */
  uploaded?: Backup;
  chosen: Backup | undefined;
  onChoose: (backup: Backup) => void;
}

/** Chooses one of the backups, newest first. */
export function BackupPicker({ ofDatabase, uploaded, chosen, onChoose }: BackupPickerProps) {
  const { t } = useTranslation();
  const [ofAll, setOfAll] = useState(ofDatabase === undefined);
  const databaseName = ofAll || uploaded ? undefined : ofDatabase;
  const { search, field, clear } = useBackupFilter();
  const { data, currentData, error, refetch } = useListBackupsQuery(
    // With one more, which tells that there are more.
    { databaseName, search, limit: String(SHOWN_MAX + 1) },
    { refetchOnMountOrArgChange: true },
  );
  // Those of the filter before stay until the next ones have come; where those cannot be loaded, they would seem to be them, and that there were
  // none says nothing of what is asked for now. What was allowed when it was loaded may not be any more.
  const found = unlessForbidden(error || data?.length === 0 ? currentData : data, error);
  return (
    <div className="backup-picker">
      {databaseName === undefined ? (
        field
      ) : (
        <Button variant="link" size="small" onClick={() => setOfAll(true)}>
          {t('databases.restore.showAll')}
        </Button>
      )}
      {error && <LoadFailed error={error} onRetry={refetch} />}
      {!found && !error && <LoadingText>{t('databases.backups.loading')}</LoadingText>}
      {found?.length === 0 && (
        <EmptyState
          text={t(search ? 'databases.backups.noMatch' : emptyText(databaseName))}
          hint={search ? undefined : t('databases.backups.upload')}
          action={search !== '' && clear}
        />
      )}
      {found && found.length > 0 && (
        <BackupOptions backups={found.slice(0, SHOWN_MAX)} chosen={chosen} onChoose={onChoose} />
      )}
      {found && found.length > SHOWN_MAX && (
        <p className="form-text">
          {t(databaseName === undefined ? 'databases.restore.more' : 'databases.restore.moreOfOne', {
            shown: SHOWN_MAX,
          })}
        </p>
      )}
    </div>
  );
}

const emptyText = (databaseName: string | undefined) =>
  databaseName === undefined ? 'databases.backups.empty' : 'databases.backups.emptyOfOne';
