import { fireEvent } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { watchLinks } from './watch-links.ts';

const near = vi.fn();
let stop: (() => void) | undefined;

function watch() {
  document.body.innerHTML =
    '<a href="/users"><span>Users</span></a><a href="https://other.test/users">Other</a><p>Text</p>';
  stop = watchLinks(near);
}
const find = (selector: string) => document.querySelector(selector) ?? document.body;

afterEach(() => {
  stop?.();
  near.mockClear();
});

test.each(['mouseOver', 'focusIn', 'touchStart'] as const)(
  'tells of a link at %s, also of what is in it [§2.2]',
  (event) => {
    watch();
    fireEvent[event](find('span'));
    expect(near.mock.calls).toEqual([['/users']]);
  },
);

test('says nothing of other elements and of other sites, nor after it was stopped [§2.2]', () => {
  watch();
  fireEvent.mouseOver(find('p'));
  fireEvent.mouseOver(find('a[href^="https"]'));
  stop?.();
  fireEvent.mouseOver(find('span'));
  expect(near).not.toHaveBeenCalled();
});
