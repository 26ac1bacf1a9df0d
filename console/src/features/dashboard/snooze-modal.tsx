import { type Finding, type FindingRecord, snoozeForm } from '@apotheca/contract/findings';
import { CircleCheck } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListFindingRecordsQuery, useSnoozeFindingsMutation, useWakeFindingMutation } from '../../api/findings.ts';
import { showError } from '../../api/http/answer-errors.ts';
import { Button } from '../../components/button/button.tsx';
import { DialogButtons } from '../../components/dialog/dialog-buttons.tsx';
import { Modal } from '../../components/dialog/modal.tsx';
import { Checkbox } from '../../components/field/checkbox.tsx';
import { NativeField } from '../../components/field/native-field.tsx';
import { TextField } from '../../components/field/text-field.tsx';
import { useKeptState } from '../../components/form/drafts.ts';
import { fieldError, useZodForm } from '../../components/form/form.tsx';
import { EmptyState } from '../../components/notice/empty-state.tsx';
import { notify } from '../../components/toast/toast.tsx';
import { useFailure } from '../../forms/use-failure.ts';
import { addDays } from '../../lib/expiry.ts';
import { utcDay } from '../../lib/moment.ts';
import { useInTurns } from '../../lib/use-in-turns.ts';
import { useOneAtATime } from '../../lib/use-one-at-a-time.ts';
import { messageText } from '../../locales/messages.ts';
import { LoadFailed } from '../../operations/load-failed.tsx';
import { LoadingText } from '../../operations/loading-text.tsx';
import { aboutFinding } from './about-finding.ts';

/** A week: long enough to matter, short enough that it is not forgotten. */
const PROPOSED_DAYS = 7;
/** What fills the dialog: there may be as many records as databases. */
const AT_ONCE = 50;

interface SnoozeModalProps {
  show: boolean;
  kind: Finding['kind'];
  onClose: () => void;
}

/** Leaves records of a finding out of the dashboard until a day, with a reason, and brings those back that are left out. */
export function SnoozeModal({ show, kind, onClose }: SnoozeModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const query = useListFindingRecordsQuery({ kind }, { refetchOnMountOrArgChange: true });
  const { data, error, isFetching, refetch } = query;
  const shown = data?.filter((record) => record.snooze === null) ?? [];
  const snoozed = data?.filter((record) => record.snooze !== null) ?? [];
  const choice = useChoice(shown, query.fulfilledTimeStamp);
  const { chosen } = choice;
  const { form, submit, failure, isBusy } = useSnooze(kind, chosen, onClose);
  const submitButton = shown.length > 0 && (
    <Button type="submit" form={formId} loading={isBusy} disabled={chosen.length === 0}>
      {t('dashboard.snooze.submit', { count: chosen.length })}
    </Button>
  );
  return (
    <Modal
      {...{ show, failure, onClose }}
      title={t('dashboard.snooze.title')}
      subtitle={t(`dashboard.findings.kinds.${aboutFinding(kind).key}`, { count: data?.length ?? 0 })}
      busy={isBusy}
      retry={{ type: 'submit', form: formId }}
      dirty={form.formState.isDirty || choice.isDirty}
      footer={<DialogButtons isBusy={isBusy}>{submitButton}</DialogButtons>}
    >
      {error && <LoadFailed error={error} busy={isFetching} onRetry={refetch} />}
      {!data && !error && <LoadingText>{t('dashboard.findings.loading')}</LoadingText>}
      {shown.length > 0 && (
        <form id={formId} className="snooze-form" onSubmit={submit} noValidate>
          <p>{t('dashboard.snooze.what')}</p>
          <NativeField
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
          <RecordChoice records={shown} {...choice} />
        </form>
      )}
      {data?.length === 0 && <EmptyState icon={CircleCheck} text={t('dashboard.snooze.none')} />}
      {snoozed.length > 0 && <SnoozedRecords kind={kind} records={snoozed} />}
    </Modal>
  );
}

/** What was turned of the records that were there, by their ids. */
interface Turned {
  first: readonly string[];
  turned: readonly string[];
}

