import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { NumberField } from '../../../components/field/number-field.tsx';
import { SelectField, type SelectFieldProps } from '../../../components/field/select-field.tsx';
import { TextField, type TextFieldProps } from '../../../components/field/text-field.tsx';
import { RichTextField } from '../../../components/rich-text/rich-text-field.tsx';
import { useUploadPicture } from './use-upload-picture.ts';

/** Chooses the FAQ that a section or question belongs to. */
export function FaqField(props: Omit<SelectFieldProps, 'label'>) {
  const { t } = useTranslation();
  return <SelectField {...props} label={t('faqs.fields.faq')} required emptyLabel={t('faqs.selectFaq')} />;
}

/** The name of an FAQ or section. */
export function NameField(props: TextFieldProps) {
  return <TextField {...props} required autoComplete="off" />;
}

/** The code of an FAQ or section. */
export function CodeField(props: TextFieldProps) {
  return <TextField {...props} required autoComplete="off" className="field-code" />;
}

interface OverviewFieldProps extends Omit<ComponentProps<typeof RichTextField>, 'label' | 'value' | 'className'> {
  value: string | null | undefined;
}

/** The overview of an FAQ or section. */
export function OverviewField({ value, ...rest }: OverviewFieldProps) {
  const { t } = useTranslation();
  const text = { label: t('faqs.fields.overview'), value: value ?? '', uploadPicture: useUploadPicture() };
  return <RichTextField {...rest} {...text} className="field-wide" />;
}

/** The place of a section or question among its neighbours. */
export function SortOrderField({ isNew, ...rest }: Omit<TextFieldProps, 'label'> & { isNew: boolean }) {
  const { t } = useTranslation();
  const hint = isNew ? t('faqs.hints.sortOrder') : undefined;
  return <NumberField {...rest} label={t('faqs.fields.sortOrder')} required hint={hint} />;
}
