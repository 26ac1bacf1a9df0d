import { serviceAccountRoutes } from '@apotheca/contract/service-accounts';
import { Bot } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import { useRefusal } from '../../../rights/rights.tsx';

/** Opens the modal for a new service account. */
export function CreateServiceAccountButton({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  return (
    <Button icon={Bot} variant="secondary" refusal={refusal(serviceAccountRoutes.create)} onClick={onOpen}>
      {t('users.service.create')}
    </Button>
  );
}
