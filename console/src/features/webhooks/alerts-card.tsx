import { ALERT_MODES, type Alerts, type AlertsForm, alertsForm } from '@apotheca/contract/alerts';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useEditAlertsMutation, useGetAlertsQuery } from '../../api/webhooks.ts';
import { Button } from '../../components/button/button.tsx';
import { Card } from '../../components/display/card.tsx';
import { SelectField } from '../../components/field/select-field.tsx';
import { fieldError, useZodForm } from '../../components/form/form.tsx';
import { FormPlaceholder } from '../../components/form/form-placeholder.tsx';
import { FailureNotice } from '../../components/notice/failure-notice.tsx';
import { useBegun } from '../../forms/use-begun.ts';
import { useSaveRecord } from '../../forms/use-save-record.ts';
import { HOUR_OPTIONS } from '../../lib/hour-options.ts';
import { browserZone } from '../../lib/moment.ts';
import { EventChoice } from './event-choice.tsx';

/** The values of a select are texts. */
const cardForm = alertsForm.extend({ hour: z.string().transform(Number).pipe(alertsForm.shape.hour) });
type CardInput = z.input<typeof cardForm>;

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
  const values = valuesOf(begun);
  const form = useZodForm<CardInput, AlertsForm>(cardForm, { values, draft: 'alerts' });
  followUnless(form.formState.isDirty);
  const [edit] = useEditAlertsMutation();
  const { save, isSaving, failure } = useSaveRecord({
    form,
    isNew: false,
    send: (fields: AlertsForm) => edit(fields),
    onSaved: () => {},
  });
  const isDaily = form.watch('mode') === 'daily';
  const zones = zonesOf(begun).map((zone) => ({ value: zone, label: zone }));
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
      {isDaily && (
        <SelectField
          {...form.register('hour')}
          label={t('alerts.fields.hour')}
          error={fieldError(form, 'hour')}
          options={HOUR_OPTIONS}
          hint={zones.length > 1 ? undefined : t('alerts.zone', { zone: values.timezoneId })}
        />
      )}
      {isDaily && zones.length > 1 && (
        <SelectField
          {...form.register('timezoneId')}
          label={t('alerts.fields.timezoneId')}
          error={fieldError(form, 'timezoneId')}
          options={zones}
          hint={t('alerts.zoneHere', { zone: browserZone() })}
        />
      )}
      <div>
        <Button type="submit" loading={isSaving}>
          {t('alerts.save')}
        </Button>
      </div>
    </form>
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

const valuesOf = (alerts: Alerts): CardInput => ({
  eventTypes: alerts.eventTypes,
  mode: alerts.mode,
  hour: String(alerts.hour),
  timezoneId: zonesOf(alerts)[0],
});
