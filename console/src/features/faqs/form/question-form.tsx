import type { FormEventHandler, ReactNode } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { SelectOption } from '../../../components/field/select.tsx';
import { SelectField } from '../../../components/field/select-field.tsx';
import { TextAreaField } from '../../../components/field/text-area-field.tsx';
import { TextField } from '../../../components/field/text-field.tsx';
import { fieldError } from '../../../components/form/form.tsx';
import { RichTextField } from '../../../components/rich-text/rich-text-field.tsx';
import type { QuestionZodForm } from './form-types.ts';
import { StateFields } from './state-fields.tsx';

interface QuestionFormProps {
  id: string;
  isNew: boolean;
  form: QuestionZodForm;
  faqs: readonly SelectOption[];
  /** Those of the chosen FAQ; undefined while they are loaded. */
  sections: readonly SelectOption[] | undefined;
  /** What to know before going on, above the fields. */
  notice: ReactNode;
  onSubmit: FormEventHandler<HTMLFormElement>;
}

/** The fields of a question (SPEC §2.19). */
export function QuestionForm({ id, isNew, form, faqs, sections, notice, onSubmit }: QuestionFormProps) {
  const { t } = useTranslation();
  const { field: answer } = useController({ control: form.control, name: 'answer' });
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
          {...form.register('faqId', { onChange: () => form.setValue('sectionId', '', { shouldDirty: true }) })}
        />
        <SectionSelect form={form} sections={sections} />
        <TextAreaField
          label={t('faqs.fields.question')}
          error={fieldError(form, 'question')}
          required
          rows={2}
          className="field-wide"
          {...form.register('question')}
        />
        <RichTextField
          {...answer}
          label={t('faqs.fields.answer')}
          error={fieldError(form, 'answer')}
          required
          className="field-wide"
          placeholder={t('faqs.enterAnswer')}
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

/** Controlled: a native select keeps no value whose option is still to be loaded. */
function SectionSelect({ form, sections }: Pick<QuestionFormProps, 'form' | 'sections'>) {
  const { t } = useTranslation();
  const { field } = useController({ control: form.control, name: 'sectionId' });
  return (
    <SelectField
      {...field}
      label={t('faqs.fields.section')}
      error={fieldError(form, 'sectionId')}
      required
      emptyLabel={t('faqs.selectSection')}
      options={sections ?? []}
      hint={sections === undefined ? t('faqs.loadingSections') : undefined}
    />
  );
}
