import {
  BACKUP_FREQUENCIES,
  type BackupSchedule,
  type BackupScheduleForm,
  type backupScheduleForm,
} from '@apotheca/contract/backup-schedules';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { NumberField } from '../components/field/number-field.tsx';
import { SelectField } from '../components/field/select-field.tsx';
import { fieldError, type ZodForm } from '../components/form/form.tsx';
import { HOUR_OPTIONS } from '../lib/hour-options.ts';
import { frequencyText, weekdayOptions } from './schedule-words.ts';
import { useFieldsOf } from './use-fields-set-back.ts';

export type ScheduleInput = z.input<typeof backupScheduleForm>;
export type ScheduleZodForm = ZodForm<ScheduleInput, BackupScheduleForm>;

const COUNTS = ['keepHourly', 'keepDaily', 'keepWeekly', 'keepMonthly'] as const;

/** The fields of each frequency. No count is finer than the schedule itself. */
const FIELDS_OF: Partial<Record<string, readonly ('hour' | 'weekday' | (typeof COUNTS)[number])[]>> = {
  default: [],
  off: [],
  hourly: COUNTS,
  daily: ['hour', ...COUNTS.slice(1)],
  weekly: ['hour', 'weekday', ...COUNTS.slice(2)],
};

/** The fields of a backup schedule: only those that count for the chosen frequency. */
export function BackupScheduleFields({ form, found }: { form: ScheduleZodForm; found: BackupSchedule }) {
  const { t } = useTranslation();
  const shown = useFieldsOf(form, FIELDS_OF, form.watch('frequency'));
  const frequencies = found.databaseName === null ? BACKUP_FREQUENCIES : (['default', ...BACKUP_FREQUENCIES] as const);
  const zone = found.state?.timezoneId;
  const field = (name: keyof ScheduleInput) => ({
    label: t(`backupSchedule.fields.${name}`),
    error: fieldError(form, name),
    ...form.register(name, { valueAsNumber: name !== 'frequency' }),
  });
  return (
    <div className="form-grid">
      <SelectField
        {...field('frequency')}
        options={frequencies.map((value) => ({
          value,
          label: frequencyText(t, value, found.defaultSchedule.frequency),
        }))}
      />
      {shown.includes('hour') && (
        <SelectField
          {...field('hour')}
          options={HOUR_OPTIONS}
          hint={zone ? t('backupSchedule.hints.hour', { zone }) : t('backupSchedule.hints.tenantHour')}
        />
      )}
      {shown.includes('weekday') && <SelectField {...field('weekday')} options={weekdayOptions(t)} />}
      {COUNTS.filter((name) => shown.includes(name)).map((name, index) => (
        <NumberField key={name} {...field(name)} hint={index === 0 ? t('backupSchedule.hints.keep') : undefined} />
      ))}
    </div>
  );
}
