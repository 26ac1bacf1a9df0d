import type { FormEventHandler, ReactNode } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { TextField } from '../../../components/field/text-field.tsx';
import { fieldError } from '../../../components/form/form.tsx';
import { RichTextField } from '../../../components/rich-text/rich-text-field.tsx';
import type { FaqZodForm } from './form-types.ts';
import { StateFields } from './state-fields.tsx';

interface FaqFormProps {
  id: string;
  form: FaqZodForm;
  /** What to know before going on, above the fields. */
  notice: ReactNode;
  onSubmit: FormEventHandler<HTMLFormElement>;
}

/** The fields of an FAQ (SPEC §2.19). */
export function FaqForm({ id, form, notice, onSubmit }: FaqFormProps) {
  const { t } = useTranslation();
  const { field: overview } = useController({ control: form.control, name: 'overview' });
  return (
    <form id={id} noValidate onSubmit={onSubmit}>
      {notice}
      <div className="form-grid faq-fields">
        <TextField
          label={t('faqs.fields.faqName')}
          error={fieldError(form, 'name')}
          required
          autoComplete="off"
          {...form.register('name')}
        />
        <TextField
          label={t('faqs.fields.faqCode')}
          error={fieldError(form, 'code')}
          required
          autoComplete="off"
          className="field-code"
          {...form.register('code')}
        />
        <RichTextField
          {...overview}
          label={t('faqs.fields.overview')}
          error={fieldError(form, 'overview')}
          className="field-wide"
          value={overview.value ?? ''}
        />
        <StateFields isActive={form.register('isActive')} published={form.register('published')} />
      </div>
    </form>
  );
}
