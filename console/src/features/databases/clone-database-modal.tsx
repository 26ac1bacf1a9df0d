import { cloneDatabaseForm, type Database } from '@apotheca/contract/databases';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { copyDatabase } from '../../api/databases.ts';
import { Notice } from '../../components/notice/notice.tsx';
import { DatabaseNameModal } from './database-name-modal.tsx';
import { useTakenNames } from './use-databases.ts';

interface CloneDatabaseModalProps {
  show: boolean;
  database: Database;
  onClose: () => void;
}

/** Copies a database under a new name, as a clone without a tenant (SPEC §2.13, §7.3). */
export function CloneDatabaseModal({ show, database, onClose }: CloneDatabaseModalProps) {
  const { t } = useTranslation();
  const taken = useTakenNames();
  const schema = useMemo(() => cloneDatabaseForm(taken), [taken]);
  const name = database.databaseName;
  return (
    <DatabaseNameModal
      show={show}
      title={t('databases.cloning.title')}
      subject={name}
      label={t('databases.cloning.label')}
      confirmLabel={t('databases.cloning.confirm')}
      schema={schema}
      mutation={copyDatabase}
      argOf={(databaseName) => ({ databaseName, copyFrom: name, isCreateTenant: 'false' as const })}
      onClose={onClose}
    >
      <p>{t('databases.cloning.what', { name })}</p>
      <Notice tone="warning">{t('databases.cloning.sessions', { name })}</Notice>
    </DatabaseNameModal>
  );
}
