import { Bot } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';

/** Opens the modal for a new service account. */
export function CreateServiceAccountButton({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation();
  return (
    <Button icon={Bot} variant="secondary" onClick={onOpen}>
      {t('users.service.create')}
    </Button>
  );
}
