import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Button } from '../button/button.tsx';
import { type Column, DataTable } from './data-table.tsx';

interface Row {
  id: string;
}

const COLUMNS: Column<Row>[] = [{ id: 'id', header: 'Id', width: 100, pinned: true, cell: (row) => row.id }];
const rowsTo = (count: number): Row[] => Array.from({ length: count }, (_, index) => ({ id: `row ${index + 1}` }));
const rowActions = (row: Row) => <Button>Edit {row.id}</Button>;

function tableOf(rows: Row[], markedKey?: string, narrowing?: string) {
  return (
    <DataTable
      narrowing={narrowing}
      label="Long"
      columns={COLUMNS}
      rows={rows}
      markedKey={markedKey}
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
    rerender(tableOf(rowsTo(count), 'row 280'));
    await waitFor(() => expect(scrolled.mock.calls).toEqual([['row 280']]));
    const row = screen.getByRole('rowheader', { name: 'row 280' }).closest('tr');
    expect([row?.className, row?.getAttribute('aria-rowindex')]).toEqual(['marked', '281']);
    rerender(tableOf(rowsTo(count)));
    expect(document.querySelector('tr.marked')).toBeNull();
    unmount();
  }
});

test('a filter shows the first rows that it finds, wherever the list was scrolled to [§2.6]', () => {
  const { rerender } = render(tableOf(rowsTo(10_000), undefined, 'all'));
  scrollTo(44 * 5000);
  rerender(tableOf(rowsTo(3000), undefined, 'all'));
  expect(scroller().scrollTop).toBe(44 * 5000);
  rerender(tableOf(rowsTo(2000), undefined, 'clinic'));
  expect(scroller().scrollTop).toBe(0);
  fireEvent.scroll(scroller());
  expect(shown()).toContain('row 1');
});

test('a row that was just made stays in sight when the filter that hid it is cleared [§2.6]', () => {
  const scrolled = watchScrolled();
  const { rerender } = render(tableOf(rowsTo(10_000), 'row 4000', 'all but one filter'));
  scrollTo(44 * 4000);
  scrolled.mockClear();
  rerender(tableOf(rowsTo(10_000), 'row 4000', 'all'));
  expect(scrolled.mock.calls).toEqual([['row 4000']]);
  expect(scroller().scrollTop).toBe(44 * 4000);
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
