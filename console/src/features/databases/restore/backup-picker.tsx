import type { Backup } from '@apotheca/contract/backups';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListBackupsQuery } from '../../../api/backups.ts';
import { Button } from '../../../components/button/button.tsx';
import { EmptyState } from '../../../components/notice/empty-state.tsx';
import { LoadFailed } from '../../../operations/load-failed.tsx';
import { LoadingText } from '../../../operations/loading-text.tsx';
import { useBackupFilter } from '../backups/use-backup-filter.tsx';
import { BackupOptions } from './backup-options.tsx';

/** The number of backups that are drawn; older ones are found by filtering by name. */
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
  const { data, error, refetch } = useListBackupsQuery({ databaseName }, { refetchOnMountOrArgChange: true });
  const { found, text, field, clear } = useBackupFilter(data);
  if (error) return <LoadFailed error={error} onRetry={refetch} />;
  if (found === undefined) return <LoadingText>{t('databases.backups.loading')}</LoadingText>;
  const hidden = found.length - SHOWN_MAX;
  return (
    <div className="backup-picker">
      {databaseName === undefined ? (
        field
      ) : (
        <Button variant="link" size="small" onClick={() => setOfAll(true)}>
          {t('databases.restore.showAll')}
        </Button>
      )}
      {found.length === 0 ? (
        <EmptyState
          text={t(text ? 'databases.backups.noMatch' : emptyText(databaseName))}
          hint={text ? undefined : t('databases.backups.upload')}
          action={text !== '' && clear}
        />
      ) : (
        <BackupOptions backups={found.slice(0, SHOWN_MAX)} chosen={chosen} onChoose={onChoose} />
      )}
      {hidden > 0 && <p className="form-text">{t('databases.restore.more', { count: hidden })}</p>}
    </div>
  );
}

const emptyText = (databaseName: string | undefined) =>
  databaseName === undefined ? 'databases.backups.empty' : 'databases.backups.emptyOfOne';
