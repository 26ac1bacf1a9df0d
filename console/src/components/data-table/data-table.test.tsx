import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { expect, test, vi } from 'vitest';
import { Button } from '../button/button.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { RowName } from './row-name.tsx';

interface Tenant {
  id: string;
  name: string;
  city: string;
}

const ROWS: Tenant[] = [
  { id: 'a', name: 'Cedar Valley', city: 'Springfield' },
  { id: 'b', name: 'Lakeside', city: 'Green Bay' },
];
const COLUMNS: Column<Tenant>[] = [
  { id: 'name', header: 'Customer Name', sortKey: 'customerCode', width: 200, pinned: true, cell: (row) => row.name },
  { id: 'city', header: 'City', sortKey: 'city', width: 100, cell: (row) => row.city, text: (row) => row.city },
  { id: 'phone', header: 'Phone', width: 100, align: 'end', cell: () => '555' },
];

function tableOf(props: Partial<ComponentProps<typeof DataTable<Tenant>>> = {}) {
  return (
    <DataTable
      label="Tenants"
      columns={COLUMNS}
      rows={ROWS}
      rowKey={(row) => row.id}
      isLoading={false}
      emptyText="Tenants would be here."
      emptyHint={undefined}
      {...props}
    />
  );
}

const headOf = (name: string) => screen.getByRole('columnheader', { name });

test('is a table with a row header, one cell per column and the count below [§2.6]', () => {
  render(tableOf());
  const table = screen.getByRole('table', { name: 'Tenants' });
  expect(table.getAttribute('aria-rowcount')).toBe('3');
  const row = screen.getByRole('rowheader', { name: 'Lakeside' }).closest('tr');
  expect(row?.getAttribute('aria-rowindex')).toBe('3');
  expect(screen.getByRole('cell', { name: 'Green Bay' }).title).toBe('Green Bay');
  expect(screen.getByRole('status').textContent).toBe('Displaying 2 of 2 results');
});

test('says how many of all rows a filter shows [§2.6]', () => {
  render(tableOf({ rows: ROWS.slice(1), total: 2 }));
  expect(screen.getByRole('status').textContent).toBe('Displaying 1 of 2 results');
});

test('a click on the sorted column reverses the order, a click on another one sorts ascending [§2.6]', async () => {
  const onSortChange = vi.fn();
  const sorted = (direction: 'asc' | 'desc') => tableOf({ sort: { column: 'city', direction }, onSortChange });
  const { rerender } = render(sorted('asc'));
  expect(headOf('City').getAttribute('aria-sort')).toBe('ascending');
  expect(headOf('Customer Name').hasAttribute('aria-sort')).toBe(false);
  await userEvent.click(screen.getByRole('button', { name: 'City' }));
  await userEvent.click(screen.getByRole('button', { name: 'Customer Name' }));
  rerender(sorted('desc'));
  expect(headOf('City').getAttribute('aria-sort')).toBe('descending');
  await userEvent.click(screen.getByRole('button', { name: 'City' }));
  await userEvent.click(screen.getByRole('button', { name: 'Customer Name' }));
  expect(onSortChange.mock.calls.map(([sort]) => sort)).toEqual([
    { column: 'city', direction: 'desc' },
    { column: 'customerCode', direction: 'asc' },
    { column: 'city', direction: 'asc' },
    { column: 'customerCode', direction: 'asc' },
  ]);
});

test('a column without a sort key cannot be sorted [§2.6]', () => {
  render(tableOf({ onSortChange() {} }));
  expect(within(headOf('Phone')).queryByRole('button')).toBeNull();
});

test('each row has its own actions [§2.6]', async () => {
  const onEdit = vi.fn();
  render(tableOf({ rowActions: (row) => <Button onClick={() => onEdit(row.id)}>Edit {row.name}</Button> }));
  await userEvent.click(screen.getByRole('button', { name: 'Edit Lakeside' }));
  expect(onEdit).toHaveBeenCalledExactlyOnceWith('b');
  expect(headOf('Actions')).toBeTruthy();
});

test('the first load shows skeleton rows and no count [§2.6]', () => {
  const { container } = render(tableOf({ rows: undefined, isLoading: true }));
  expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true');
  expect(container.querySelectorAll('.skeleton').length).toBeGreaterThan(0);
  expect(screen.getByRole('status').textContent).toBe('');
  expect(screen.queryByText('Tenants would be here.')).toBeNull();
});

test('a later load keeps the rows and marks the table as busy [§4]', () => {
  render(tableOf({ isFetching: true }));
  expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true');
  expect(screen.getByRole('rowheader', { name: 'Lakeside' })).toBeTruthy();
});

test('an empty list says what would stand there and offers the action [§2.6]', () => {
  render(tableOf({ rows: [], emptyAction: <Button>Create</Button> }));
  expect(screen.getByText('Tenants would be here.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Create' })).toBeTruthy();
  expect(screen.getByRole('status').textContent).toBe('Displaying 0 of 0 results');
});

