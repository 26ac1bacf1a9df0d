import { usePreviewPurgeQuery } from '../../../../api/tenant-data.ts';
import { useSettled } from '../../../../lib/use-settled.ts';

/** Long enough to tick several boxes in a row, in milliseconds: the server counts rows for each answer. */
const PAUSE = 300;

/**
 * The plan of purging the ticked tables, loaded once ticking pauses.
 * @returns `plan`, which is of an earlier state of the checklist while `isStale`, and undefined after a failure
 */
export function usePurgePlan(databaseName: string, names: readonly string[]) {
  const now = names.join(',');
  const tables = useSettled(now, PAUSE);
  const isNone = now === '' || tables === '';
  const query = usePreviewPurgeQuery({ databaseName, tables }, { skip: isNone, refetchOnMountOrArgChange: true });
  const isStale = tables !== now || query.isFetching;
  const error = isNone || isStale ? undefined : query.error;
  return {
    // After a failure the query still holds the data of the query before.
    plan: isNone || error ? undefined : query.data?.result,
    isStale,
    error,
    refetch: query.refetch,
  };
}

export type PurgePlanQuery = ReturnType<typeof usePurgePlan>;
