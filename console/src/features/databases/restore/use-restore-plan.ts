import { type BackupRestorePlan as Plan, restoreDatabaseForm } from '@apotheca/contract/backups';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { usePlanRestoreQuery } from '../../../api/backups.ts';
import { useSettled } from '../../../lib/use-settled.ts';
import type { ApiError } from '../../../transport/api-error.ts';

/** How long typing must pause before the plan is loaded, in milliseconds. */
const PAUSE = 300;

/** The plan of a restore, and the state of its query. */
export interface RestorePlanState {
  /** The plan in words. */
  message?: string;
  plan?: Plan;
  /** Whether the plan is for the backup and the name that the dialog shows now. */
  isCurrent: boolean;
  isLoading: boolean;
  /** Why this name cannot be used. */
  nameRefusal?: string;
  /** Why the plan could not be loaded. */
  error?: string;
  onRetry: () => void;
}

/** Loads the plan of restoring a backup under a name, once both are given. */
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
