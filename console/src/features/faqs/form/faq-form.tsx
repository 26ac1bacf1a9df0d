import type { Faq } from '@apotheca/contract/faqs';
import { PERMISSION_MODULES } from '@apotheca/contract/permissions';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SelectField } from '../../../components/field/select-field.tsx';
import { fieldError } from '../../../components/form/form.tsx';
import { CodeField, NameField, OverviewField } from './content-fields.tsx';
import { ContentForm, type FormFrame } from './content-form.tsx';
import type { FaqZodForm } from './form-types.ts';
import { periodOf } from './period-fields.tsx';
import { PublicAddress } from './public-address.tsx';

const MODULES = PERMISSION_MODULES.map((module) => ({ value: module, label: module }));

function ModuleField({ form }: { form: FaqZodForm }) {
  const { t } = useTranslation();
  const { field } = useController({ control: form.control, name: 'module' });
  return (
    <SelectField
      {...field}
      label={t('faqs.fields.module')}
      hint={t('faqs.hints.module')}
      error={fieldError(form, 'module')}
      emptyLabel={t('faqs.everybody')}
      options={MODULES}
      value={field.value ?? ''}
      onChange={({ target }) => field.onChange(target.value === '' ? null : target.value)}
      className="field-wide"
    />
  );
}

/** The fields of an FAQ (SPEC §2.19). */
export function FaqForm({ form, faq, ...frame }: FormFrame & { form: FaqZodForm; faq: Faq | undefined }) {
  const { t } = useTranslation();
  const { field: overview } = useController({ control: form.control, name: 'overview' });
  return (
    <ContentForm
      {...frame}
      isActive={form.register('isActive')}
      published={form.register('published')}
      period={periodOf(form)}
    >
      <NameField label={t('faqs.fields.faqName')} error={fieldError(form, 'name')} {...form.register('name')} />
      <CodeField label={t('faqs.fields.faqCode')} error={fieldError(form, 'code')} {...form.register('code')} />
      {faq && <PublicAddress faq={faq} />}
      <ModuleField form={form} />
      <OverviewField {...overview} error={fieldError(form, 'overview')} />
    </ContentForm>
  );
}
