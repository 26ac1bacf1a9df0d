import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';

/** Opens the dialog for a new FAQ, section or question. */
export function CreateButton({ kind, onClick }: { kind: 'faq' | 'section' | 'question'; onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <Button icon={Plus} onClick={onClick}>
      {t(`faqs.create.${kind}`)}
    </Button>
  );
}
