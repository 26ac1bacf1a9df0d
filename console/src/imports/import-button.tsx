import { FileUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../components/button/button.tsx';

/** Opens the dialog that imports a CSV file. */
export function ImportButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <Button variant="secondary" icon={FileUp} onClick={onClick}>
      {t('imports.open')}
    </Button>
  );
}
