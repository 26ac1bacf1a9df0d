import type { FormEventHandler, ReactNode } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { SelectOption } from '../../../components/field/select.tsx';
import { SelectField } from '../../../components/field/select-field.tsx';
import { TextField } from '../../../components/field/text-field.tsx';
import { fieldError } from '../../../components/form/form.tsx';
import { RichTextField } from '../../../components/rich-text/rich-text-field.tsx';
import type { SectionZodForm } from './form-types.ts';
import { StateFields } from './state-fields.tsx';

interface SectionFormProps {
  id: string;
  isNew: boolean;
  form: SectionZodForm;
  faqs: readonly SelectOption[];
  /** What to know before going on, above the fields. */
  notice: ReactNode;
  onSubmit: FormEventHandler<HTMLFormElement>;
}

/** The fields of a section (SPEC §2.19). The overview has the spec's asterisk, though it may be left empty. */
export function SectionForm({ id, isNew, form, faqs, notice, onSubmit }: SectionFormProps) {
  const { t } = useTranslation();
  const { field: overview } = useController({ control: form.control, name: 'overview' });
  return (
    <form id={id} noValidate onSubmit={onSubmit}>
      {notice}
      <div className="form-grid faq-fields">
        <SelectField
          label={t('faqs.fields.faq')}
          error={fieldError(form, 'faqId')}
          required
          emptyLabel={t('faqs.selectFaq')}
          options={faqs}
          className="field-wide"
          {...form.register('faqId')}
        />
        <TextField
          label={t('faqs.fields.sectionName')}
          error={fieldError(form, 'name')}
          required
          autoComplete="off"
          {...form.register('name')}
        />
        <TextField
          label={t('faqs.fields.sectionCode')}
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
          isMarked
          className="field-wide"
          placeholder={t('faqs.enterAnswer')}
          value={overview.value ?? ''}
        />
        <TextField
          label={t('faqs.fields.sortOrder')}
          error={fieldError(form, 'sortOrder')}
          required
          type="number"
          min={0}
          hint={isNew ? t('faqs.hints.sortOrder') : undefined}
          {...form.register('sortOrder', { valueAsNumber: true })}
        />
        <StateFields isActive={form.register('isActive')} published={form.register('published')} />
      </div>
    </form>
  );
}
