import type { Database } from '@apotheca/contract/databases';
import { useTranslation } from 'react-i18next';
import { useGetDatabaseDetailsQuery } from '../../api/databases.ts';
import { Button } from '../../components/button.tsx';
import { Modal } from '../../components/modal.tsx';
import { Notice } from '../../components/notice.tsx';
import { DatabaseFacts } from './database-facts.tsx';
import { DatabaseTables } from './database-tables.tsx';

interface ViewDatabaseModalProps {
  show: boolean;
  database: Database;
  onClose: () => void;
}

/** What a database is and holds right now. */
export function ViewDatabaseModal({ show, database, onClose }: ViewDatabaseModalProps) {
  const { t } = useTranslation();
  return (
    <Modal
      show={show}
      title={t('databases.view.title')}
      subtitle={<span className="code">{database.databaseName}</span>}
      size="lg"
      footer={
        <Button variant="secondary" onClick={onClose}>
          {t('databases.modal.close')}
        </Button>
      }
      onClose={onClose}
    >
      <Details databaseName={database.databaseName} />
    </Modal>
  );
}

function Details({ databaseName }: { databaseName: string }) {
  const { t } = useTranslation();
  const query = useGetDatabaseDetailsQuery({ databaseName }, { refetchOnMountOrArgChange: true });
  if (query.isError) return <LoadError message={query.error?.message} onRetry={query.refetch} />;
  if (query.data === undefined) return <Skeleton label={t('databases.view.loading')} />;
  return (
    <>
      <DatabaseFacts details={query.data} />
      <DatabaseTables tables={query.data.tables} />
    </>
  );
}

function LoadError({ message, onRetry }: { message?: string; onRetry: () => void }) {
  const { t } = useTranslation();
  const retry = (
    <Button variant="secondary" size="small" onClick={onRetry}>
      {t('databases.modal.retry')}
    </Button>
  );
  return (
    <Notice tone="danger" role="alert" action={retry}>
      {message ?? t('session.errors.unknown')}
    </Notice>
  );
}

const BARS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** Grey bars where the facts will be. */
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
