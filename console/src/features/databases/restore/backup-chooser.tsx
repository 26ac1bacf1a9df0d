import type { Backup } from '@apotheca/contract/backups';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Tabs } from '../../../components/display/tabs.tsx';
import { BackupPicker } from './backup-picker.tsx';
import { UploadArchive } from './upload-archive.tsx';
import type { UploadOptions } from './use-upload-archive.ts';

interface BackupChooserProps extends Omit<UploadOptions, 'onUploaded'> {
  /** At first only the backups of this database are listed. */
  ofDatabase?: string;
  chosen: Backup | undefined;
  onChoose: (backup: Backup) => void;
}

/** Chooses the backup to restore: from the list, or by uploading an archive, which is then chosen in the list. */
export function BackupChooser({ ofDatabase, chosen, onChoose, ...changes }: BackupChooserProps) {
  const { t } = useTranslation();
  const [tab, setTab] = useState('list');
  const [uploaded, setUploaded] = useState<Backup>();
  function handleUploaded(backup: Backup) {
    setUploaded(backup);
    onChoose(backup);
    setTab('list');
  }
  const list = <BackupPicker ofDatabase={ofDatabase} uploaded={uploaded} chosen={chosen} onChoose={onChoose} />;
  const upload = <UploadArchive onUploaded={handleUploaded} {...changes} />;
  return (
    <div className="backup-chooser">
      <Tabs
        label={t('databases.restore.source')}
        selected={tab}
        onSelect={setTab}
        tabs={[
          { id: 'list', label: t('databases.restore.fromList'), panel: list },
          { id: 'upload', label: t('databases.restore.fromFile'), panel: upload },
        ]}
      />
    </div>
  );
}
