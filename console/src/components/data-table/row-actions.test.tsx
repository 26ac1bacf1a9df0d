import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Copy, Eye, History, Trash2 } from 'lucide-react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { type RowAction, RowActions } from './row-actions.tsx';

afterEach(() => vi.unstubAllGlobals());

const onPhone = () =>
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));

const view = { icon: Eye, label: 'View CEDARVA', to: '/tenants/CEDARVA' };

function renderActions(actions?: readonly RowAction[]) {
  const [onCopy, onDelete] = [vi.fn(), vi.fn()];
  const all = [
    view,
    { icon: Trash2, label: 'Delete CEDARVA', danger: true, inMenu: true, onSelect: onDelete },
    { icon: Copy, label: 'Copy CEDARVA', onSelect: onCopy },
    { icon: History, label: 'History of CEDARVA', inMenu: true, onSelect() {} },
  ];
  render(
    <MemoryRouter>
      <RowActions name="CEDARVA" actions={actions ?? all} />
    </MemoryRouter>,
  );
  return { onCopy, onDelete };
}

const names = (role: 'button' | 'link' | 'menuitem') =>
  screen.queryAllByRole(role).map((one) => one.title || one.textContent);

test('a row has buttons, and a menu of the rarer actions [§2.6]', async () => {
  const { onCopy } = renderActions();
  expect(names('link')).toEqual(['View CEDARVA']);
  expect(names('button')).toEqual(['Copy CEDARVA', 'More actions for CEDARVA']);
  await userEvent.click(screen.getByRole('button', { name: 'Copy CEDARVA' }));
  expect(onCopy).toHaveBeenCalledOnce();
});

test('what deletes stands last in a menu, behind a line [§2.6]', async () => {
  const { onDelete } = renderActions();
  await userEvent.click(screen.getByRole('button', { name: 'More actions for CEDARVA' }));
  const menu = screen.getByRole('menu');
  expect([...menu.children].map((one) => one.textContent)).toEqual(['History of CEDARVA', '', 'Delete CEDARVA']);
  expect(within(menu).getByRole('separator').nextElementSibling?.className).toContain('dropdown-item-danger');
  await userEvent.keyboard('{End}{Enter}');
  expect(onDelete).toHaveBeenCalledOnce();
});

test('a card has one button for all of them, links among them [§2.6]', async () => {
  onPhone();
  const { onCopy } = renderActions();
  expect(names('button')).toEqual(['Actions for CEDARVA']);
  await userEvent.click(screen.getByRole('button'));
  expect(names('menuitem')).toEqual(['View CEDARVA', 'Copy CEDARVA', 'History of CEDARVA', 'Delete CEDARVA']);
  expect(screen.getByRole('menuitem', { name: 'View CEDARVA' }).getAttribute('href')).toBe('/tenants/CEDARVA');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(onCopy).toHaveBeenCalledOnce();
});

test('a single action is a button on a card too [§2.6]', () => {
  onPhone();
  renderActions([view]);
  expect(names('link')).toEqual(['View CEDARVA']);
  expect(names('button')).toEqual([]);
});

test('a button that can do nothing now keeps the focus and is inert [§2.6]', async () => {
  const onSelect = vi.fn();
  renderActions([{ icon: Copy, label: 'Move CEDARVA up', disabled: true, onSelect }]);
  await userEvent.click(screen.getByRole('button', { name: 'Move CEDARVA up' }));
  expect(onSelect).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move CEDARVA up' }));
});
