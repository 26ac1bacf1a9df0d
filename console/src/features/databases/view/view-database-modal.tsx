import type { Backup } from '@apotheca/contract/backups';
import type { Database } from '@apotheca/contract/databases';
import { Trash2 } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGetDatabaseDetailsQuery } from '../../../api/databases.ts';
import { Button } from '../../../components/button/button.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import { Notice } from '../../../components/notice/notice.tsx';
import { LoadFailed } from '../../../operations/load-failed.tsx';
import { DeleteRejectedDialog } from '../adoption/delete-rejected-dialog.tsx';
import { RejectedRows } from '../adoption/rejected-rows.tsx';
import { BackupsTable } from '../backups/backups-table.tsx';
import type { DatabaseDialog } from '../database-dialog.ts';
import { DatabaseFacts } from './database-facts.tsx';
import { DatabaseTables } from './database-tables.tsx';

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
      footer={
        <Button variant="secondary" onClick={onClose}>
          {t('databases.modal.close')}
        </Button>
      }
      onClose={onClose}
    >
      <Details databaseName={databaseName} />
      <h3 className="database-section">{t('databases.backups.title')}</h3>
      <BackupsTable databaseName={databaseName} onRestore={restore} />
    </Modal>
  );
}

function Details({ databaseName }: { databaseName: string }) {
  const { t } = useTranslation();
  const query = useGetDatabaseDetailsQuery({ databaseName }, { refetchOnMountOrArgChange: true });
  if (query.isError) return <LoadFailed error={query.error} onRetry={query.refetch} />;
  if (query.data === undefined) return <Skeleton label={t('databases.view.loading')} />;
  return (
    <>
      <DatabaseFacts details={query.data} />
      <KeptRejected databaseName={databaseName} rejected={query.data.rejectedRows} onDeleted={query.refetch} />
      <DatabaseTables tables={query.data.tables} />
    </>
  );
}

interface KeptRejectedProps {
  databaseName: string;
  rejected: number;
  onDeleted: () => unknown;
}

/** The rows that were rejected when the database was adopted, if it has any. */
function KeptRejected({ databaseName, rejected, onDeleted }: KeptRejectedProps) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const handleClose = () => {
    setAsking(false);
    onDeleted();
  };
  return (
    <>
      {rejected > 0 && (
        <Notice tone="warning">
          <RejectedRows databaseName={databaseName} rejected={rejected} />{' '}
          <Button variant="secondary" size="small" icon={Trash2} onClick={() => setAsking(true)}>
            {t('databases.adoption.deleting.open')}
          </Button>
        </Notice>
      )}
      <DeleteRejectedDialog show={isAsking} databaseName={databaseName} onClose={handleClose} />
    </>
  );
}

const BARS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** Grey bars in place of the facts. */
function Skeleton({ label }: { label: string }) {
  return (
    <div className="database-facts" role="status">
      <span className="visually-hidden">{label}</span>
      {BARS.map((bar) => (
        <span key={bar} className="skeleton" aria-hidden="true" />
      ))}
    </div>
  );
}
