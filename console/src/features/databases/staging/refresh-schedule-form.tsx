import {
  type AnonymizedClone,
  anonymizedCloneRoutes,
  REFRESH_FREQUENCIES,
  refreshScheduleForm,
} from '@apotheca/contract/anonymized-clones';
import { databaseRoutes } from '@apotheca/contract/databases';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSetRefreshScheduleMutation } from '../../../api/anonymized-clones.ts';
import { Button } from '../../../components/button/button.tsx';
import { SelectField } from '../../../components/field/select-field.tsx';
import { fieldError, useZodForm } from '../../../components/form/form.tsx';
import { ReadOnlyForm } from '../../../components/form/read-only.tsx';
import { FailureNotice } from '../../../components/notice/failure-notice.tsx';
import { scheduleWords, weekdayOptions } from '../../../forms/schedule-words.ts';
import { KEEP_TYPED, useBegun } from '../../../forms/use-begun.ts';
import { useFieldsOf } from '../../../forms/use-fields-set-back.ts';
import { useSaveRecord } from '../../../forms/use-save-record.ts';
import { useStaleEdit } from '../../../forms/use-stale-edit.tsx';
import { HOUR_OPTIONS } from '../../../lib/hour-options.ts';
import { useRefusal } from '../../../rights/rights.tsx';

type Field = keyof typeof refreshScheduleForm.shape;

/** The fields of each frequency. */
const FIELDS_OF: Partial<Record<string, readonly Field[]>> = { off: [], daily: ['hour'], weekly: ['hour', 'weekday'] };

interface RefreshScheduleFormProps {
  found: AnonymizedClone;
  onDirty: (isDirty: boolean) => void;
}

/** When an anonymized clone is refreshed by itself. */
export function RefreshScheduleForm({ found, onDirty }: RefreshScheduleFormProps) {
  const { t } = useTranslation();
  const [send] = useSetRefreshScheduleMutation();
  // An anonymized clone is a clone too.
  const refusal = useRefusal()(anonymizedCloneRoutes.set, databaseRoutes.copy);
  const { begun, followUnless, follow } = useBegun(found);
  const form = useZodForm(refreshScheduleForm, { ...KEEP_TYPED, values: begun.schedule, draft: null });
  const { isDirty } = form.formState;
  useEffect(() => onDirty(isDirty), [onDirty, isDirty]);
  followUnless(isDirty);
  const stale = useStaleEdit({
    form,
    version: begun.version,
    labelOf: (name) => (isField(name) ? t(`backupSchedule.fields.${name}`) : name),
    wordsOf: (name, value) => scheduleWords(t, name, value),
  });
  const { save, isSaving, failure } = useSaveRecord({
    form,
    isNew: false,
    stale,
    send: (fields, { by, version }) =>
      send({ query: { databaseName: found.databaseName }, body: { ...fields, version, updatedBy: by } }),
    follow,
    onSaved: () => {},
  });
  const shown = useFieldsOf(form, FIELDS_OF, form.watch('frequency'));
  const field = (name: Field) => ({
    label: t(`backupSchedule.fields.${name}`),
    error: fieldError(form, name),
    ...form.register(name, { valueAsNumber: name !== 'frequency' }),
  });
  return (
    <form className="manage-stack" noValidate onSubmit={form.handleSubmit(save)}>
      {stale.notice}
      {failure && <FailureNotice failure={failure} retry={{ type: 'submit' }} />}
      <ReadOnlyForm refusal={refusal}>
        <div className="form-grid">
          <SelectField
            {...field('frequency')}
            options={REFRESH_FREQUENCIES.map((value) => ({ value, label: t(`backupSchedule.frequencies.${value}`) }))}
          />
          {shown.includes('hour') && (
            <SelectField
              {...field('hour')}
              options={HOUR_OPTIONS}
              hint={t('backupSchedule.hints.hour', { zone: found.timezoneId })}
            />
          )}
          {shown.includes('weekday') && <SelectField {...field('weekday')} options={weekdayOptions(t)} />}
        </div>
      </ReadOnlyForm>
      <div>
        <Button type="submit" variant="secondary" loading={isSaving} refusal={refusal}>
          {t('backupSchedule.save')}
        </Button>
      </div>
    </form>
  );
}

const isField = (name: string): name is Field => Object.hasOwn(refreshScheduleForm.shape, name);
