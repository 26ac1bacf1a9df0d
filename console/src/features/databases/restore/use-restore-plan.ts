import { type BackupRestorePlan as Plan, restoreDatabaseForm } from '@apotheca/contract/backups';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { usePlanRestoreQuery } from '../../../api/backups.ts';
import { useSettled } from '../../../lib/use-settled.ts';
import type { ApiError } from '../../../transport/api-error.ts';

/** How long a name must stand still before it is asked about, in milliseconds. */
const PAUSE = 300;

/** What restoring would do. */
export interface RestorePlanState {
  /** Says it in words. */
  message?: string;
  plan?: Plan;
  /** Whether it is about the backup and the name as they stand in the dialog now. */
  isCurrent: boolean;
  isLoading: boolean;
  /** Why nothing can be restored under this name. */
  nameRefusal?: string;
  /** Why it cannot be told. */
  error?: string;
  onRetry: () => void;
}

/** Finds out what restoring a backup under a name would do, once both are there. */
export function useRestorePlan(backupId: string | undefined, typed: string): RestorePlanState {
  const settled = useSettled(typed, PAUSE);
  const { data: values } = restoreDatabaseForm.safeParse({ databaseName: settled });
  const arg = backupId !== undefined && values ? { id: backupId, ...values } : skipToken;
  const query = usePlanRestoreQuery(arg, { refetchOnMountOrArgChange: true });
  const error: Partial<ApiError> | undefined = query.isFetching ? undefined : query.error;
  const nameRefusal = error?.errors?.databaseName?.join(' ');
  return {
    message: query.currentData?.message,
    plan: query.currentData?.result,
    isCurrent: settled === typed && query.currentData !== undefined && !query.isFetching && !query.isError,
    isLoading: query.isFetching,
    nameRefusal,
    error: nameRefusal === undefined ? error?.message : undefined,
    onRetry: () => void query.refetch(),
  };
}
