import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import { ApiKeysCard } from './api-keys-card.tsx';

interface ApiKeysModalProps {
  show: boolean;
  /** Whose keys are shown. */
  user: { id: string; name: string; isService: boolean };
  onClose: () => void;
}

/** The API keys of a user: those of a service account are managed here, those of a person can be revoked. */
export function ApiKeysModal({ show, user, onClose }: ApiKeysModalProps) {
  const { t } = useTranslation();
  const footer = (
    <Button variant="secondary" onClick={onClose}>
      {t('apiKeys.close')}
    </Button>
  );
  return (
    <Modal
      show={show}
      title={t('apiKeys.modalTitle', { name: user.name })}
      size="xl"
      bodyHeight="22rem"
      footer={footer}
      onClose={onClose}
    >
      <ApiKeysCard owner={{ userId: user.id, name: user.name, isService: user.isService }} />
    </Modal>
  );
}
