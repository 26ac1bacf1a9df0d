import type { ContractRoute } from '@apotheca/contract/route';
import { FileUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../components/button/button.tsx';
import { useRefusal } from '../rights/rights.tsx';

/** Opens the dialog that imports a CSV file. @param call the call that imports it */
export function ImportButton({ call, onClick }: { call: ContractRoute; onClick: () => void }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  return (
    <Button variant="secondary" icon={FileUp} refusal={refusal(call)} onClick={onClick}>
      {t('imports.open')}
    </Button>
  );
}
