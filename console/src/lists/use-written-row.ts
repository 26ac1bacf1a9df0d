import { useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { type LastWrite, selectLastWrite } from './last-write-slice.ts';

/** How long a row stays marked, in milliseconds. */
const MARKED_MS = 4000;

interface Listed<Row> {
  /** All loaded rows. */
  data: readonly Row[] | undefined;
  /** The rows that pass the filters. */
  rows: readonly Row[] | undefined;
  /** Whether a load is running, and when the last one ended: with rows that are as new as all changes before that. */
  isFetching: boolean;
  fulfilledTimeStamp?: number;
}

/** The columns of a row by which a write can name it. */
export interface ListedRow {
  id: string;
  databaseName?: string;
}

/**
 * The row that this user has just created or changed, once a list loaded afterwards contains it.
 * @returns `marked`, its id for a few seconds where the row is visible; `hidden`, the row where the filters hide it;
 * `dismiss`
 */
export function useWrittenRow<Row extends ListedRow>({ data, rows, isFetching, fulfilledTimeStamp = 0 }: Listed<Row>) {
  const write = useSelector(selectLastWrite);
  // Writes from before this list was opened are ignored.
  const [seen, setSeen] = useState(write);
  const [shown, setShown] = useState<LastWrite | null>(null);
  if (write !== seen && !isFetching && write !== null && fulfilledTimeStamp >= write.at) {
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
