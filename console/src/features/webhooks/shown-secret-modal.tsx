import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button/button.tsx';
import { Modal } from '../../components/dialog/modal.tsx';
import { Notice } from '../../components/notice/notice.tsx';
import { SecretText } from '../../components/toast/secret-text.tsx';
import type { ShownSecret } from './webhook-dialog.ts';

interface ShownSecretModalProps {
  show: boolean;
  shown: ShownSecret;
  onClose: () => void;
}

/** Shows a new secret, this once. */
export function ShownSecretModal({ show, shown, onClose }: ShownSecretModalProps) {
  const { t } = useTranslation();
  const footer = <Button onClick={onClose}>{t('webhooks.secret.done')}</Button>;
  return (
    <Modal
      show={show}
      isShownOnce
      title={t('webhooks.secret.title')}
      subtitle={shown.name}
      footer={footer}
      onClose={onClose}
    >
      <Notice tone="warning">{t('webhooks.secret.once')}</Notice>
      <SecretText label={t('webhooks.secret.label')} copyLabel={t('webhooks.secret.copy')} text={shown.secret} />
    </Modal>
  );
}
