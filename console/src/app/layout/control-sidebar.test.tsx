import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderInRoot } from '../../testing/render-in-root.tsx';
import { ControlSidebar } from './control-sidebar.tsx';

const open = { controlSidebarCollapsed: false };

describe('control sidebar', () => {
  it.each([
    ['Dark mode', 'darkMode'],
    ['Light or dark as the system is', 'followsSystem'],
    ['Keep the page 1250 px wide', 'layoutBoxed'],
    ['Keep the top bar in view', 'headerFixed'],
    ['Hide the line under the top bar', 'headerBorder'],
    ['Show icons only', 'menuSidebarCollapsed'],
    ['Let the menu scroll with the page', 'layoutFixed'],
    ['Square entries, full width', 'menuItemFlat'],
    ['Indent sub menus', 'menuChildIndent'],
    ['Keep the footer in view', 'footerFixed'],
  ] as const)("'%s' switches %s [§4]", async (name, setting) => {
    const { store, user } = renderInRoot(<ControlSidebar />, { layout: open });
    const box = screen.getByRole<HTMLInputElement>('checkbox', { name });
    const before = store.getState().layout[setting];
    expect(box.checked).toBe(before);
    await user.click(box);
    expect(store.getState().layout[setting]).toBe(!before);
    expect(box.checked).toBe(!before);
  });

  it('labels the menu switch by what is visible: below lg the flag shows the menu [§4]', () => {
    renderInRoot(<ControlSidebar />, { width: 390, layout: open });
    expect(screen.getByRole('checkbox', { name: 'Show the menu' })).toBeDefined();
    expect(screen.queryByRole('checkbox', { name: 'Show icons only' })).toBeNull();
  });

  it('lists the variants in the order of the specification [§9]', () => {
    renderInRoot(<ControlSidebar />, { layout: open });
    const names = (list: string) =>
      within(screen.getByRole('combobox', { name: list }))
        .getAllByRole('option')
        .map((option) => option.textContent);
    expect(names('Light Navbar Variants')).toEqual(['Please pick..', 'Light', 'Warning', 'White', 'Orange']);
    expect(names('Dark Navbar Variants').join()).toBe(
      'Please pick..,Dark,Primary,Secondary,Info,Success,Danger,Indigo,Purple,Pink,Navy,Light Blue,Teal,Cyan,Gray Dark,Gray',
    );
    const skins =
      'Please pick..,Primary,Warning,Info,Danger,Success,Indigo,Lightblue,Navy,Purple,Fuchsia,Pink,Maroon,Orange,Lime,Teal,Olive';
    expect(names('Light Sidebar Variants').join()).toBe(skins);
    expect(names('Dark Sidebar Variants').join()).toBe(skins);
  });

  it('sets a variant, shows it in its own list only, and falls back to the default at the empty option [§4]', async () => {
    const { store, user } = renderInRoot(<ControlSidebar />, { layout: open });
    const [light, dark] = ['Light', 'Dark'].map((mode) =>
      screen.getByRole<HTMLSelectElement>('combobox', { name: `${mode} Navbar Variants` }),
    );
    if (!light || !dark) throw new Error('lists missing');
    await user.selectOptions(dark, 'Navy');
    expect(store.getState().layout.navbarVariant).toBe('navbar-navy navbar-dark');
    expect([light.value, dark.value]).toEqual(['', 'navbar-navy navbar-dark']);
    await user.selectOptions(dark, 'Please pick..');
    expect(store.getState().layout.navbarVariant).toBe('navbar-light');
    expect([light.value, dark.value]).toEqual(['navbar-light', '']);
  });

  it('sets a sidebar skin [§4]', async () => {
    const { store, user } = renderInRoot(<ControlSidebar />, { layout: open });
    await user.selectOptions(screen.getByRole('combobox', { name: 'Light Sidebar Variants' }), 'Lime');
    expect(store.getState().layout.sidebarSkin).toBe('sidebar-light-lime');
  });

  it('takes the focus when open, closes with Escape, and cannot be reached when closed [§2.2]', async () => {
    const { root, store, user } = renderInRoot(<ControlSidebar />, { layout: open });
    const panel = screen.getByRole('complementary', { name: 'Layout settings' });
    expect(panel.contains(document.activeElement)).toBe(true);
    expect(root.classList.contains('control-sidebar-slide-open')).toBe(true);
    await user.keyboard('{Escape}');
    expect(store.getState().layout.controlSidebarCollapsed).toBe(true);
    expect(panel.hasAttribute('inert')).toBe(true);
    expect(root.classList.contains('control-sidebar-slide-open')).toBe(false);
  });
});
