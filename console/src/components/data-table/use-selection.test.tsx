import { fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { type Column, DataTable } from './data-table.tsx';
import { useSelection } from './use-selection.ts';

interface Row {
  id: string;
}

const COLUMNS: Column<Row>[] = [{ id: 'id', header: 'Id', width: 100, cell: (row) => row.id, text: (row) => row.id }];
const rowsTo = (count: number): Row[] => Array.from({ length: count }, (_, index) => ({ id: `row ${index + 1}` }));
const rowKey = ({ id }: Row) => id;

function List({ rows }: { rows: Row[] }) {
  const selection = useSelection({ rows, rowKey });
  return (
    <>
      <DataTable
        label="Rows"
        columns={COLUMNS}
        rows={rows}
        rowKey={rowKey}
        isLoading={false}
        emptyText=""
        emptyHint={undefined}
        selection={selection}
      />
      <output>{selection.selected.map(rowKey).join(', ')}</output>
    </>
  );
}

const selected = () => document.querySelector('output')?.textContent;
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });

test('a click selects a row, Shift the range, also upwards, and a second one takes it back [§2.25]', async () => {
  render(<List rows={rowsTo(6)} />);
  await userEvent.click(box('Select row 4'));
  fireEvent.click(box('Select row 2'), { shiftKey: true });
  expect(selected()).toBe('row 2, row 3, row 4');
  fireEvent.click(box('Select row 3'), { shiftKey: true });
  expect(selected()).toBe('row 4');
});

test('the head selects all rows, also those that are not drawn, then none [§2.25]', async () => {
  render(<List rows={rowsTo(10_000)} />);
  await userEvent.click(box('Select all 10,000 that match'));
  expect(selected()?.split(', ')).toHaveLength(10_000);
  await userEvent.click(box('Select all 10,000 that match'));
  expect(selected()).toBe('');
});

test('the head shows when some rows are selected; Escape clears [§2.25]', async () => {
  render(<List rows={rowsTo(3)} />);
  await userEvent.click(box('Select row 2'));
  expect(box('Select all 3 that match').indeterminate).toBe(true);
  await userEvent.keyboard('{Escape}');
  expect(selected()).toBe('');
});

test('a row that leaves the list leaves the selection; one that a filter hid comes back with it [§2.25]', async () => {
  const rows = rowsTo(3);
  const { rerender } = render(<List rows={rows} />);
  await userEvent.click(box('Select row 1'));
  await userEvent.click(box('Select row 3'));
  rerender(<List rows={rows.slice(0, 2)} />);
  expect(selected()).toBe('row 1');
  rerender(<List rows={[...rows].reverse()} />);
  expect(selected()).toBe('row 3, row 1');
});