test('a failed load is an alert with a retry, not an empty list [§8]', async () => {
  const onRetry = vi.fn();
  render(tableOf({ rows: undefined, error: 'The server is away.', onRetry }));
  expect(screen.getByRole('alert').textContent).toContain('The server is away.');
  expect(screen.queryByText('Tenants would be here.')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(onRetry).toHaveBeenCalledOnce();
});

test('a failed reload keeps the loaded rows, and where they stand [§8] [§9]', () => {
  render(tableOf({ error: 'The server is away.' }));
  expect(screen.getByRole('rowheader', { name: 'Lakeside' })).toBeTruthy();
  expect(screen.getByRole('region', { name: 'Tenants' }).nextElementSibling).toBe(screen.getByRole('alert'));
});

test('a row that only moves is not drawn again [§9]', () => {
  const cell = vi.fn((row: Tenant) => row.name);
  const columns: Column<Tenant>[] = [{ id: 'name', header: 'Name', width: 100, cell }];
  const { rerender } = render(tableOf({ columns }));
  rerender(tableOf({ columns, rows: [...ROWS].reverse() }));
  expect(cell).toHaveBeenCalledTimes(2);
  expect(screen.getAllByRole('cell').map((node) => node.textContent)).toEqual(['Lakeside', 'Cedar Valley']);
});

test('the list takes the focus when its focused row disappears [§2.9]', () => {
  const rowActions = (row: Tenant) => <Button>Edit {row.name}</Button>;
  const { rerender } = render(tableOf({ rowActions }));
  screen.getByRole('button', { name: 'Edit Lakeside' }).focus();
  rerender(tableOf({ rowActions, rows: ROWS.slice(0, 1) }));
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Tenants' }));
});

test('the list leaves the focus alone when it is elsewhere [§2.9]', () => {
  const rowActions = (row: Tenant) => <Button>Edit {row.name}</Button>;
  const { rerender } = render(tableOf({ rowActions }));
  const button = screen.getByRole('button', { name: 'Edit Lakeside' });
  button.focus();
  button.blur();
  rerender(tableOf({ rowActions, rows: ROWS.slice(0, 1) }));
  expect(document.activeElement).toBe(document.body);
});

test('a column can stand below another one, and both keep their headings [§2.6]', () => {
  const columns: Column<Tenant>[] = [
    { id: 'name', header: 'Name', width: 100, cell: (row) => row.name },
    { id: 'city', header: 'City', width: 140, below: 'name', sortKey: 'city', cell: (row) => row.city },
  ];
  render(tableOf({ columns, onSortChange() {} }));
  const placeOf = (cell: HTMLElement) => [cell.style.gridColumn, cell.style.gridRow];
  expect(screen.getAllByRole('columnheader').map(placeOf)).toEqual([
    ['1', '1'],
    ['1', '2'],
  ]);
  expect(screen.getAllByRole('cell').slice(0, 2).map(placeOf)).toEqual([
    ['1', '1'],
    ['1', '2'],
  ]);
  screen.getByRole('button', { name: 'City' });
});

test('the columns are ordered, widened and made dense, by keys too, and put back [§2.6]', async () => {
  const user = userEvent.setup();
  const columns: Column<Tenant>[] = [
    { id: 'name', header: 'Name', width: 100, pinned: true, cell: (row) => row.name },
    { id: 'city', header: 'City', width: 140, below: 'name', cell: (row) => row.city },
  ];
  render(tableOf({ columns, name: 'tenants' }));
  const heads = () => screen.getAllByRole('columnheader').map((head) => head.textContent);
  const widths = () => screen.getByRole('table').style.getPropertyValue('--columns').trim();
  const before = widths();
  await user.click(screen.getByRole('button', { name: 'Choose columns' }));
  const up = screen.getByRole('button', { name: 'Move City up' });
  await user.click(up);
  expect(heads()).toEqual(['City', 'Name']);
  expect(document.activeElement).toBe(up);
  const field = screen.getByRole('spinbutton', { name: 'Width of City in pixels' });
  await user.clear(field);
  await user.type(field, '222{Enter}');
  expect(widths()).toContain('222px');
  expect(document.activeElement).toBe(field);
  await user.click(screen.getByRole('button', { name: 'Reset' }));
  expect([heads(), widths()]).toEqual([['Name', 'City'], before]);
  expect(field).toHaveProperty('value', '140');
  await user.click(screen.getByRole('radio', { name: /^Compact/ }));
  expect(widths()).toBe('minmax(100px, 100fr) minmax(140px, 140fr)');
});

test('a row has one tab stop; arrows, j, k, Home and End lead through the list [§9]', async () => {
  const user = userEvent.setup();
  const columns: Column<Tenant>[] = [
    { id: 'name', header: 'Name', width: 100, cell: (row) => <RowName opens={() => {}}>{row.name}</RowName> },
  ];
  const rowActions = (row: Tenant) => (
    <>
      <input type="checkbox" aria-label={`Choose ${row.name}`} />
      <Button>Edit {row.name}</Button>
    </>
  );
  render(tableOf({ columns, rowActions }));
  const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;
  screen.getByRole('region', { name: 'Tenants' }).focus();
  await user.tab();
  expect(focused()).toBe('Cedar Valley');
  await user.tab();
  expect(focused()).toBe('Lakeside');
  await user.keyboard('{ArrowRight}{ArrowRight}');
  expect(focused()).toBe('Edit Lakeside');
  await user.keyboard('k');
  expect(focused()).toBe('Edit Cedar Valley');
  await user.keyboard('{End}');
  expect(focused()).toBe('Edit Lakeside');
  await user.keyboard('{Home}{ArrowLeft}{ArrowLeft}');
  expect(focused()).toBe('Cedar Valley');
  await user.keyboard('j{ArrowDown} ');
  expect(focused()).toBe('Lakeside');
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Choose Lakeside' }).checked).toBe(true);
  // Tab comes back to where the row was left.
  await user.keyboard('{ArrowRight}');
  await user.tab({ shift: true });
  expect(focused()).toBe('Cedar Valley');
  await user.tab();
  expect(focused()).toBe('Choose Lakeside');
});
