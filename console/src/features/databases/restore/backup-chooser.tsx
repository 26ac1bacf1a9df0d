import type { Backup } from '@apotheca/contract/backups';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Tabs } from '../../../components/display/tabs.tsx';
import { BackupPicker } from './backup-picker.tsx';
import { UploadArchive } from './upload-archive.tsx';

interface BackupChooserProps {
  /** Only this database's backups to begin with. */
  ofDatabase?: string;
  chosen: Backup | undefined;
  onChoose: (backup: Backup) => void;
  onUploadingChange: (isUploading: boolean) => void;
}

/** Where the backup to restore comes from: the list, or an archive from elsewhere, which is then chosen there. */
export function BackupChooser({ ofDatabase, chosen, onChoose, onUploadingChange }: BackupChooserProps) {
  const { t } = useTranslation();
  const [tab, setTab] = useState('list');
  const [uploaded, setUploaded] = useState<Backup>();
  function handleUploaded(backup: Backup) {
    setUploaded(backup);
    onChoose(backup);
    setTab('list');
  }
  const list = <BackupPicker ofDatabase={ofDatabase} uploaded={uploaded} chosen={chosen} onChoose={onChoose} />;
  const upload = <UploadArchive onUploaded={handleUploaded} onUploadingChange={onUploadingChange} />;
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
