import { screen, within } from '@testing-library/react';

/** Waits for the row whose name has that in it, a pattern. */
export const findRow = (name: string): Promise<HTMLElement> => screen.findByRole('row', { name: new RegExp(name) });

/** The names of the rows that are shown, without the signs behind them. */
export const shownNames = () =>
  screen.getAllByRole('rowheader').map((cell) => (cell.querySelector('.row-name > :first-child') ?? cell).textContent);

/** The texts of a row, without those of its buttons. */
export const textsOf = (row: HTMLElement) =>
  [...within(row).queryAllByRole('rowheader'), ...within(row).getAllByRole('cell').slice(0, -1)].map(
    (cell) => cell.textContent,
  );

export const sortOf = (header: string) => screen.getByRole('columnheader', { name: header }).getAttribute('aria-sort');

/** What the notice above the rows says; the toast about the same is another element. */
export const failureNotice = () => document.querySelector('.data-table [role=alert]')?.textContent;
