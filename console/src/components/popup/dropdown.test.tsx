import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Dropdown } from './dropdown.tsx';

function renderMenu() {
  render(
    <>
      <Dropdown head={<span>ada@apotheca.test</span>} headLabel="Account">
        {(close) => (
          <>
            <a href="#profile">Profile</a>
            <button type="button" onClick={close}>
              Sign Out
            </button>
          </>
        )}
      </Dropdown>
      <button type="button" onClick={(event) => event.stopPropagation()}>
        Elsewhere
      </button>
    </>,
  );
  return { head: screen.getByRole('button', { name: /Account/ }), user: userEvent.setup() };
}

const isOpen = () => screen.queryByRole('link', { name: 'Profile' }) !== null;

test('a click on the head opens and closes it [§2.20]', async () => {
  const { head, user } = renderMenu();
  expect(isOpen()).toBe(false);
  expect(head.getAttribute('aria-expanded')).toBe('false');
  await user.click(head);
  expect(isOpen()).toBe(true);
  expect(head.getAttribute('aria-expanded')).toBe('true');
  await user.click(screen.getByText('ada@apotheca.test'));
  expect(isOpen()).toBe(false);
});

test('a click outside closes it, even one whose propagation is stopped [§2.20]', async () => {
  const { head, user } = renderMenu();
  await user.click(head);
  await user.click(screen.getByRole('button', { name: 'Elsewhere' }));
  expect(isOpen()).toBe(false);
  await user.click(head);
  await user.click(document.body);
  expect(isOpen()).toBe(false);
});

test('a click inside leaves it open until the content closes it [§2.20]', async () => {
  const { head, user } = renderMenu();
  await user.click(head);
  await user.click(screen.getByRole('link', { name: 'Profile' }));
  expect(isOpen()).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Sign Out' }));
  expect(isOpen()).toBe(false);
});

test('Escape closes it and gives the focus back to the head [§2.20]', async () => {
  const { head, user } = renderMenu();
  await user.click(head);
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Profile' }));
  await user.keyboard('{Escape}');
  expect(isOpen()).toBe(false);
  expect(document.activeElement).toBe(head);
});

test('arrow keys, Home and End move through its items and go round [§2.20]', async () => {
  const { head, user } = renderMenu();
  await user.click(head);
  const link = screen.getByRole('link', { name: 'Profile' });
  const button = screen.getByRole('button', { name: 'Sign Out' });
  for (const [key, target] of [
    ['ArrowDown', link],
    ['ArrowDown', button],
    ['ArrowDown', link],
    ['ArrowUp', button],
    ['Home', link],
    ['End', button],
  ] as const) {
    await user.keyboard(`{${key}}`);
    expect(document.activeElement).toBe(target);
  }
});

test('ArrowDown on the head opens it; leaving with Tab closes it [§2.20]', async () => {
  const { user } = renderMenu();
  await user.tab();
  await user.keyboard('{ArrowDown}');
  expect(isOpen()).toBe(true);
  await user.tab();
  await user.tab();
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Elsewhere' }));
  expect(isOpen()).toBe(false);
});

test.each([
  { where: 'below the head', top: 100, style: { top: '124px', maxHeight: '268px' } },
  { where: 'above the head', top: 300, style: { top: '8px', maxHeight: '288px' } },
])('is no higher than the space $where, and scrolls [§2.20]', async ({ top, style }) => {
  vi.stubGlobal('innerHeight', 400);
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(500);
  const { head, user } = renderMenu();
  vi.spyOn(head, 'getBoundingClientRect').mockReturnValue(new DOMRect(10, top, 80, 20));
  await user.click(head);
  const panel = screen.getByRole('link', { name: 'Profile' }).closest<HTMLElement>('.dropdown-panel');
  expect(panel?.style).toMatchObject(style);
  vi.unstubAllGlobals();
});
