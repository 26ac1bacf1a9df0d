import { useCallback, useMemo, useState } from 'react';
import type { Column } from '../../../components/data-table/data-table.tsx';
import { readItem, writeItem } from '../../../lib/local-storage.ts';

const KEY = 'tenants.hiddenColumns';

function readHidden(): string[] {
  try {
    const ids: unknown = JSON.parse(readItem(KEY) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

/**
 * The columns that the user wants to see, remembered in this browser. The pinned column is the header of its row and
 * always stays.
 * @returns the columns to draw, and `toggle`, which hides or shows one by its id
 */
export function useShownColumns<Row>(columns: Column<Row>[]) {
  const [hidden, setHidden] = useState(readHidden);
  const shown = useMemo(() => columns.filter(({ id, pinned }) => pinned || !hidden.includes(id)), [columns, hidden]);
  const toggle = useCallback(
    (id: string) => {
      const next = hidden.includes(id) ? hidden.filter((other) => other !== id) : [...hidden, id];
      writeItem(KEY, JSON.stringify(next));
      setHidden(next);
    },
    [hidden],
  );
  return { shown, toggle };
}
