import type { Backup } from '@apotheca/contract/backups';
import type { Database } from '@apotheca/contract/databases';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import { BackupsTable } from '../backups/backups-table.tsx';
import type { DatabaseDialog } from '../database-dialog.ts';
import { DatabaseView } from './database-view.tsx';

interface ViewDatabaseModalProps {
  show: boolean;
  database: Database;
  onOpen: (dialog: DatabaseDialog) => void;
  onClose: () => void;
}

/** A database's facts and tables as they are now, and its backups. */
export function ViewDatabaseModal({ show, database: { databaseName }, onOpen, onClose }: ViewDatabaseModalProps) {
  const { t } = useTranslation();
  const restore = useCallback(
    (backup: Backup) => onOpen({ kind: 'restore', backup, databaseName }),
    [onOpen, databaseName],
  );
  return (
    <Modal
      show={show}
      title={t('databases.view.title')}
      subtitle={<span className="code">{databaseName}</span>}
      size="xl"
      bodyHeight="65vh"
      footer={
        <Button variant="secondary" onClick={onClose}>
          {t('databases.modal.close')}
        </Button>
      }
      onClose={onClose}
    >
      <DatabaseView databaseName={databaseName} />
      <h3 className="database-section">{t('databases.backups.title')}</h3>
      <BackupsTable databaseName={databaseName} onRestore={restore} />
    </Modal>
  );
}
