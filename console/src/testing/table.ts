import { screen, within } from '@testing-library/react';

/** Waits for the row whose name matches the pattern. */
export const findRow = (name: string): Promise<HTMLElement> => screen.findByRole('row', { name: new RegExp(name) });

/** The names of the shown rows, without their badges. */
export const shownNames = () =>
  screen.getAllByRole('rowheader').map((cell) => (cell.querySelector('.row-name > :first-child') ?? cell).textContent);

/** The texts of a row, without those of its buttons. */
export const textsOf = (row: HTMLElement) =>
  [...within(row).queryAllByRole('rowheader'), ...within(row).getAllByRole('cell').slice(0, -1)]
    .filter((cell) => !cell.matches('.select-cell'))
    .map((cell) => cell.textContent);

export const sortOf = (header: string) => screen.getByRole('columnheader', { name: header }).getAttribute('aria-sort');

/** The text of the notice below the rows; a toast may show the same text. */
export const failureNotice = () => document.querySelector('.data-table [role=alert]')?.textContent;
