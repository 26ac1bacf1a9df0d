import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { fieldError } from '../../../components/form/form.tsx';
import { CodeField, NameField, OverviewField } from './content-fields.tsx';
import { ContentForm, type FormFrame } from './content-form.tsx';
import type { FaqZodForm } from './form-types.ts';

/** The fields of an FAQ (SPEC §2.19). */
export function FaqForm({ form, ...frame }: FormFrame & { form: FaqZodForm }) {
  const { t } = useTranslation();
  const { field: overview } = useController({ control: form.control, name: 'overview' });
  return (
    <ContentForm {...frame} isActive={form.register('isActive')} published={form.register('published')}>
      <NameField label={t('faqs.fields.faqName')} error={fieldError(form, 'name')} {...form.register('name')} />
      <CodeField label={t('faqs.fields.faqCode')} error={fieldError(form, 'code')} {...form.register('code')} />
      <OverviewField {...overview} error={fieldError(form, 'overview')} />
    </ContentForm>
  );
}
