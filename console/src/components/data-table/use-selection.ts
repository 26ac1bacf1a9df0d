import { useCallback, useMemo, useRef, useState } from 'react';

/** The rows of a list that are selected. Those that a filter hides are not, until it shows them again. */
export interface Selection<Row> {
  /** In the order of the list. */
  selected: readonly Row[];
  isSelected: (key: string) => boolean;
  /** Selects a row or takes it back. @param isRange also those between it and the row before, which get what it gets */
  toggle: (key: string, isRange: boolean) => void;
  /** Selects all rows of the list, or none where all are selected. */
  toggleAll: () => void;
  clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/** @param list its rows as they are shown, and their keys; both stay the same between draws */
export function useSelection<Row>({
  rows,
  rowKey,
}: {
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
}): Selection<Row> {
  const [keys, setKeys] = useState(NONE);
  const last = useRef<string>(undefined);
  const selected = useMemo(
    () => (keys.size === 0 ? [] : (rows ?? []).filter((row) => keys.has(rowKey(row)))),
    [keys, rows, rowKey],
  );
  const toggle = useCallback(
    (key: string, isRange: boolean) => {
      const all = (rows ?? []).map(rowKey);
      const from = isRange && last.current !== undefined ? all.indexOf(last.current) : -1;
      const to = all.indexOf(key);
      const range = from < 0 ? [key] : all.slice(Math.min(from, to), Math.max(from, to) + 1);
      last.current = key;
      setKeys((before) => {
        const after = new Set(before);
        for (const each of range) {
          if (before.has(key)) after.delete(each);
          else after.add(each);
        }
        return after;
      });
    },
    [rows, rowKey],
  );
  const isAll = rows !== undefined && selected.length === rows.length;
  return {
    selected,
    isSelected: useCallback((key) => keys.has(key), [keys]),
    toggle,
    toggleAll: () => setKeys(isAll ? NONE : new Set(rows?.map(rowKey))),
    clear: useCallback(() => setKeys(NONE), []),
  };
}
