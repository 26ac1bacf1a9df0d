import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SelectField } from '../../../components/field/select-field.tsx';
import type { SelectOption } from '../../../components/field/select-options.tsx';
import { TextAreaField } from '../../../components/field/text-area-field.tsx';
import { fieldError } from '../../../components/form/form.tsx';
import { RichTextField } from '../../../components/rich-text/rich-text-field.tsx';
import { FaqField, SortOrderField } from './content-fields.tsx';
import { ContentForm, type FormFrame } from './content-form.tsx';
import type { QuestionZodForm } from './form-types.ts';
import { periodOf } from './period-fields.tsx';
import { useUploadPicture } from './use-upload-picture.ts';

interface QuestionFormProps extends FormFrame {
  isNew: boolean;
  form: QuestionZodForm;
  faqs: readonly SelectOption[];
  /** The sections of the chosen FAQ; undefined while they are loaded. */
  sections: readonly SelectOption[] | undefined;
}

/** The fields of a question (SPEC §2.19). */
export function QuestionForm({ isNew, form, faqs, sections, ...frame }: QuestionFormProps) {
  const { t } = useTranslation();
  const { field: answer } = useController({ control: form.control, name: 'answer' });
  const uploadPicture = useUploadPicture();
  const clearSection = () => form.setValue('sectionId', '', { shouldDirty: true });
  const sortOrder = form.register('sortOrder', { valueAsNumber: true });
  return (
    <ContentForm
      {...frame}
      isActive={form.register('isActive')}
      published={form.register('published')}
      period={periodOf(form)}
    >
      <FaqField
        options={faqs}
        error={fieldError(form, 'faqId')}
        {...form.register('faqId', { onChange: clearSection })}
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
        uploadPicture={uploadPicture}
      />
      <SortOrderField isNew={isNew} error={fieldError(form, 'sortOrder')} {...sortOrder} />
    </ContentForm>
  );
}

/** Controlled, as a native select drops a value whose option is not loaded yet. */
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
