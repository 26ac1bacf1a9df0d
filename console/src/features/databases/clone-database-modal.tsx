import { useTranslation } from 'react-i18next';
import { copyDatabase } from '../../api/databases.ts';
import { CloneModal, type CloneProps } from './clone-modal.tsx';

/** Copies a database under a new name, as a clone without a tenant (SPEC §2.13, §7.3). */
export function CloneDatabaseModal(props: CloneProps) {
  const { t } = useTranslation();
  return (
    <CloneModal
      {...props}
      title={t('databases.cloning.title')}
      confirmLabel={t('databases.cloning.confirm', { name: props.database.databaseName })}
      mutation={copyDatabase}
      argOf={(names) => ({ ...names, isCreateTenant: 'false' as const })}
    >
      <p>{t('databases.cloning.what', { name: props.database.databaseName })}</p>
    </CloneModal>
  );
}
