import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { type Column, DataTable } from './data-table.tsx';
import { HiddenRowNotice } from './hidden-row-notice.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useSelection } from './use-selection.ts';

interface Row {
  id: string;
}

const COLUMNS: Column<Row>[] = [{ id: 'id', header: 'Id', width: 100, cell: (row) => row.id, text: (row) => row.id }];
const ROWS: Row[] = [{ id: 'first' }, { id: 'second' }];
const rowKey = ({ id }: Row) => id;

/** A list with what stands below its rows and goes away by its own buttons. */
function List() {
  const selection = useSelection({ rows: ROWS, rowKey });
  const [isHidden, setHidden] = useState(true);
  const passing = (
    <>
      {isHidden && <HiddenRowNotice text="It is hidden." onShow={() => {}} onDismiss={() => setHidden(false)} />}
      {selection.selected.length > 0 && (
        <SelectionBar total={ROWS.length} selection={selection} actions={null} onExport={() => {}} />
      )}
    </>
  );
  return (
    <DataTable
      label="Rows"
      columns={COLUMNS}
      rows={ROWS}
      rowKey={rowKey}
      isLoading={false}
      emptyText=""
      emptyHint={undefined}
      selection={selection}
      passing={passing}
    />
  );
}

test.each(['Dismiss', 'Select all 2 that match', 'Clear selection'])(
  'the list has the focus once the button %s is gone [§2.20]',
  async (name) => {
    render(<List />);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select first' }));
    await userEvent.click(screen.getByRole('button', { name }));
    expect(screen.queryByRole('button', { name })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Rows' }));
  },
);
