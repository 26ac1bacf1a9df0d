import type { Backup } from '@apotheca/contract/backups';
import { useState } from 'react';
import { backUpDatabase } from '../../../../api/backups.ts';
import { useOperation } from '../../../../operations/use-operation.tsx';

interface BackupOptions {
  databaseName: string;
  onClose: () => void;
}

/** Backs a database up; `made` is the new backup, `refusal` why there is none. */
export function useBackup({ databaseName, onClose }: BackupOptions) {
  const [made, setMade] = useState<Backup>();
  const { start, ...operation } = useOperation(backUpDatabase, {
    onDone: ({ result }) => setMade(result),
    onFinished: () => undefined,
    onClose,
  });
  function backUp() {
    setMade(undefined);
    return start({ databaseName });
  }
  return { ...operation, backUp, made };
}

export type BackupTask = ReturnType<typeof useBackup>;
