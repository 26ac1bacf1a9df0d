import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { SelectOption } from '../../../components/field/select-options.tsx';
import { fieldError } from '../../../components/form/form.tsx';
import { CodeField, FaqField, NameField, OverviewField, SortOrderField } from './content-fields.tsx';
import { ContentForm, type FormFrame } from './content-form.tsx';
import type { SectionZodForm } from './form-types.ts';
import { periodOf } from './period-fields.tsx';

interface SectionFormProps extends FormFrame {
  isNew: boolean;
  form: SectionZodForm;
  faqs: readonly SelectOption[];
}

/** The fields of a section (SPEC §2.19). The overview has the spec's asterisk, though it may be left empty. */
export function SectionForm({ isNew, form, faqs, ...frame }: SectionFormProps) {
  const { t } = useTranslation();
  const { field: overview } = useController({ control: form.control, name: 'overview' });
  const sortOrder = form.register('sortOrder', { valueAsNumber: true });
  return (
    <ContentForm
      {...frame}
      isActive={form.register('isActive')}
      published={form.register('published')}
      period={periodOf(form)}
    >
      <FaqField options={faqs} error={fieldError(form, 'faqId')} className="field-wide" {...form.register('faqId')} />
      <NameField label={t('faqs.fields.sectionName')} error={fieldError(form, 'name')} {...form.register('name')} />
      <CodeField label={t('faqs.fields.sectionCode')} error={fieldError(form, 'code')} {...form.register('code')} />
      <OverviewField {...overview} error={fieldError(form, 'overview')} isMarked placeholder={t('faqs.enterAnswer')} />
      <SortOrderField isNew={isNew} error={fieldError(form, 'sortOrder')} {...sortOrder} />
    </ContentForm>
  );
}
