import { type Database, renameDatabaseForm } from '@apotheca/contract/databases';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { renameDatabase } from '../../api/databases.ts';
import { Notice } from '../../components/notice/notice.tsx';
import { DatabaseNameModal } from './database-name-modal.tsx';
import { useTakenNames } from './use-databases.ts';

interface RenameDatabaseModalProps {
  show: boolean;
  database: Database;
  onClose: () => void;
}

/** Gives a database another name (SPEC §2.13). */
export function RenameDatabaseModal({ show, database, onClose }: RenameDatabaseModalProps) {
  const { t } = useTranslation();
  const taken = useTakenNames(database);
  const schema = useMemo(() => renameDatabaseForm(taken), [taken]);
  const { databaseName, tenantCode } = database;
  return (
    <DatabaseNameModal
      show={show}
      title={t('databases.renaming.title')}
      subject={databaseName}
      initialName={databaseName}
      label={t('databases.renaming.label')}
      confirmLabel={t('databases.renaming.confirm', { name: databaseName })}
      schema={schema}
      mutation={renameDatabase}
      argOf={(newName) => ({ databaseName, newName })}
      onClose={onClose}
    >
      {tenantCode === null ? (
        <Notice tone="info">{t('databases.renaming.alone')}</Notice>
      ) : (
        <Notice tone="warning">{t('databases.renaming.withTenant', { tenant: tenantCode })}</Notice>
      )}
    </DatabaseNameModal>
  );
}
