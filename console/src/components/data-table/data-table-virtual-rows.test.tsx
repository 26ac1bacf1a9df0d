import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Button } from '../button/button.tsx';
import { type Column, DataTable } from './data-table.tsx';
import type { Place } from './use-place.ts';

interface Row {
  id: string;
}

const COLUMNS: Column<Row>[] = [{ id: 'id', header: 'Id', width: 100, pinned: true, cell: (row) => row.id }];
const rowsTo = (count: number): Row[] => Array.from({ length: count }, (_, index) => ({ id: `row ${index + 1}` }));
const rowActions = (row: Row) => <Button>Edit {row.id}</Button>;

function tableOf(rows: Row[] | undefined, more: Partial<ComponentProps<typeof DataTable<Row>>> = {}) {
  return (
    <DataTable
      {...more}
      label="Long"
      columns={COLUMNS}
      rows={rows}
      rowKey={(row) => row.id}
      isLoading={false}
      emptyText=""
      emptyHint={undefined}
      rowActions={rowActions}
    />
  );
}

const shown = () => [...document.querySelectorAll('tbody th')].map((cell) => cell.textContent);

const scroller = () => screen.getByRole('region', { name: 'Long' });

const scrollTo = (top: number) => fireEvent.scroll(scroller(), { target: { scrollTop: top } });

beforeEach(() => {
  // jsdom has no layout: a box of 440 px shows ten rows of 44 px.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(440);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(440);
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(440_000);
});

test('up to 300 rows are all drawn, a screenful of them at once [§9]', async () => {
  render(tableOf(rowsTo(300)));
  expect(shown()).toContain('row 15');
  expect(shown().length).toBeLessThan(50);
  await waitFor(() => expect(shown()).toHaveLength(300));
});

test('a filter that finds more rows again draws them in turns too [§9]', async () => {
  const { rerender } = render(tableOf(rowsTo(300)));
  await waitFor(() => expect(shown()).toHaveLength(300));
  rerender(tableOf(rowsTo(3)));
  expect(shown()).toHaveLength(3);
  rerender(tableOf(rowsTo(300)));
  expect(shown().length).toBeLessThan(50);
  await waitFor(() => expect(shown()).toHaveLength(300));
});

test('End leads to the last of 300 rows before it was its turn [§9]', async () => {
  const frames = vi.spyOn(window, 'requestAnimationFrame').mockReturnValue(0);
  render(tableOf(rowsTo(300)));
  screen.getByRole('button', { name: 'Edit row 1' }).focus();
  await userEvent.keyboard('{End}');
  expect(document.activeElement?.textContent).toBe('Edit row 300');
  expect(frames).toHaveBeenCalled();
});

test('of more rows the visible ones are drawn, with their index in the whole list and the count of all [§9]', () => {
  render(tableOf(rowsTo(10_000)));
  expect(shown()).toContain('row 10');
  expect(shown().length).toBeLessThan(30);
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('10001');
  expect(screen.getByRole('status').textContent).toBe('Displaying 10,000 of 10,000 results');
  scrollTo(44 * 5000);
  expect(shown()).toContain('row 5005');
  expect(shown()).not.toContain('row 1');
  expect(screen.getByRole('rowheader', { name: 'row 5005' }).closest('tr')?.getAttribute('aria-rowindex')).toBe('5006');
});

test('rows and spacers together are as high as the whole list [§9]', () => {
  const { container } = render(tableOf(rowsTo(10_000)));
  scrollTo(44 * 5000);
  const spacers = [...container.querySelectorAll<HTMLElement>('.spacer td')].map((cell) =>
    Number.parseFloat(cell.style.height),
  );
  expect(spacers.reduce((sum, height) => sum + height, 0) + shown().length * 44).toBe(440_000);
});

/** Notes the names of the rows that are scrolled into view. */
function watchScrolled() {
  const scrolled = vi.fn();
  Element.prototype.scrollIntoView = function scrollIntoView() {
    scrolled(this.querySelector('th')?.textContent);
  };
  onTestFinished(() => void Reflect.deleteProperty(Element.prototype, 'scrollIntoView'));
  return scrolled;
}

