import { useMemo } from 'react';
import type { Sort } from './data-table.tsx';
import { useAddressParams } from './use-address-params.ts';

/** How a list is sorted and filtered. It is part of the address, so that a link or a reload shows the same list. */
export interface ListView<Column extends string> {
  sort: Sort & { column: Column };
  /** Text filter; empty for none. */
  text: string;
  changeView: (change: { sort?: string; dir?: Sort['direction']; q?: string }) => void;
}

/**
 * The view of a list in the address (`?sort=userName&dir=asc&q=…`) and how to change it; an unknown sort column counts
 * as the default.
 * @param columns sort keys of the list; the first is the default
 */
export function useListView<const Column extends string>(columns: readonly [Column, ...Column[]]): ListView<Column> {
  const [params, changeView] = useAddressParams<'sort' | 'dir' | 'q'>();
  return useMemo(() => {
    const column = columns.find((one) => one === params.get('sort')) ?? columns[0];
    const direction = params.get('dir') === 'desc' ? 'desc' : 'asc';
    return { sort: { column, direction }, text: params.get('q') ?? '', changeView };
  }, [columns, params, changeView]);
}
