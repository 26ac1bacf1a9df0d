import type { Database } from '@apotheca/contract/databases';
import { type MomentRange, restoreMomentForm } from '@apotheca/contract/moments';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { restoreMoment, useGetMomentRangeQuery } from '../../../api/moments.ts';
import { SubmitModal } from '../../../components/dialog/submit-modal.tsx';
import { NativeField } from '../../../components/field/native-field.tsx';
import { UpperCaseField } from '../../../components/field/upper-case-field.tsx';
import { fieldError, useZodForm } from '../../../components/form/form.tsx';
import { Notice } from '../../../components/notice/notice.tsx';
import { useFailure } from '../../../forms/use-failure.ts';
import { localField, offsetOf } from '../../../lib/moment.ts';
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
          <NativeField
            {...form.register('moment')}
            type="datetime-local"
            step={1}
            min={fields.earliest}
            max={fields.latest}
            label={t('databases.moments.moment')}
            hint={t('databases.moments.range', {
              earliest: fields.earliest.replace('T', ' '),
              latest: fields.latest.replace('T', ' '),
              zone: offsetOf(new Date(fields.latest)),
            })}
            error={fieldError(form, 'moment')}
            required
            autoFocus
          />
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

/** The dialog's form. @param range absent while it is loaded */
function useRestoreMoment(database: Database, range: MomentRange | undefined, onClose: () => void) {
  const taken = useTakenNames();
  const earliest = Date.parse(range?.earliestOnUtc ?? '');
  const latest = Date.parse(range?.latestOnUtc ?? '');
  const schema = useMemo(() => restoreMomentForm(earliest, latest, taken), [earliest, latest, taken]);
  const form = useZodForm(schema, { defaultValues: { moment: '', databaseName: '' } });
  const { failure, fail } = useFailure(form, { shownAt: { newName: 'databaseName' } });
  const { start, isBusy, progress } = useOperation(restoreMoment, { onRefused: fail, onClose });
  const { databaseName } = database;
  const send = (values: { moment: string; databaseName: string }) =>
    start({ databaseName, moment: new Date(values.moment).toISOString(), newName: values.databaseName });
  const fields = range?.missing === '' ? { earliest: fieldOf(earliest), latest: fieldOf(latest) } : undefined;
  return { form, fields, send, isBusy, progress, failure };
}

const fieldOf = (moment: number): string => localField(new Date(moment), 'second');