/**
 * The records that are chosen: all that there were when the dialog was opened, until somebody ticks or unticks them. What comes while
 * it is open has been looked at by nobody (decision 063). What is turned survives the end of the session, with what it was turned among.
 * @param listedAt when the records were loaded, in milliseconds
 */
function useChoice(shown: readonly FindingRecord[], listedAt = 0) {
  const [openedAt] = useState(Date.now);
  const [kept, setKept] = useKeptState<Turned | undefined>('turned', undefined);
  const [first, setFirst] = useState(kept?.first);
  if (!first && listedAt >= openedAt) setFirst(shown.map(({ id }) => id));
  const [had, turned] = [first && new Set(first), new Set(kept?.turned)];
  const isChosen = (id: string) => turned.has(id) !== (had?.has(id) ?? true);
  function turn(id: string) {
    const next = new Set(turned);
    if (!next.delete(id)) next.add(id);
    setKept(next.size === 0 ? undefined : { first: first ?? shown.map((record) => record.id), turned: [...next] });
  }
  return { chosen: shown.filter(({ id }) => isChosen(id)), isChosen, turn, isDirty: turned.size > 0 };
}

/** What is filled in for the chosen records. */
function useSnooze(kind: Finding['kind'], chosen: readonly FindingRecord[], onDone: () => void) {
  // Days are counted in UTC, as the server does.
  const until = addDays(utcDay(), PROPOSED_DAYS);
  const form = useZodForm(snoozeForm, { defaultValues: { until, reason: '' } });
  const { failure, fail, clear } = useFailure(form);
  const [snooze] = useSnoozeFindingsMutation();
  const { run, isBusy } = useOneAtATime();
  const submit = form.handleSubmit(async (fields) => {
    clear();
    const outcome = await run(() => snooze({ ...fields, kind, ids: chosen.map(({ id }) => id) }));
    if (outcome?.error) return fail(outcome.error);
    if (!outcome?.data) return;
    notify.success(outcome.data.message);
    onDone();
  });
  return { form, submit, failure, isBusy };
}

interface RecordChoiceProps extends Pick<ReturnType<typeof useChoice>, 'isChosen' | 'turn'> {
  records: readonly FindingRecord[];
}

function RecordChoice({ records, isChosen, turn }: RecordChoiceProps) {
  const { t } = useTranslation();
  const { drawn } = useInTurns(records.length, AT_ONCE);
  return (
    <fieldset className="snooze-records">
      <legend>{t('dashboard.snooze.records')}</legend>
      {records.slice(0, drawn).map((record) => (
        <Checkbox
          key={record.id}
          label={[record.name, record.detail].filter(Boolean).map(messageText).join(': ')}
          checked={isChosen(record.id)}
          onChange={() => turn(record.id)}
        />
      ))}
    </fieldset>
  );
}

function SnoozedRecords({ kind, records }: { kind: Finding['kind']; records: readonly FindingRecord[] }) {
  const { t } = useTranslation();
  const [wake] = useWakeFindingMutation();
  const { run, isBusy } = useOneAtATime();
  const [pressed, setPressed] = useState<string>();
  const { drawn } = useInTurns(records.length, AT_ONCE);
  async function end(id: string) {
    setPressed(id);
    const outcome = await run(() => wake({ kind, id }));
    if (outcome?.error) showError(outcome.error);
    else if (outcome?.data) notify.success(outcome.data.message);
  }
  return (
    <section aria-labelledby="snoozed-records">
      <h3 id="snoozed-records">{t('dashboard.snooze.left')}</h3>
      <ul className="snoozed-records">
        {records.slice(0, drawn).map(({ id, name, snooze }) => (
          <li key={id}>
            <b>{messageText(name)}</b>
            <span>{t('dashboard.snooze.why', { ...snooze })}</span>
            <Button
              variant="secondary"
              size="small"
              loading={isBusy && pressed === id}
              disabled={isBusy && pressed !== id}
              aria-label={`${t('dashboard.snooze.wake')}: ${messageText(name)}`}
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
