import type { FormEventHandler, ReactNode } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { CheckboxField } from '../../../components/field/checkbox-field.tsx';
import { PeriodFields, type PeriodForm } from './period-fields.tsx';

/** What `ContentModal` gives to the form inside it. */
export interface FormFrame {
  id: string;
  /** A notice above the fields, such as about another user's change. */
  notice: ReactNode;
  onSubmit: FormEventHandler<HTMLFormElement>;
}

interface ContentFormProps extends FormFrame {
  isActive: UseFormRegisterReturn;
  published: UseFormRegisterReturn;
  period: PeriodForm;
  /** The fields above the period and the two checkboxes. */
  children: ReactNode;
}

/** The form of an FAQ, section or question: its fields, and the period and checkboxes that all three have. */
export function ContentForm({ id, notice, isActive, published, period, onSubmit, children }: ContentFormProps) {
  const { t } = useTranslation();
  return (
    <form id={id} noValidate onSubmit={onSubmit}>
      {notice}
      <div className="form-grid faq-fields">
        {children}
        <PeriodFields form={period} />
        <div className="faq-state">
          <CheckboxField label={t('faqs.fields.isActive')} {...isActive} />
          <CheckboxField label={t('faqs.fields.published')} {...published} />
        </div>
      </div>
    </form>
  );
}
