import { type BackupScheduleForm, backupScheduleForm } from '@apotheca/contract/backup-schedules';
import type { TFunction } from 'i18next';
import type { SelectOption } from '../components/field/select-options.tsx';
import { HOUR_OPTIONS } from '../lib/hour-options.ts';

type Frequency = BackupScheduleForm['frequency'];

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;

/** The days of a week, for a choice. */
export const weekdayOptions = (t: TFunction): SelectOption[] =>
  WEEKDAYS.map((day) => ({ value: String(day), label: t(`backupSchedule.weekdays.${day}`) }));

/** 'As the default: Daily' */
export function frequencyText(t: TFunction, frequency: Frequency, byDefault: Frequency): string {
  return frequency === 'default'
    ? t('backupSchedule.frequencies.default', { what: t(`backupSchedule.frequencies.${byDefault}`, { what: '' }) })
    : t(`backupSchedule.frequencies.${frequency}`);
}

/**
 * A value of a schedule as its select shows it.
 * @param byDefault how often, where the default counts
 * @returns undefined of a field without a select
 */
export function scheduleWords(t: TFunction, field: string, value: unknown, byDefault: Frequency = 'off') {
  if (field === 'hour') return labelOf(HOUR_OPTIONS, value);
  if (field === 'weekday') return labelOf(weekdayOptions(t), value);
  const frequency = field === 'frequency' ? backupScheduleForm.shape.frequency.safeParse(value).data : undefined;
  return frequency && frequencyText(t, frequency, byDefault);
}

const labelOf = (options: readonly SelectOption[], value: unknown) =>
  options.find((option) => option.value === String(value))?.label;
