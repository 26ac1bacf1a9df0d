import { type Finding, type FindingRecord, snoozeForm } from '@apotheca/contract/findings';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListFindingRecordsQuery, useSnoozeFindingsMutation, useWakeFindingMutation } from '../../api/findings.ts';
import { showError } from '../../api/http/answer-errors.ts';
import { Button } from '../../components/button/button.tsx';
import { DialogButtons } from '../../components/dialog/dialog-buttons.tsx';
import { Modal } from '../../components/dialog/modal.tsx';
import { Checkbox } from '../../components/field/checkbox.tsx';
import { TextField } from '../../components/field/text-field.tsx';
import { fieldError, useZodForm } from '../../components/form/form.tsx';
import { notify } from '../../components/toast/toast.tsx';
import { useFailure } from '../../forms/use-failure.ts';
import { addDays } from '../../lib/expiry.ts';
import { utcDay } from '../../lib/moment.ts';
import { useOneAtATime } from '../../lib/use-one-at-a-time.ts';
import { messageText } from '../../locales/messages.ts';
import { LoadFailed } from '../../operations/load-failed.tsx';
import { LoadingText } from '../../operations/loading-text.tsx';

/** A week: long enough to matter, short enough that it is not forgotten. */
const PROPOSED_DAYS = 7;

interface SnoozeModalProps {
  show: boolean;
  kind: Finding['kind'];
  onClose: () => void;
}

/** Leaves records of a finding out of the dashboard until a day, with a reason, and brings those back that are left out. */
export function SnoozeModal({ show, kind, onClose }: SnoozeModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const { data, error, isFetching, refetch } = useListFindingRecordsQuery(
    { kind },
    { refetchOnMountOrArgChange: true },
  );
  const shown = data?.filter((record) => record.snooze === null) ?? [];
  const snoozed = data?.filter((record) => record.snooze !== null) ?? [];
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = shown.filter(({ id }) => !left.has(id));
  // Days are counted in UTC, as the server does.
  const today = utcDay();
  const form = useZodForm(snoozeForm, { defaultValues: { until: addDays(today, PROPOSED_DAYS), reason: '' } });
  const { failure, fail, clear } = useFailure(form);
  const [snooze] = useSnoozeFindingsMutation();
  const { run, isBusy } = useOneAtATime();
  const submit = form.handleSubmit(async (fields) => {
    clear();
    const outcome = await run(() => snooze({ ...fields, kind, ids: chosen.map(({ id }) => id) }));
    if (outcome?.error) return fail(outcome.error);
    if (!outcome?.data) return;
    notify.success(outcome.data.message);
    onClose();
  });
  function choose(id: string, isChosen: boolean) {
    const next = new Set(left);
    if (isChosen) next.delete(id);
    else next.add(id);
    setLeft(next);
  }
  return (
    <Modal
      show={show}
      title={t('dashboard.snooze.title')}
      subtitle={t(`dashboard.findings.kinds.${kind}`, { count: data?.length ?? 0 })}
      busy={isBusy}
      failure={failure}
      retry={{ type: 'submit', form: formId }}
      dirty={form.formState.isDirty}
      onClose={onClose}
      footer={
        <DialogButtons isBusy={isBusy}>
          {shown.length > 0 && (
            <Button type="submit" form={formId} loading={isBusy} disabled={chosen.length === 0}>
              {t('dashboard.snooze.submit', { count: chosen.length })}
            </Button>
          )}
        </DialogButtons>
      }
    >
      {error && <LoadFailed error={error} busy={isFetching} onRetry={refetch} />}
      {!data && !error && <LoadingText>{t('dashboard.findings.loading')}</LoadingText>}
      {shown.length > 0 && (
        <form id={formId} className="snooze-form" onSubmit={submit} noValidate>
          <p>{t('dashboard.snooze.what')}</p>
          <TextField
            type="date"
            label={t('dashboard.snooze.until')}
            required
            error={fieldError(form, 'until')}
            {...form.register('until')}
          />
          <TextField
            label={t('dashboard.snooze.reason')}
            required
            error={fieldError(form, 'reason')}
            {...form.register('reason')}
          />
          <fieldset className="snooze-records">
            <legend>{t('dashboard.snooze.records')}</legend>
            {shown.map(({ id, name, detail }) => (
              <Checkbox
                key={id}
                label={detail === '' ? name : `${name}: ${messageText(detail)}`}
                checked={!left.has(id)}
                onChange={(event) => choose(id, event.target.checked)}
              />
            ))}
          </fieldset>
        </form>
      )}
      {snoozed.length > 0 && <SnoozedRecords kind={kind} records={snoozed} />}
    </Modal>
  );
}

function SnoozedRecords({ kind, records }: { kind: Finding['kind']; records: readonly FindingRecord[] }) {
  const { t } = useTranslation();
  const [wake] = useWakeFindingMutation();
  const { run, isBusy } = useOneAtATime();
  async function end(id: string) {
    const outcome = await run(() => wake({ kind, id }));
    if (outcome?.error) showError(outcome.error);
    else if (outcome?.data) notify.success(outcome.data.message);
  }
  return (
    <section aria-labelledby="snoozed-records">
      <h3 id="snoozed-records">{t('dashboard.snooze.left')}</h3>
      <ul className="snoozed-records">
        {records.map(({ id, name, snooze }) => (
          <li key={id}>
            <b>{name}</b>
            <span>{t('dashboard.snooze.why', { ...snooze })}</span>
            <Button
              variant="secondary"
              size="small"
              disabled={isBusy}
              aria-label={`${t('dashboard.snooze.wake')}: ${name}`}
              onClick={() => void end(id)}
            >
              {t('dashboard.snooze.wake')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
