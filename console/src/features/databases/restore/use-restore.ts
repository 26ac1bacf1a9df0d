import { type Backup, restoreDatabaseForm } from '@apotheca/contract/backups';
import { useState } from 'react';
import { restoreDatabase } from '../../../api/backups.ts';
import { useZodForm } from '../../../components/form/form.tsx';
import { notify } from '../../../components/toast/toast.tsx';
import { useFailure } from '../../../forms/use-failure.ts';
import { useOperation } from '../../../operations/use-operation.tsx';
import { isConflict } from '../../../transport/api-error.ts';
import { useRestorePlan } from './use-restore-plan.ts';

interface RestoreOptions {
  /** The chosen one. */
  backup: Backup | undefined;
  initialName: string;
  onClose: () => void;
}

/**
 * The restore dialog's form: tells what restoring under the typed name replaces, and restores if that is still so (DECISIONS §8).
 * @returns `restorePlan`, what would happen, `missing`, what has to be given first, and `conflict`, why the last attempt was refused; the
 *   plan is then read anew
 */
export function useRestore({ backup, initialName, onClose }: RestoreOptions) {
  const form = useZodForm(restoreDatabaseForm, { defaultValues: { databaseName: initialName } });
  const typed = form.watch('databaseName');
  const restorePlan = useRestorePlan(backup?.id, typed);
  const { failure, fail, clear } = useFailure(form);
  const [isConfirmed, setConfirmed] = useState(false);
  const [conflict, setConflict] = useState<string>();
  const { plan, isCurrent } = restorePlan;
  const canRestore = isCurrent && (plan?.replaces === false || isConfirmed);
  const isNamed = restoreDatabaseForm.safeParse({ databaseName: typed }).success;
  let missing: 'choose' | 'name' | undefined;
  if (!backup) missing = 'choose';
  else if (typed === '') missing = 'name';

  const { start, isBusy, progress } = useOperation(restoreDatabase, {
    tell: ({ message, result }) => (result?.leftOut?.length ? notify.lasting(message) : notify.success(message)),
    onRefused: handleRefusal,
    onClose,
  });
  async function send({ databaseName }: { databaseName: string }) {
    if (!backup || !plan || !canRestore) return;
    setConflict(undefined);
    clear();
    await start({ id: backup.id, databaseName, plan: plan.digest });
  }
  function handleRefusal(error: unknown) {
    // A changed plan comes along with its refusal (DECISIONS §8).
    if (!isConflict(error) || error.result === undefined) return fail(error);
    setConflict(error.message);
    restorePlan.onRetry();
  }
  // Without a proper name submitting says what is wrong with it.
  const canSubmit = backup !== undefined && (canRestore || !isNamed);
  return {
    form,
    restorePlan,
    missing,
    send,
    canSubmit,
    isRestoring: isBusy,
    progress,
    failure,
    conflict,
    setConfirmed,
  };
}
