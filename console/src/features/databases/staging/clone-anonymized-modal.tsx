import { useTranslation } from 'react-i18next';
import { cloneAnonymized } from '../../../api/anonymized-clones.ts';
import { Notice } from '../../../components/notice/notice.tsx';
import { CloneModal, type CloneProps } from '../clone-modal.tsx';

/** Copies a database and anonymizes the copy before anybody can connect to it (DECISIONS §13). */
export function CloneAnonymizedModal(props: CloneProps) {
  const { t } = useTranslation();
  return (
    <CloneModal
      {...props}
      title={t('databases.staging.title')}
      confirmLabel={t('databases.staging.confirm', { name: props.database.databaseName })}
      mutation={cloneAnonymized}
      argOf={(names) => names}
    >
      <p>{t('databases.staging.what', { name: props.database.databaseName })}</p>
      <Notice tone="info">{t('databases.staging.leftOut')}</Notice>
    </CloneModal>
  );
}
