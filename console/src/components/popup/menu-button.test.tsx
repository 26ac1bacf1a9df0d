import { fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Modal } from '../dialog/modal.tsx';
import { MenuButton } from './menu-button.tsx';

function renderMenu() {
  const onDelete = vi.fn(() => document.activeElement);
  const onDuplicate = vi.fn();
  render(
    <MenuButton
      label="More actions for LAKESIDE"
      items={[
        { label: 'Duplicate', disabled: true, onSelect: onDuplicate },
        { label: 'Deactivate', onSelect() {} },
        { label: 'Delete', danger: true, onSelect: onDelete },
      ]}
    />,
  );
  return { button: screen.getByRole('button', { name: 'More actions for LAKESIDE' }), onDelete, onDuplicate };
}

test('opens a menu and focuses its first enabled item [§2.20]', async () => {
  const { button } = renderMenu();
  expect(button.getAttribute('aria-haspopup')).toBe('menu');
  await userEvent.click(button);
  expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
    'Duplicate',
    'Deactivate',
    'Delete',
  ]);
  expect(document.activeElement?.textContent).toBe('Deactivate');
});

test('a chosen item closes the menu before it acts, and the button has the focus [§2.20]', async () => {
  const { button, onDelete } = renderMenu();
  await userEvent.click(button);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(onDelete).toHaveBeenCalledOnce();
  expect(onDelete).toHaveReturnedWith(button);
  expect(screen.queryByRole('menu')).toBeNull();
});

test('a disabled item does nothing [§2.20]', async () => {
  const { button, onDuplicate } = renderMenu();
  await userEvent.click(button);
  await userEvent.click(screen.getByRole('menuitem', { name: 'Duplicate' }));
  expect(onDuplicate).not.toHaveBeenCalled();
});

test('Escape closes the menu and not the dialog around it [§2.20]', async () => {
  const onClose = vi.fn();
  render(
    <Modal show title="Manage Tenant" footer={null} onClose={onClose}>
      <MenuButton label="More" items={[{ label: 'Back up', onSelect() {} }]} />
    </Modal>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('menu')).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
  await userEvent.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});

test('closes when its head scrolls out of the box around it, and the head has the focus [§2.20]', async () => {
  const onSelect = vi.fn();
  render(
    <div data-testid="box" style={{ overflowY: 'auto' }}>
      <MenuButton label="More" items={[{ label: 'Delete', onSelect }]} />
    </div>,
  );
  const box = screen.getByTestId('box');
  const head = screen.getByRole('button', { name: 'More' });
  vi.spyOn(box, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 100, 300, 200));
  const place = vi.spyOn(head, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 120, 30, 30));
  await userEvent.click(head);
  fireEvent.scroll(box);
  expect(screen.queryByRole('menu')).not.toBeNull();
  place.mockReturnValue(new DOMRect(0, 60, 30, 30));
  fireEvent.scroll(box);
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement).toBe(head);
  expect(onSelect).not.toHaveBeenCalled();
});
