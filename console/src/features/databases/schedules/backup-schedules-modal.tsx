import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogButtons } from '../../../components/dialog/dialog-buttons.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import { Tabs } from '../../../components/display/tabs.tsx';
import { BackupScheduleEditor } from '../../../forms/backup-schedule-form.tsx';
import { BackupSchedulesTable } from './backup-schedules-table.tsx';

/** The schedules of all databases and how they stand, and the default. */
export function BackupSchedulesModal({ show, onClose }: { show: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const [tab, setTab] = useState('databases');
  const [isDirty, setDirty] = useState(false);
  const tabs = [
    { id: 'databases', label: t('databases.schedules.tabs.databases'), panel: <BackupSchedulesTable /> },
    { id: 'default', label: t('databases.schedules.tabs.default'), panel: <BackupScheduleEditor onDirty={setDirty} /> },
  ];
  return (
    <Modal
      show={show}
      title={t('databases.schedules.title')}
      size="xl"
      bodyHeight="65vh"
      flush
      dirty={isDirty}
      footer={<DialogButtons isBusy={false} closeText={t('databases.modal.close')} />}
      onClose={onClose}
    >
      <div className="manage-tenant">
        <Tabs label={t('databases.schedules.title')} tabs={tabs} selected={tab} onSelect={setTab} />
      </div>
    </Modal>
  );
}
