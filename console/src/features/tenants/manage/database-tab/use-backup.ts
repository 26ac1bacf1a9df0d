import type { Backup } from '@apotheca/contract/backups';
import { useState } from 'react';
import { useBackUpDatabaseMutation } from '../../../../api/backups.ts';
import { showError } from '../../../../api/http/answer-errors.ts';
import { notify } from '../../../../components/toast/toast.tsx';
import { useOneAtATime } from '../../../../lib/use-one-at-a-time.ts';
import { useCallProgress } from '../../../../operations/use-call-progress.tsx';
import { isCancelled } from '../../../../transport/api-error.ts';

interface BackupOptions {
  databaseName: string;
  onMade: () => void;
  onClose: () => void;
}

/** Backs a database up; `made` is what came of it, `error` why nothing did. */
export function useBackup({ databaseName, onMade, onClose }: BackupOptions) {
  const [backUp, { error }] = useBackUpDatabaseMutation();
  const { run, isBusy } = useOneAtATime();
  const { progress, isInBackground } = useCallProgress('backUpDatabase', isBusy, onClose);
  const [made, setMade] = useState<Backup>();

  async function start() {
    setMade(undefined);
    const outcome = await run(() => backUp({ databaseName }));
    if (!outcome) return;
    if (outcome.error) return void showError(outcome.error);
    notify.success(outcome.data.message);
    setMade(outcome.data.result);
    if (!isInBackground()) onMade();
  }
  return { start, isBusy, progress, made, error: isBusy || isCancelled(error) ? undefined : error };
}

export type BackupTask = ReturnType<typeof useBackup>;
