import { type Backup, backupRoutes } from '@apotheca/contract/backups';
import { useMemo, useState } from 'react';
import { useListBackupsQuery } from '../../../api/backups.ts';
import { KEPT_FRESH } from '../../../lists/list-freshness.ts';
import { usePolling } from '../../../rights/use-polling.ts';
import { isApiError, unlessForbidden } from '../../../transport/api-error.ts';

/** The number of backups on a page. */
const PAGE = 200;

/** How often it is looked what became of copies that are on their way, in milliseconds. */
const POLL = 5_000;

const isOnItsWay = ({ copies }: Backup) => copies.some(({ state }) => state !== 'copied');

/**
 * The backups of a database, or a page of those of all databases.
 * @param search what the server looks for in the names of all
 * @returns the query of them; `backups`, those to show; `isPage`, whether there are others; `narrowing`, which stands for filter and page; `goOlder`
 * and `goNewer`, which turn the page: undefined where there is none
 */
export function useBackupPages(databaseName: string | undefined, search: string) {
  // Each page begins behind the last backup of the one before it; another filter begins at the newest.
  const [turned, setTurned] = useState<{ search: string; lasts: readonly string[] }>({ search, lasts: [] });
  const lasts = turned.search === search ? turned.lasts : [];
  const turnTo = (next: readonly string[]) => setTurned({ search, lasts: next });
  if (turned.search !== search) turnTo([]);
  const before = lasts.at(-1);
  const [pollingInterval, setPollingInterval] = useState(0);
  const { paced, heed } = usePolling(backupRoutes.list);
  const query = useListBackupsQuery(
    // With one more than a page, which tells that there is another page.
    databaseName === undefined ? { search, before, limit: String(PAGE + 1) } : { databaseName },
    {
      refetchOnMountOrArgChange: true,
      ...KEPT_FRESH,
      pollingInterval: paced(pollingInterval),
      skipPollingIfUnfocused: true,
    },
  );
  const { data, currentData, error } = query;
  heed(error);
  const ofAll = databaseName === undefined;
  // Those of the page before stay until the next ones have come; where those cannot be loaded, they would seem to be them, and that there were
  // none says nothing of what is asked for now. What was allowed when it was loaded may not be any more.
  const loaded = unlessForbidden(error || data?.length === 0 ? currentData : data, error);
  const backups = useMemo(() => (ofAll ? loaded?.slice(0, PAGE) : loaded), [ofAll, loaded]);
  const isLoaded = loaded !== undefined && loaded === currentData;
  const isLonger = ofAll && isLoaded && loaded.length > PAGE;
  const last = isLonger ? loaded[PAGE - 1] : undefined;
  // The way to other pages stays until it is known whether there are any: it has the focus.
  const [wasPage, setWasPage] = useState(false);
  const isPage = before !== undefined || (isLoaded ? isLonger : wasPage);
  if (isPage !== wasPage) setWasPage(isPage);
  // The backup that it begins behind was deleted.
  if (before !== undefined && isApiError(error) && error.status === 404) turnTo(lasts.slice(0, -1));
  const wanted = backups?.some(isOnItsWay) ? POLL : 0;
  if (pollingInterval !== wanted) setPollingInterval(wanted);
  return {
    query,
    backups,
    isPage,
    narrowing: `${search}\n${before ?? ''}`,
    goOlder: last ? () => turnTo([...lasts, last.id]) : undefined,
    goNewer: before === undefined ? undefined : () => turnTo(lasts.slice(0, -1)),
  };
}
