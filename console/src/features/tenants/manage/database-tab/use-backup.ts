import type { Backup } from '@apotheca/contract/backups';
import { useState } from 'react';
import { backUpDatabase } from '../../../../api/backups.ts';
import { useOperation } from '../../../../operations/use-operation.tsx';

interface BackupOptions {
  databaseName: string;
  /** Something else in the dialog was changed and not saved. */
  isDirty: boolean;
  onClose: () => void;
}

/**
 * Backs a database up. A backup that continues in the background closes the dialog, unless something would be lost by that: then the
 * dialog can be used again.
 * @returns `made`, the new backup; `refusal`, why there is none; `isBlocking`, whether the dialog waits for the backup
 */
export function useBackup({ databaseName, isDirty, onClose }: BackupOptions) {
  const [made, setMade] = useState<Backup>();
  const [isLeft, setLeft] = useState(false);
  const { start, progress, ...operation } = useOperation(backUpDatabase, {
    onDone: ({ result }) => setMade(result),
    onFinished: () => undefined,
    onClose: () => (isDirty ? setLeft(true) : onClose()),
  });
  function backUp() {
    setMade(undefined);
    setLeft(false);
    return start({ databaseName });
  }
  return {
    ...operation,
    isBlocking: operation.isBusy && !isLeft,
    progress: isLeft ? undefined : progress,
    backUp,
    made,
  };
}

export type BackupTask = ReturnType<typeof useBackup>;
