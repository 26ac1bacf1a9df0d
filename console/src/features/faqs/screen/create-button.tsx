import { faqRoutes } from '@apotheca/contract/faqs';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import { useRefusal } from '../../../rights/rights.tsx';

/** Opens the dialog for a new FAQ, section or question. */
export function CreateButton({ kind, onClick }: { kind: 'faq' | 'section' | 'question'; onClick: () => void }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  return (
    <Button icon={Plus} refusal={refusal(faqRoutes.create)} onClick={onClick}>
      {t(`faqs.create.${kind}`)}
    </Button>
  );
}
