import { usePreviewPurgeQuery } from '../../../api/tenant-data.ts';
import { useSettled } from '../../../components/use-settled.ts';

/** Long enough to tick a few boxes in a row, in milliseconds: the server counts rows for each answer. */
const PAUSE = 300;

/**
 * What emptying the ticked tables would do, asked once ticking pauses.
 * @returns `plan`, which is of an earlier state of the checklist while `isStale`
 */
export function usePurgePreview(databaseName: string, names: readonly string[]) {
  const now = names.join(',');
  const tables = useSettled(now, PAUSE);
  const isNone = now === '' || tables === '';
  const query = usePreviewPurgeQuery({ databaseName, tables }, { skip: isNone, refetchOnMountOrArgChange: true });
  const isStale = tables !== now || query.isFetching;
  return {
    plan: isNone ? undefined : query.data?.result,
    isStale,
    error: isNone || isStale ? undefined : query.error,
    refetch: query.refetch,
  };
}

export type PurgePreview = ReturnType<typeof usePurgePreview>;
