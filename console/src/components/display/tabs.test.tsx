import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Tabs } from './tabs.tsx';

const TABS = [
  { id: 'database', label: 'Database Setting', panel: <input aria-label="Name" /> },
  { id: 'purge', label: 'Delete Transaction Data & Reseed', panel: 'Tables' },
  { id: 'permissions', label: 'Permissions', panel: 'Sync' },
];

const selected = () => screen.getByRole('tab', { selected: true }).textContent;

test('shows the first panel at first, and another one after a click [§2.8]', async () => {
  render(<Tabs label="Parts" tabs={TABS} />);
  expect(screen.getByRole('tabpanel', { name: 'Database Setting' })).toBeTruthy();
  await userEvent.click(screen.getByRole('tab', { name: 'Permissions' }));
  expect(screen.getByRole('tabpanel', { name: 'Permissions' }).textContent).toBe('Sync');
});

test('arrow keys, Home and End select, and only one tab is in the tab order [§2.8]', async () => {
  render(<Tabs label="Parts" tabs={TABS} />);
  await userEvent.tab();
  await userEvent.keyboard('{ArrowRight}');
  expect(selected()).toBe('Delete Transaction Data & Reseed');
  expect(document.activeElement?.textContent).toBe('Delete Transaction Data & Reseed');
  await userEvent.keyboard('{End}');
  expect(selected()).toBe('Permissions');
  await userEvent.keyboard('{ArrowRight}');
  expect(selected()).toBe('Database Setting');
  await userEvent.keyboard('{ArrowLeft}{Home}');
  expect(selected()).toBe('Database Setting');
  expect(screen.getAllByRole('tab').filter((tab) => tab.tabIndex === 0)).toHaveLength(1);
});

test('typed text in a panel is still there after switching back [§2.8]', async () => {
  render(<Tabs label="Parts" tabs={TABS} />);
  await userEvent.type(screen.getByLabelText('Name'), 'LAKESIDE');
  await userEvent.click(screen.getByRole('tab', { name: 'Permissions' }));
  await userEvent.click(screen.getByRole('tab', { name: 'Database Setting' }));
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('LAKESIDE');
});

test('follows the selection of a caller that keeps it itself [§2.8]', async () => {
  const onSelect = vi.fn();
  render(<Tabs label="Parts" tabs={TABS} selected="purge" onSelect={onSelect} />);
  await userEvent.click(screen.getByRole('tab', { name: 'Permissions' }));
  expect(onSelect).toHaveBeenCalledExactlyOnceWith('permissions');
  expect(selected()).toBe('Delete Transaction Data & Reseed');
});
