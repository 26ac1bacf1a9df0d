import type { UseFormRegisterReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { CheckboxField } from '../../../components/field/checkbox-field.tsx';

interface StateFieldsProps {
  isActive: UseFormRegisterReturn;
  published: UseFormRegisterReturn;
}

/** The two ticks that FAQs, sections and questions have. */
export function StateFields({ isActive, published }: StateFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className="faq-state">
      <CheckboxField label={t('faqs.fields.isActive')} {...isActive} />
      <CheckboxField label={t('faqs.fields.published')} {...published} />
    </div>
  );
}
