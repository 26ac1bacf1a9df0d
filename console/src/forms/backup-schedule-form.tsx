import { type BackupSchedule, backupScheduleForm, backupScheduleRoutes } from '@apotheca/contract/backup-schedules';
import { backupRoutes } from '@apotheca/contract/backups';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useGetBackupScheduleQuery, useSetBackupScheduleMutation } from '../api/backup-schedules.ts';
import { Button } from '../components/button/button.tsx';
import { useZodForm } from '../components/form/form.tsx';
import { FormPlaceholder } from '../components/form/form-placeholder.tsx';
import { ReadOnlyForm } from '../components/form/read-only.tsx';
import { FailureNotice } from '../components/notice/failure-notice.tsx';
import { useRefusal } from '../rights/rights.tsx';
import { BackupScheduleFields, type ScheduleInput } from './backup-schedule-fields.tsx';
import { BackupScheduleState } from './backup-schedule-state.tsx';
import { scheduleWords } from './schedule-words.ts';
import { KEEP_TYPED, useBegun } from './use-begun.ts';
import { useSaveRecord } from './use-save-record.ts';
import { useStaleEdit } from './use-stale-edit.tsx';

interface BackupScheduleEditorProps {
  databaseName?: string;
  /** Is told whether there are changes that are not saved. */
  onDirty?: (isDirty: boolean) => void;
}

/** The backup schedule of a database, and how it stands; without a name the default. */
export function BackupScheduleEditor({ databaseName, onDirty }: BackupScheduleEditorProps) {
  const { t } = useTranslation();
  const { data, isError, isFetching, refetch } = useGetBackupScheduleQuery({ databaseName });
  if (data) return <ScheduleForm found={data} onDirty={onDirty} />;
  return (
    <FormPlaceholder
      loadingText={t('backupSchedule.loading')}
      isError={isError && !isFetching}
      onRetry={refetch}
      failedText={t('backupSchedule.failed')}
    />
  );
}

function ScheduleForm({ found, onDirty }: { found: BackupSchedule } & Pick<BackupScheduleEditorProps, 'onDirty'>) {
  const { t } = useTranslation();
  const [send] = useSetBackupScheduleMutation();
  // A schedule makes backups too.
  const refusal = useRefusal()(backupScheduleRoutes.set, backupRoutes.create);
  const { begun, followUnless, follow } = useBegun(found);
  const form = useZodForm(backupScheduleForm, { ...KEEP_TYPED, values: begun.schedule, draft: null });
  const { isDirty } = form.formState;
  followUnless(isDirty);
  useEffect(() => onDirty?.(isDirty), [onDirty, isDirty]);
  const stale = useStaleEdit({
    form,
    version: begun.version,
    labelOf: (field) => (isField(field) ? t(`backupSchedule.fields.${field}`) : field),
    wordsOf: (field, value) => scheduleWords(t, field, value, found.defaultSchedule.frequency),
  });
  const { save, isSaving, failure } = useSaveRecord({
    form,
    isNew: false,
    stale,
    send: (fields, { by, version }) =>
      send({ query: { databaseName: found.databaseName ?? undefined }, body: { ...fields, version, updatedBy: by } }),
    follow,
    onSaved: () => {},
  });
  return (
    <form className="manage-stack" noValidate onSubmit={form.handleSubmit(save)}>
      {found.databaseName === null && <p className="text-muted">{t('backupSchedule.defaultWhat')}</p>}
      {found.state && <BackupScheduleState state={found.state} />}
      {stale.notice}
      {failure && <FailureNotice failure={failure} retry={{ type: 'submit' }} />}
      <ReadOnlyForm refusal={refusal}>
        <BackupScheduleFields form={form} found={found} />
      </ReadOnlyForm>
      <div>
        <Button type="submit" loading={isSaving} refusal={refusal}>
          {t('backupSchedule.save')}
        </Button>
      </div>
    </form>
  );
}

const isField = (name: string): name is keyof ScheduleInput => Object.hasOwn(backupScheduleForm.shape, name);
