import { act, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { useHeldRows } from './use-held-rows.ts';

interface ListProps {
  /** 'a1' is the row a as it first was, 'a2' the same one later. */
  sent: string[] | undefined;
  list?: string;
  room?: number;
}

const idOf = (row: string) => row.slice(0, 1);

function List({ sent, list, room }: ListProps) {
  const { rows, isGone, setBox } = useHeldRows(sent, { idOf, list, room });
  return (
    <>
      {rows && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: as the box of a table, which scrolls.
        <section ref={setBox} aria-label="List" tabIndex={0}>
          {rows.map((row) => (
            <button type="button" key={idOf(row)}>
              {isGone(row) ? `${row} gone` : row}
            </button>
          ))}
        </section>
      )}
      <button type="button">Elsewhere</button>
    </>
  );
}

function renderList(first: ListProps) {
  const { rerender, container } = render(<List {...first} />);
  return {
    user: userEvent.setup(),
    container,
    send: (sent: string[] | undefined, list = first.list) => rerender(<List {...first} {...{ sent, list }} />),
  };
}

const shown = () => [...document.querySelectorAll('section button')].map(({ textContent }) => textContent);
const box = () => screen.getByRole('region', { name: 'List' });
const row = (name: string) => screen.getByRole('button', { name });
const elsewhere = () => screen.getByRole('button', { name: 'Elsewhere' });

test('a list that nobody uses is as it was sent [§2.20]', () => {
  const { send } = renderList({ sent: ['a1', 'b1'] });
  send(['c1', 'b2']);
  expect(shown()).toEqual(['c1', 'b2']);
});

test('under the pointer rows stay in their places with what is new about them; then the list is as it was sent [§2.20]', async () => {
  const { user, send } = renderList({ sent: ['a1', 'b1', 'c1'] });
  await user.hover(row('b1'));
  send(['d1', 'c2', 'b2']);
  expect(shown()).toEqual(['a1 gone', 'b2', 'c2']);
  send(['d1', 'a3', 'c3']);
  expect(shown()).toEqual(['a3', 'b2 gone', 'c3']);
  await user.hover(elsewhere());
  expect(shown()).toEqual(['d1', 'a3', 'c3']);
});

test('new rows come at the end, as many as there is room for [§2.20]', async () => {
  const { user, send } = renderList({ sent: ['a1'], room: 2 });
  await user.hover(row('a1'));
  send(['b1', 'a1']);
  send(['d1', 'c1', 'b1', 'a1']);
  expect(shown()).toEqual(['a1', 'b1', 'd1']);
  send(['c1']);
  expect(shown()).toEqual(['a1 gone', 'b1 gone', 'd1 gone']);
});

test('while something in it has the focus the list is held, also when the pointer has left [§2.20]', async () => {
  const { user, send } = renderList({ sent: ['a1', 'b1'] });
  await user.click(row('a1'));
  await user.hover(elsewhere());
  send(['b1']);
  expect(shown()).toEqual(['a1 gone', 'b1']);
  expect(document.activeElement).toBe(row('a1 gone'));
  await user.click(elsewhere());
  expect(shown()).toEqual(['b1']);
});

test('the focus on the box itself, as after a click beside its rows, holds nothing [§2.20]', () => {
  const { send } = renderList({ sent: ['a1'] });
  act(() => box().focus());
  send(['b1']);
  expect(shown()).toEqual(['b1']);
});

test('a focused element that is removed holds nothing any more [§2.20]', () => {
  const { send } = renderList({ sent: ['a1', 'b1'], list: 'one' });
  act(() => row('a1').focus());
  send(['b1', 'c1'], 'other');
  expect(document.activeElement).toBe(document.body);
  send(['c1'], 'other');
  expect(shown()).toEqual(['c1']);
});

test('a touch holds the list until the next one elsewhere, as a lifted finger comes back to the same place [§2.20]', () => {
  const { send } = renderList({ sent: ['a1'] });
  const touch = { pointerType: 'touch' };
  fireEvent.pointerDown(row('a1'), touch);
  fireEvent.pointerLeave(document.documentElement, touch);
  send(['b1']);
  expect(shown()).toEqual(['a1 gone']);
  fireEvent.pointerDown(elsewhere(), touch);
  expect(shown()).toEqual(['b1']);
});

test.each([
  ['leaves the window', () => fireEvent.pointerLeave(document.documentElement, { pointerType: 'mouse' })],
  ['is in a window that is not used any more', () => fireEvent.blur(window)],
])('a mouse that %s holds nothing, until it is back [§2.20]', async (_how, away) => {
  const { user, send } = renderList({ sent: ['a1'] });
  await user.hover(row('a1'));
  send(['b1']);
  away();
  expect(shown()).toEqual(['b1']);
  fireEvent.pointerMove(row('b1'));
  send(['c1']);
  expect(shown()).toEqual(['b1 gone']);
});

test('a pointer that has rested over the list holds it as soon as the window is used again [§2.20]', () => {
  const { send } = renderList({ sent: ['a1'] });
  fireEvent.blur(window);
  vi.spyOn(box(), 'matches').mockImplementation((selector) => selector === ':hover');
  fireEvent.focus(window);
  send(['b1']);
  expect(shown()).toEqual(['a1 gone']);
});

test('another list in the same place begins as it was sent, and so does one whose box was away [§2.20]', async () => {
  const { user, send } = renderList({ sent: ['a1'], list: 'one' });
  await user.hover(row('a1'));
  send(['b1'], 'other');
  expect(shown()).toEqual(['b1']);
  send(['c1'], 'other');
  expect(shown()).toEqual(['b1 gone']);
  send(undefined, 'other');
  send(['d1'], 'other');
  send(['e1'], 'other');
  expect(shown()).toEqual(['e1']);
});

test('a list without rows takes the first ones, wherever the pointer is [§2.20]', async () => {
  const { user, send } = renderList({ sent: [] });
  await user.hover(box());
  send(['a1']);
  expect(shown()).toEqual(['a1']);
});