test('a marked row is drawn wherever it is, and scrolled to [§2.6]', async () => {
  const scrolled = watchScrolled();
  for (const count of [300, 10_000]) {
    scrolled.mockClear();
    const { unmount, rerender } = render(tableOf(rowsTo(count)));
    expect(scrolled).not.toHaveBeenCalled();
    rerender(tableOf(rowsTo(count), { markedKey: 'row 280' }));
    await waitFor(() => expect(scrolled.mock.calls).toEqual([['row 280']]));
    const row = screen.getByRole('rowheader', { name: 'row 280' }).closest('tr');
    expect([row?.className, row?.getAttribute('aria-rowindex')]).toEqual(['marked', '281']);
    rerender(tableOf(rowsTo(count)));
    expect(document.querySelector('tr.marked')).toBeNull();
    unmount();
  }
});

test('a filter shows the first rows that it finds, wherever the list was scrolled to [§2.6]', () => {
  const { rerender } = render(tableOf(rowsTo(10_000), { narrowing: 'all' }));
  scrollTo(44 * 5000);
  rerender(tableOf(rowsTo(3000), { narrowing: 'all' }));
  expect(scroller().scrollTop).toBe(44 * 5000);
  rerender(tableOf(rowsTo(2000), { narrowing: 'clinic' }));
  expect(scroller().scrollTop).toBe(0);
  fireEvent.scroll(scroller());
  expect(shown()).toContain('row 1');
});

test('a row that was just made stays in sight when the filter that hid it is cleared [§2.6]', () => {
  const scrolled = watchScrolled();
  const { rerender } = render(tableOf(rowsTo(10_000), { markedKey: 'row 4000', narrowing: 'all but one filter' }));
  scrollTo(44 * 4000);
  scrolled.mockClear();
  rerender(tableOf(rowsTo(10_000), { markedKey: 'row 4000', narrowing: 'all' }));
  expect(scrolled.mock.calls).toEqual([['row 4000']]);
  expect(scroller().scrollTop).toBe(44 * 4000);
});

test.each([300, 10_000])(
  'a list of %i rows stands where it was left, with the focus in the row that had it [§2.6]',
  (count) => {
    const place: Place = { top: 0, left: { top: 44 * 250, row: '252' } };
    const { rerender } = render(tableOf(undefined, { place }));
    expect(document.activeElement).toBe(document.body);
    rerender(tableOf(rowsTo(count), { place }));
    expect(scroller().scrollTop).toBe(44 * 250);
    expect(shown()).toContain('row 255');
    expect(document.activeElement?.textContent).toBe('Edit row 253');
    // Once only: it is scrolled on, and loaded again.
    scrollTo(44 * 100);
    rerender(tableOf(undefined, { place }));
    rerender(tableOf(rowsTo(count), { place }));
    expect(scroller().scrollTop).toBe(44 * 100);
  },
);

test('a list that stands where it was left takes the focus from nothing [§2.6]', () => {
  const menu = document.body.appendChild(document.createElement('button'));
  onTestFinished(() => menu.remove());
  menu.focus();
  render(tableOf(rowsTo(300), { place: { top: 0, left: { top: 44 * 250, row: '252' } } }));
  expect(document.activeElement).toBe(menu);
});

test('where a list stands is noted: how far it is scrolled, and the row with the focus [§2.6]', async () => {
  const place: Place = { top: 0 };
  render(tableOf(rowsTo(10_000), { place }));
  scrollTo(44 * 5000);
  await userEvent.click(screen.getByRole('button', { name: 'Edit row 5003' }));
  expect(place).toEqual({ top: 44 * 5000, row: '5002' });
});

test('the focused row stays when it scrolls out of view, and after a sort [§9]', async () => {
  const rows = rowsTo(1000);
  const { rerender } = render(tableOf(rows));
  await userEvent.click(screen.getByRole('button', { name: 'Edit row 3' }));
  scrollTo(44 * 500);
  expect(document.activeElement?.textContent).toBe('Edit row 3');
  rerender(tableOf([...rows].reverse()));
  expect(document.activeElement?.textContent).toBe('Edit row 3');
});

test('End and Home lead to rows that were not drawn [§9]', async () => {
  render(tableOf(rowsTo(10_000)));
  await userEvent.click(screen.getByRole('button', { name: 'Edit row 3' }));
  await userEvent.keyboard('{End}');
  expect(document.activeElement?.textContent).toBe('Edit row 10000');
  await userEvent.keyboard('{Home}j');
  expect(document.activeElement?.textContent).toBe('Edit row 2');
});
