import { ALERT_MODES, type Alerts, type AlertsForm, alertsForm } from '@apotheca/contract/alerts';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useEditAlertsMutation, useGetAlertsQuery } from '../../api/webhooks.ts';
import { Button } from '../../components/button/button.tsx';
import { Card } from '../../components/display/card.tsx';
import { SelectField } from '../../components/field/select-field.tsx';
import { fieldError, useZodForm, type ZodForm } from '../../components/form/form.tsx';
import { FormPlaceholder } from '../../components/form/form-placeholder.tsx';
import { FailureNotice } from '../../components/notice/failure-notice.tsx';
import { useBegun } from '../../forms/use-begun.ts';
import { useFieldsOf } from '../../forms/use-fields-set-back.ts';
import { useSaveRecord } from '../../forms/use-save-record.ts';
import { HOUR_OPTIONS } from '../../lib/hour-options.ts';
import { browserZone } from '../../lib/moment.ts';
import { EventChoice } from './event-choice.tsx';

type AlertsInput = z.input<typeof alertsForm>;

/** The fields of each mode, beside those of all. */
const FIELDS_OF: Partial<Record<string, readonly ('hour' | 'timezoneId')[]>> = {
  'at-once': [],
  daily: ['hour', 'timezoneId'],
};

/** Of what the signed-in person is told by mail (DECISIONS §13). */
export function AlertsCard() {
  const { t } = useTranslation();
  const { data, isError, isFetching, refetch } = useGetAlertsQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <Card title={t('alerts.title')}>
      {data ? (
        <AlertsFormView alerts={data} />
      ) : (
        <FormPlaceholder
          loadingText={t('alerts.loading')}
          isError={isError && !isFetching}
          onRetry={refetch}
          failedText={t('alerts.failed')}
        />
      )}
    </Card>
  );
}

function AlertsFormView({ alerts }: { alerts: Alerts }) {
  const { t } = useTranslation();
  const { begun, followUnless } = useBegun(alerts, valuesOf);
  const form = useZodForm<AlertsInput, AlertsForm>(alertsForm, { values: valuesOf(begun), draft: 'alerts' });
  followUnless(form.formState.isDirty);
  const [edit] = useEditAlertsMutation();
  const { save, isSaving, failure } = useSaveRecord({
    form,
    isNew: false,
    send: (fields: AlertsForm) => edit(fields),
    onSaved: () => {},
  });
  const isDaily = form.watch('mode') === 'daily';
  const modes = ALERT_MODES.map((mode) => ({ value: mode, label: t(`alerts.modes.${mode}`) }));
  return (
    <form className="account-form" noValidate onSubmit={form.handleSubmit(save)}>
      <p className="text-muted">{t(wordsFor(alerts), { email: alerts.email })}</p>
      {failure && <FailureNotice failure={failure} retry={{ type: 'submit' }} />}
      <EventChoice
        field={form.register('eventTypes')}
        error={fieldError(form, 'eventTypes')}
        offered={alerts.offered}
      />
      <SelectField
        {...form.register('mode')}
        label={t('alerts.fields.mode')}
        error={fieldError(form, 'mode')}
        options={modes}
        hint={isDaily ? undefined : t('alerts.pause')}
      />
      <DailyFields form={form} zones={zonesOf(begun)} />
      <div>
        <Button type="submit" loading={isSaving}>
          {t('alerts.save')}
        </Button>
      </div>
    </form>
  );
}

/**
 * When daily mails are sent, and in which time zone, where there is a choice. Set back within the form's child, and so before a draft
 * fills the form.
 */
function DailyFields({ form, zones }: { form: ZodForm<AlertsInput, AlertsForm>; zones: ReturnType<typeof zonesOf> }) {
  const { t } = useTranslation();
  const shown = useFieldsOf(form, FIELDS_OF, form.watch('mode'));
  const hasChoice = zones.length > 1;
  return (
    <>
      {shown.includes('hour') && (
        <SelectField
          {...form.register('hour', { valueAsNumber: true })}
          label={t('alerts.fields.hour')}
          error={fieldError(form, 'hour')}
          options={HOUR_OPTIONS}
          hint={hasChoice ? undefined : t('alerts.zone', { zone: zones[0] })}
        />
      )}
      {shown.includes('timezoneId') && hasChoice && (
        <SelectField
          {...form.register('timezoneId')}
          label={t('alerts.fields.timezoneId')}
          error={fieldError(form, 'timezoneId')}
          options={zones.map((zone) => ({ value: zone, label: zone }))}
          hint={t('alerts.zoneHere', { zone: browserZone() })}
        />
      )}
    </>
  );
}

/** Why nothing is mailed yet, or to where. */
function wordsFor({ mailsAreSent, email }: Alerts) {
  if (!mailsAreSent) return 'alerts.noMails';
  return email === '' ? 'alerts.noAddress' : 'alerts.what';
}

/**
 * The time zones that may count, first the one that does now: daily mails keep theirs until the person chooses another one,
 * also while they travel. Before that it is the browser's.
 */
const zonesOf = ({ mode, timezoneId }: Alerts): [string, ...string[]] =>
  mode === 'daily' && timezoneId !== browserZone() ? [timezoneId, browserZone()] : [browserZone()];

const valuesOf = (alerts: Alerts): AlertsInput => ({
  eventTypes: alerts.eventTypes,
  mode: alerts.mode,
  hour: alerts.hour,
  timezoneId: zonesOf(alerts)[0],
});
