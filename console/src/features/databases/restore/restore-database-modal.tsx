import type { Backup } from '@apotheca/contract/backups';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SubmitModal } from '../../../components/dialog/submit-modal.tsx';
import { UpperCaseField } from '../../../components/field/upper-case-field.tsx';
import { useKeptState } from '../../../components/form/drafts.ts';
import { fieldError } from '../../../components/form/form.tsx';
import type { RestoreDialog } from '../database-dialog.ts';
import { BackupChooser } from './backup-chooser.tsx';
import { RestorePlanView } from './restore-plan-view.tsx';
import { useRestore } from './use-restore.ts';

interface RestoreDatabaseModalProps {
  show: boolean;
  /** What was chosen before the dialog was opened. */
  start: RestoreDialog;
  onClose: () => void;
}

/** Restores a backup, from the list or uploaded, as a new database or over an existing one (SPEC §2.13). */
export function RestoreDatabaseModal({ show, start, onClose }: RestoreDatabaseModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const [backup, setBackup] = useKeptState<Backup | undefined>('backup', start.backup);
  const [isUploading, setUploading] = useState(false);
  const [isUploadDirty, setUploadDirty] = useState(false);
  const initialName = start.databaseName ?? start.backup?.databaseName ?? '';
  const restore = useRestore({ backup, initialName, onClose });
  const { form, isRestoring, restorePlan } = restore;
  const name = form.watch('databaseName');
  const replaces = restorePlan.isCurrent && restorePlan.plan?.replaces === true;
  const deed = name === '' ? 'confirm' : replaces ? 'confirmReplace' : 'confirmNew';
  return (
    <SubmitModal
      {...{ show, formId, onClose }}
      title={t('databases.restore.title')}
      size="lg"
      dirty={form.formState.isDirty || isUploadDirty}
      busy={isRestoring}
      failure={restore.failure}
      progress={restore.progress}
      confirmLabel={t(`databases.restore.${deed}`, { name })}
      variant={replaces ? 'danger' : 'primary'}
      disabled={!restore.canSubmit || isUploading}
    >
      <BackupChooser
        ofDatabase={start.databaseName}
        chosen={backup}
        onChoose={setBackup}
        onUploadingChange={setUploading}
        onDirtyChange={setUploadDirty}
      />
      <form id={formId} className="restore-form" noValidate onSubmit={form.handleSubmit(restore.send)}>
        <UpperCaseField
          {...form.register('databaseName')}
          label={t('databases.restore.label')}
          error={fieldError(form, 'databaseName') ?? restorePlan.nameRefusal}
          className="field-code"
          required
        />
        {restore.missing === undefined ? (
          <RestorePlanView {...restorePlan} conflict={restore.conflict} onConfirmedChange={restore.setConfirmed} />
        ) : (
          <p className="form-text">{t(`databases.restore.${restore.missing}First`)}</p>
        )}
      </form>
    </SubmitModal>
  );
}
