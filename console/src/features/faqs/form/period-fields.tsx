import type { Period } from '@apotheca/contract/faq-content';
import { type FieldValues, useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { NativeField } from '../../../components/field/native-field.tsx';
import { fieldError, type ZodForm } from '../../../components/form/form.tsx';
import { localField, offsetOf } from '../../../lib/moment.ts';

/** The forms that have a period. */
export type PeriodForm = ZodForm<Period, unknown>;

/** A form that has a period, known by that only. */
export const periodOf = <Input extends FieldValues & Period, Output>(form: ZodForm<Input, Output>): PeriodForm =>
  form as unknown as PeriodForm;

/** When readers see an FAQ, section or question. Its moments are UTC; the fields show them in the browser's time zone. */
export function PeriodFields({ form }: { form: PeriodForm }) {
  return (
    <>
      <MomentField form={form} name="publishAtUtc" />
      <MomentField form={form} name="publishUntilUtc" />
    </>
  );
}

function MomentField({ form, name }: { form: PeriodForm; name: keyof Period }) {
  const { t } = useTranslation();
  const { field } = useController({ control: form.control, name });
  const moment = readMoment(field.value);
  return (
    <NativeField
      {...field}
      type="datetime-local"
      label={t(name === 'publishAtUtc' ? 'faqs.fields.publishAt' : 'faqs.fields.publishUntil')}
      hint={t('faqs.hints.zone', { zone: offsetOf(moment ?? new Date()) })}
      error={fieldError(form, name)}
      // A year of four digits: browsers offer six.
      max="9999-12-31T23:59"
      value={moment ? localField(moment) : (field.value ?? '')}
      // What is no moment stays as it is: the schema refuses it.
      onChange={({ target: { value } }) => field.onChange(readMoment(value)?.toISOString() ?? (value || null))}
    />
  );
}

function readMoment(value: string | null): Date | undefined {
  const moment = new Date(value ?? '');
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}
