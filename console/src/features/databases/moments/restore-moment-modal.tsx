import type { Database } from '@apotheca/contract/databases';
import { type MomentRange, momentsOf, restoreMomentForm } from '@apotheca/contract/moments';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { restoreMoment, useGetMomentRangeQuery } from '../../../api/moments.ts';
import { SubmitModal } from '../../../components/dialog/submit-modal.tsx';
import { NativeField } from '../../../components/field/native-field.tsx';
import { SelectField } from '../../../components/field/select-field.tsx';
import { UpperCaseField } from '../../../components/field/upper-case-field.tsx';
import { fieldError, useZodForm } from '../../../components/form/form.tsx';
import { Notice } from '../../../components/notice/notice.tsx';
import { useFailure } from '../../../forms/use-failure.ts';
import { localField, zonedSecond } from '../../../lib/moment.ts';
import { messageText } from '../../../locales/messages.ts';
import { LoadFailed } from '../../../operations/load-failed.tsx';
import { LoadingText } from '../../../operations/loading-text.tsx';
import { useOperation } from '../../../operations/use-operation.tsx';
import { useTakenNames } from '../use-databases.ts';

interface RestoreMomentModalProps {
  show: boolean;
  database: Database;
  onClose: () => void;
}

/** Restores a database as it was at a moment, into a new one beside it (DECISIONS §13). */
export function RestoreMomentModal({ show, database, onClose }: RestoreMomentModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const {
    data: range,
    error,
    isFetching,
    refetch,
  } = useGetMomentRangeQuery(undefined, { refetchOnMountOrArgChange: true });
  const { form, fields, send, isBusy, progress, failure } = useRestoreMoment(database, range, onClose);
  const { databaseName } = database;
  const isPossible = fields !== undefined;
  return (
    <SubmitModal
      {...{ show, formId, progress, failure, onClose }}
      title={t('databases.moments.title')}
      subtitle={<span className="code">{databaseName}</span>}
      confirmLabel={t('databases.moments.confirm')}
      dirty={form.formState.isDirty}
      disabled={!isPossible}
      busy={isBusy}
    >
      {error && <LoadFailed error={error} busy={isFetching} onRetry={refetch} />}
      {!error && range === undefined && <LoadingText>{t('databases.moments.loading')}</LoadingText>}
      {range?.warning && <Notice tone="warning">{messageText(range.warning)}</Notice>}
      {range?.missing && range.missing !== range.warning && <Notice tone="info">{messageText(range.missing)}</Notice>}
      {isPossible && (
        <form id={formId} className="restore-form" noValidate onSubmit={form.handleSubmit(send)}>
          <p>{t('databases.moments.what', { name: databaseName })}</p>
          <MomentFields form={form} {...fields} />
          <UpperCaseField
            {...form.register('databaseName')}
            label={t('databases.moments.label')}
            error={fieldError(form, 'databaseName')}
            className="field-code"
            required
          />
        </form>
      )}
    </SubmitModal>
  );
}

type Form = ReturnType<typeof useRestoreMoment>['form'];

interface MomentFieldsProps {
  form: Form;
  earliest: Date;
  latest: Date;
}

/** The moment, with the offset of its own day: the clocks may be put forward or back within the range. */
function MomentFields({ form, earliest, latest }: MomentFieldsProps) {
  const { t } = useTranslation();
  const moments = momentsOf(form.watch('moment'), earliest.getTime(), latest.getTime());
  const [first, second] = moments;
  const chosen = chosenOf(moments, form.watch('turn'));
  const range = t('databases.moments.range', { earliest: zonedSecond(earliest), latest: zonedSecond(latest) });
  return (
    <>
      <NativeField
        {...form.register('moment')}
        type="datetime-local"
        step={1}
        min={localField(earliest, 'second')}
        max={localField(latest, 'second')}
        label={t('databases.moments.moment')}
        hint={chosen ? `${range} ${t('databases.moments.chosen', { moment: zonedSecond(chosen) })}` : range}
        error={fieldError(form, 'moment')}
        required
        autoFocus
      />
      {first && second && (
        <SelectField
          {...form.register('turn')}
          emptyLabel={zonedSecond(first)}
          options={[{ value: 'second', label: zonedSecond(second) }]}
          label={t('databases.moments.turn')}
          hint={t('databases.moments.twice')}
        />
      )}
    </>
  );
}

/** The moment that is meant, of those that a text names. */
const chosenOf = ([first, second]: readonly Date[], turn: string): Date | undefined =>
  (turn === 'second' && second) || first;

/** The dialog's form. @param range absent while it is loaded */
function useRestoreMoment(database: Database, range: MomentRange | undefined, onClose: () => void) {
  const taken = useTakenNames();
  const earliest = Date.parse(range?.earliestOnUtc ?? '');
  const latest = Date.parse(range?.latestOnUtc ?? '');
  const schema = useMemo(() => restoreMomentForm(earliest, latest, taken), [earliest, latest, taken]);
  const form = useZodForm(schema, { defaultValues: { moment: '', turn: '', databaseName: '' } });
  const { failure, fail } = useFailure(form, { shownAt: { newName: 'databaseName' } });
  const { start, isBusy, progress } = useOperation(restoreMoment, { onRefused: fail, onClose });
  const { databaseName } = database;
  function send({ moment: text, turn, databaseName: newName }: Record<'moment' | 'turn' | 'databaseName', string>) {
    const moment = chosenOf(momentsOf(text, earliest, latest), turn)?.toISOString() ?? '';
    return start({ databaseName, moment, newName });
  }
  const fields = range?.missing === '' ? { earliest: new Date(earliest), latest: new Date(latest) } : undefined;
  return { form, fields, send, isBusy, progress, failure };
}
