import { screen } from '@testing-library/react';
import { Circle } from 'lucide-react';
import { Link } from 'react-router';
import { describe, expect, it } from 'vitest';
import { renderInRoot } from '../../testing/render-in-root.tsx';
import type { MenuEntry } from '../navigation/menu-entries.ts';
import { MenuItem } from './menu-item.tsx';

const parent: MenuEntry = {
  label: 'mainMenu',
  icon: Circle,
  children: [
    { label: 'subMenu', icon: Circle, path: '/sub-menu-1' },
    { label: 'blank', icon: Circle },
  ],
};

function renderMenu(route: string, isRail = false) {
  const menu = (
    <>
      <ul>
        <MenuItem entry={parent} isRail={isRail} />
      </ul>
      <Link to="/elsewhere">elsewhere</Link>
    </>
  );
  return renderInRoot(menu, { route });
}

const head = () => screen.getByRole('button', { name: 'Main Menu' });

describe('menu entry with children', () => {
  it('is closed while no child is active, and opens with a click [§2.2]', async () => {
    const { user } = renderMenu('/');
    expect(head().getAttribute('aria-expanded')).toBe('false');
    expect(screen.queryByRole('link', { name: 'Sub Menu' })).toBeNull();
    await user.click(head());
    expect(head().getAttribute('aria-expanded')).toBe('true');
    expect(screen.getByRole('link', { name: 'Sub Menu' }).getAttribute('href')).toBe('/sub-menu-1');
    expect(screen.getByRole('link', { name: 'Blank' }).getAttribute('href')).toBe('/');
  });

  it('is open and active while a child is active, and closes when another page opens [§2.2]', async () => {
    const { user } = renderMenu('/sub-menu-1');
    expect(head().classList.contains('active')).toBe(true);
    expect(head().closest('li')?.classList.contains('menu-open')).toBe(true);
    expect(screen.getByRole('link', { name: 'Sub Menu' }).getAttribute('aria-current')).toBe('page');
    await user.click(screen.getByRole('link', { name: 'elsewhere' }));
    expect(head().classList.contains('active')).toBe(false);
    expect(head().getAttribute('aria-expanded')).toBe('false');
  });

  it('has its name as a tooltip in the icon rail [§2.2]', () => {
    renderMenu('/', true);
    expect(head().title).toBe('Main Menu');
  });
});
