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
  /** The chosen backup. */
  backup: Backup | undefined;
  initialName: string;
  onClose: () => void;
}

/**
 * The restore dialog's form: shows the plan for the typed name, and restores if the plan still holds (DECISIONS §8).
 * @returns `restorePlan`; `missing`, what must be given first; `conflict`, why the last attempt was refused, after
 * which the plan is loaded again
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
    // The refusal of a changed plan carries the new plan (DECISIONS §8).
    if (!isConflict(error) || error.result === undefined) return fail(error);
    setConflict(error.message);
    restorePlan.onRetry();
  }
  // Submitting an invalid name shows what is wrong with it.
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
