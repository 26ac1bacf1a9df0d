import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGetUserOptionsQuery } from '../api/users.ts';
import { NativeField } from '../components/field/native-field.tsx';
import { SelectField } from '../components/field/select-field.tsx';
import { useTypedBesideForm } from '../components/form/unapplied.ts';
import { utcDay } from '../lib/moment.ts';
import { LoadFailed } from '../operations/load-failed.tsx';
import { LoadingText } from '../operations/loading-text.tsx';
import type { FieldStep } from './use-bulk-steps.ts';

interface BulkFieldProps {
  formId: string;
  field: 'subscriptionEndDate' | 'roleId';
  step: FieldStep;
  onSubmit: (value: string) => void;
}

/** The field that an action needs: the same for all selected records. Each refusal takes the focus to it. */
export function BulkField({ formId, field, step, onSubmit }: BulkFieldProps) {
  const [value, setValue] = useState(step.value ?? '');
  const form = useRef<HTMLFormElement>(null);
  const { error } = step;
  useEffect(() => {
    if (step.error !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [step]);
  useTypedBesideForm(value !== '');
  function submit(event: FormEvent) {
    event.preventDefault();
    onSubmit(value);
  }
  return (
    <form id={formId} ref={form} onSubmit={submit} noValidate>
      {field === 'roleId' ? (
        <RoleField value={value} error={error} onChange={setValue} />
      ) : (
        <DayField value={value} error={error} onChange={setValue} />
      )}
    </form>
  );
}

interface FieldProps {
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

function DayField({ value, error, onChange }: FieldProps) {
  const { t } = useTranslation();
  const change = (event: { target: { value: string } }) => onChange(event.target.value);
  return (
    <NativeField
      type="date"
      min={utcDay()}
      label={t('bulks.fields.subscriptionEndDate')}
      required
      {...{ value, error }}
      onChange={change}
    />
  );
}

function RoleField({ value, error, onChange }: FieldProps) {
  const { t } = useTranslation();
  const { data, error: why, isFetching, refetch } = useGetUserOptionsQuery();
  if (!data && why) return <LoadFailed error={why} busy={isFetching} onRetry={refetch} />;
  if (!data) return <LoadingText>{t('roles.loading')}</LoadingText>;
  const options = data.roles.map(({ id, roleName }) => ({ value: id, label: roleName }));
  const change = (event: { target: { value: string } }) => onChange(event.target.value);
  return (
    <SelectField
      label={t('bulks.fields.roleId')}
      required
      emptyLabel={t('bulks.choose')}
      {...{ value, error, options }}
      onChange={change}
    />
  );
}
