import { renderHook } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import type { FilterBy } from './data-table-types.ts';
import { useColumnFilters } from './use-column-filters.ts';

interface Row {
  city: string;
  isOn: boolean;
}

const ROWS: Row[] = [
  { city: 'Everett', isOn: true },
  { city: 'Tacoma', isOn: false },
];

const filtersOf = (columns: readonly FilterBy<Row>[], address: string) =>
  renderHook(() => useColumnFilters(columns, ROWS), {
    wrapper: ({ children }) => <MemoryRouter initialEntries={[address]}>{children}</MemoryRouter>,
  }).result.current;

test('a filter whose values are known asks no row until one is chosen; another one finds them in the rows [§2.6]', () => {
  const isOn = vi.fn((row: Row) => (row.isOn ? 'on' : 'off'));
  const columns: FilterBy<Row>[] = [
    { id: 'state', header: 'State', filterBy: isOn, filterValues: { on: 'On', off: 'Off' } },
    { id: 'city', header: 'City', filterBy: ({ city }) => city },
  ];
  const { known } = filtersOf(columns, '/');
  expect(known.map(({ labels }) => [...labels.keys()])).toEqual([
    ['on', 'off'],
    ['Everett', 'Tacoma'],
  ]);
  expect(isOn).not.toHaveBeenCalled();
  const { passesBut } = filtersOf(columns, '/?state=off');
  expect(ROWS.filter((row) => passesBut(undefined, row))).toEqual([ROWS[1]]);
});

test('the choices have the words of the columns as they are now, also where no row has the value any more [§2.6]', () => {
  const inWords = (on: string, off: string): FilterBy<Row>[] => [
    { id: 'state', header: 'State', filterBy: ({ isOn }) => String(isOn), text: ({ isOn }) => (isOn ? on : off) },
  ];
  const { result, rerender } = renderHook(({ columns, rows }) => useColumnFilters(columns, rows), {
    initialProps: { columns: inWords('Active', 'Inactive'), rows: ROWS },
    wrapper: ({ children }) => <MemoryRouter>{children}</MemoryRouter>,
  });
  const words = () => result.current.known.map(({ labels }) => [...labels.values()]);
  expect(words()).toEqual([['Active', 'Inactive']]);
  const left = ROWS.slice(0, 1);
  rerender({ columns: inWords('Active', 'Inactive'), rows: left });
  expect(words()).toEqual([['Active', 'Inactive']]);
  rerender({ columns: inWords('Activo', 'Inactivo'), rows: left });
  expect(words()).toEqual([['Activo', 'Inactivo']]);
});
