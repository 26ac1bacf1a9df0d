import { useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { type LastWrite, selectLastWrite } from './last-write-slice.ts';

/** How long a row stays marked, in milliseconds. */
const MARKED_MS = 4000;

interface Listed<Row> {
  /** All that was loaded. */
  data: readonly Row[] | undefined;
  /** What the filters leave of it. */
  rows: readonly Row[] | undefined;
  /** Whether a load is under way, and when the last one began. */
  isFetching: boolean;
  startedTimeStamp?: number;
}

/** A row of a list, as far as a write can name it. */
export interface ListedRow {
  id: string;
  databaseName?: string;
}

/**
 * The row that this person has just made or changed, from when the list that was loaded after it is there.
 * @returns `marked`, its id for a few seconds where it can be seen; `hidden`, the row where the filters hide it; `dismiss`
 */
export function useWrittenRow<Row extends ListedRow>({ data, rows, isFetching, startedTimeStamp = 0 }: Listed<Row>) {
  const write = useSelector(selectLastWrite);
  // What was written before this list was opened is no news.
  const [seen, setSeen] = useState(write);
  const [shown, setShown] = useState<LastWrite | null>(null);
  if (write !== seen && !isFetching && write !== null && startedTimeStamp >= write.at) {
    setSeen(write);
    setShown(write);
  }
  const isShown = (row: Row) =>
    shown !== null &&
    (row.id === shown.id || (row.databaseName !== undefined && row.databaseName === shown.databaseName));
  const row = shown === null ? undefined : data?.find(isShown);
  const isVisible = row !== undefined && rows?.includes(row) === true;
  useEffect(() => {
    if (!isVisible || shown === null) return;
    const timer = setTimeout(() => setShown(null), MARKED_MS);
    return () => clearTimeout(timer);
  }, [isVisible, shown]);
  return {
    marked: isVisible ? row.id : undefined,
    hidden: isVisible ? undefined : row,
    dismiss: () => setShown(null),
  };
}
