import { useCallback, useMemo, useState } from 'react';
import type { FilterBy } from './data-table-types.ts';
import { useAddressParams } from './use-address-params.ts';

/** One of the values that a column's rows have. */
export interface FilterChoice {
  value: string;
  label: string;
  /** How many rows have it, of those that the other filters leave. */
  rows: number;
}

/** A column that its values filter. */
export interface ColumnFilter {
  id: string;
  header: string;
  /** The values that rows may have; none: any. */
  chosen: readonly string[];
  labelOf: (value: string) => string;
  /** Counts anew with each call. */
  choices: () => FilterChoice[];
}

export interface ColumnFilters {
  columns: readonly ColumnFilter[];
  change: (id: string, values: readonly string[]) => void;
  isOn: boolean;
  /** Clears the filters of all columns, and the text in the address. */
  clearAll: () => void;
}

/**
 * The filters by columns in the address (`?status=live&status=trial`). A value that no row had since the list was
 * opened counts as none: it would hide every row, and no choice could show it.
 */
export function useColumnFilters<Row>(columns: readonly FilterBy<Row>[], rows: readonly Row[] | undefined) {
  const [params, changeParams] = useAddressParams<string>();
  const [seen] = useState(() => new Map<string, Map<string, Row>>());
  const known = useMemo(() => valuesOf(columns, rows ?? [], seen), [columns, rows, seen]);
  const requested = known.map(({ id, labels }) => ({ id, values: params.getAll(id).filter((one) => labels.has(one)) }));
  // The address changes with the text too; the rows are narrowed anew when a filter has changed.
  const key = JSON.stringify(requested);
  const chosen: { id: string; values: string[] }[] = useMemo(() => JSON.parse(key), [key]);
  const passesBut = useCallback(
    (but: string | undefined, row: Row) =>
      chosen.every(({ id, values }) => {
        if (values.length === 0 || id === but) return true;
        return values.includes(columns.find((column) => column.id === id)?.filterBy?.(row) ?? '');
      }),
    [chosen, columns],
  );
  const change = useCallback((id: string, values: readonly string[]) => changeParams({ [id]: values }), [changeParams]);
  const clearAll = useCallback(
    () => changeParams({ q: '', ...Object.fromEntries(chosen.map(({ id }) => [id, []])) }),
    [changeParams, chosen],
  );
  return { known, chosen, passesBut, isOn: chosen.some(({ values }) => values.length > 0), change, clearAll };
}

interface KnownValues<Row> {
  id: string;
  column: FilterBy<Row>;
  labels: ReadonlyMap<string, string>;
}

/**
 * The values of the columns that filter, with what people read of them now. `seen` has a row for each: values stay, as a changed row
 * may have been the last one.
 */
function valuesOf<Row>(
  columns: readonly FilterBy<Row>[],
  rows: readonly Row[],
  seen: Map<string, Map<string, Row>>,
): KnownValues<Row>[] {
  return columns.flatMap((column) => {
    const { id, filterBy, filterValues, text } = column;
    if (!filterBy) return [];
    // All of them are known: no row is asked for its value.
    if (filterValues) return [{ id, column, labels: new Map(Object.entries(filterValues)) }];
    const examples = seen.get(id) ?? new Map<string, Row>();
    seen.set(id, examples);
    for (const row of rows) examples.set(filterBy(row), row);
    const labels = [...examples].map(([value, row]) => [value, text?.(row) ?? value] as const);
    return [{ id, column, labels: new Map(labels) }];
  });
}

/** The choices of a column, by their labels, with the number of rows that `counts` lets pass. */
export function choicesOf<Row>(
  { column, labels }: KnownValues<Row>,
  rows: readonly Row[],
  counts: (row: Row) => boolean,
): FilterChoice[] {
  const numbers = new Map<string, number>();
  for (const row of rows) {
    if (!counts(row)) continue;
    const value = column.filterBy?.(row) ?? '';
    numbers.set(value, (numbers.get(value) ?? 0) + 1);
  }
  return [...labels]
    .map(([value, label]) => ({ value, label, rows: numbers.get(value) ?? 0 }))
    .sort((one, other) => one.label.localeCompare(other.label));
}
