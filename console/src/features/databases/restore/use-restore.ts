import { type Backup, restoreDatabaseForm } from '@apotheca/contract/backups';
import { useState } from 'react';
import { useRestoreDatabaseMutation } from '../../../api/backups.ts';
import { showError } from '../../../api/http/answer-errors.ts';
import { useZodForm } from '../../../components/form/form.tsx';
import { notify } from '../../../components/toast/toast.tsx';
import { useFailure } from '../../../forms/use-failure.ts';
import { useCallProgress } from '../../../operations/use-call-progress.tsx';
import { isApiError } from '../../../transport/api-error.ts';
import { useRestorePreview } from './use-restore-preview.ts';

interface RestoreOptions {
  /** The chosen one. */
  backup: Backup | undefined;
  initialName: string;
  onClose: () => void;
}

/**
 * The restore dialog's form: tells what restoring under the typed name replaces, and restores if that is still so (DECISIONS §8).
 * @returns `outlook`, what would happen, `missing`, what has to be given first, and `conflict`, why the last attempt was refused; the
 *   plan is then read anew
 */
export function useRestore({ backup, initialName, onClose }: RestoreOptions) {
  const form = useZodForm(restoreDatabaseForm, { defaultValues: { databaseName: initialName } });
  const typed = form.watch('databaseName');
  const outlook = useRestorePreview(backup?.id, typed);
  const [restore, { isLoading: isRestoring }] = useRestoreDatabaseMutation();
  const { progress, isInBackground } = useCallProgress('restoreDatabase', isRestoring, onClose);
  const { failure, fail, clear } = useFailure(form);
  const [isConfirmed, setConfirmed] = useState(false);
  const [conflict, setConflict] = useState<string>();
  const { plan, isCurrent } = outlook;
  const canRestore = isCurrent && (plan?.replaces === false || isConfirmed);
  const isNamed = restoreDatabaseForm.safeParse({ databaseName: typed }).success;
  let missing: 'choose' | 'name' | undefined;
  if (!backup) missing = 'choose';
  else if (typed === '') missing = 'name';

  async function send({ databaseName }: { databaseName: string }) {
    if (!backup || !plan || !canRestore || isRestoring) return;
    setConflict(undefined);
    clear();
    try {
      const { message, result } = await restore({ id: backup.id, databaseName, plan: plan.digest }).unwrap();
      if (result?.leftOut?.length) notify.lasting(message);
      else notify.success(message);
      if (!isInBackground()) onClose();
    } catch (error) {
      if (isInBackground()) showError(error);
      else handleRefusal(error);
    }
  }
  function handleRefusal(error: unknown) {
    // A changed plan comes along with its refusal (DECISIONS §8).
    if (isApiError(error) && error.status === 409 && error.result !== undefined) {
      setConflict(error.message);
      outlook.onRetry();
      return;
    }
    fail(error);
  }
  // Without a proper name submitting says what is wrong with it.
  const canSubmit = backup !== undefined && (canRestore || !isNamed);
  return { form, outlook, missing, send, canSubmit, isRestoring, progress, failure, conflict, setConfirmed };
}
