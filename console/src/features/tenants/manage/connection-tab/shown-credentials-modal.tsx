import type { TenantCredentials } from '@apotheca/contract/credentials';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../components/button/button.tsx';
import { Modal } from '../../../../components/dialog/modal.tsx';
import { Notice } from '../../../../components/notice/notice.tsx';
import { SecretText } from '../../../../components/toast/secret-text.tsx';

interface ShownCredentialsModalProps {
  show: boolean;
  credentials: TenantCredentials;
  onClose: () => void;
}

/** Shows a login with its password. */
export function ShownCredentialsModal({ show, credentials, onClose }: ShownCredentialsModalProps) {
  const { t } = useTranslation();
  const { access } = credentials;
  const footer = <Button onClick={onClose}>{t('tenants.manage.connection.shown.done')}</Button>;
  const texts = ['role', 'password', 'connectionString'] as const;
  return (
    <Modal
      {...{ show, footer, onClose }}
      title={t('tenants.manage.connection.shown.title')}
      subtitle={t(`tenants.manage.connection.access.${access}`)}
      size="lg"
    >
      <Notice tone="warning">{t('tenants.manage.connection.shown.audited')}</Notice>
      {texts.map((name) => (
        <SecretText
          key={name}
          label={t(`tenants.manage.connection.shown.${name}`)}
          copyLabel={t(`tenants.manage.connection.shown.copy.${name}`)}
          text={credentials[name]}
        />
      ))}
    </Modal>
  );
}
