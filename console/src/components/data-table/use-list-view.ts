import { useCallback, useMemo } from 'react';
import type { Sort } from './data-table.tsx';
import { sortInAddress } from './sort-in-address.ts';
import { useAddressParams } from './use-address-params.ts';
import { useDelayedText } from './use-delayed-text.ts';

/** How a list is sorted and filtered. It is part of the address, so that a link or a reload shows the same list. */
export interface ListView<Column extends string> {
  sort: Sort & { column: Column };
  /** Text filter; empty for none. */
  text: string;
  changeText: (text: string) => void;
  changeSort: (sort: Sort) => void;
}

/**
 * The view of a list in the address (`?sort=userName&dir=asc&q=…`) and how to change it.
 * @param columns sort keys of the list; the first is the default
 */
export function useListView<const Column extends string>(columns: readonly [Column, ...Column[]]): ListView<Column> {
  const [params, changeParams] = useAddressParams<'sort' | 'dir' | 'q'>();
  const changeAddress = useCallback((q: string) => changeParams({ q }), [changeParams]);
  // The rows are filtered with every key, the address is changed when typing pauses.
  const [text, changeText] = useDelayedText(params.get('q') ?? '', changeAddress);
  const changeSort = useCallback(
    ({ column, direction }: Sort) => changeParams({ sort: column, dir: direction }),
    [changeParams],
  );
  const { column, direction } = sortInAddress(params, columns);
  const sort = useMemo(() => ({ column, direction }) as const, [column, direction]);
  return { sort, text, changeText, changeSort };
}
