import { screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { describe, expect, it } from 'vitest';
import { i18n } from '../../locales/i18n.ts';
import { signedOut } from '../../session/session-slice.ts';
import { renderInRoot, resizeTo } from '../../testing/render-in-root.tsx';
import { mockServer } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { MENU_ENTRIES } from '../navigation/menu-entries.ts';
import { PageHeader } from '../pages/page-header.tsx';
import { MainLayout } from './main-layout.tsx';

mockServer();

const app = (
  <Routes>
    <Route element={<MainLayout />}>
      <Route path="*" element={<PageHeader title="Somewhere" actions={<button type="button">Create</button>} />} />
    </Route>
  </Routes>
);

const renderLayout = (options?: Parameters<typeof renderInRoot>[1]) => renderInRoot(app, options);

describe('main layout', () => {
  it('has header, menu, content, footer and settings for a signed-in user [§2.2]', () => {
    const { root } = renderLayout();
    expect(screen.getByRole('banner')).toBeDefined();
    const menu = within(screen.getByRole('navigation', { name: 'Main menu' }));
    expect(menu.getAllByRole('link').map((link) => link.textContent)).toEqual(
      MENU_ENTRIES.map(({ label }) => i18n.t(`menusidebar.label.${label}`)),
    );
    expect(within(screen.getByRole('main')).getByRole('heading', { name: 'Somewhere' })).toBeDefined();
    expect(root.classList.contains('sidebar-mini')).toBe(true);
  });

  it('shows only the preloader to a user who is not signed in [§2.2]', () => {
    renderLayout({ session: signedOut });
    expect(screen.getByRole('status').className).toBe('preloader');
    expect(screen.queryByRole('banner')).toBeNull();
    expect(screen.queryByRole('navigation')).toBeNull();
  });

  it('removes its own class, and no other, from the page root when it unmounts [§2.2]', () => {
    const { root, unmount } = renderLayout();
    unmount();
    expect(root.classList.contains('sidebar-mini')).toBe(false);
    expect(root.classList.contains('layout-footer-fixed')).toBe(true);
  });

  it("shows title, breadcrumb and actions in the page header, and sets the tab's title [§2.2]", () => {
    renderLayout();
    const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }));
    expect(crumbs.getByRole('link', { name: 'Home' }).getAttribute('href')).toBe('/');
    expect(crumbs.getByText('Somewhere').getAttribute('aria-current')).toBe('page');
    expect(screen.getByRole('button', { name: 'Create' })).toBeDefined();
    expect(document.title).toBe('Somewhere · Apotheca');
  });

  it('shows the copyright line of this year and the version in the footer [§1]', () => {
    renderLayout();
    const footer = screen.getByRole('contentinfo');
    expect(footer.textContent).toContain(`Copyright © ${new Date().getFullYear()} Apotheca. All rights reserved.`);
    expect(footer.textContent).toContain('Version 0.1.0');
  });

  it('brand leads to / [§2.2]', () => {
    renderLayout();
    expect(screen.getByRole('link', { name: 'Apotheca' }).getAttribute('href')).toBe('/');
  });

  it('puts variants and switches on header and menu [§4]', () => {
    const { container } = renderLayout({
      layout: {
        navbarVariant: 'navbar-navy navbar-dark',
        headerBorder: true,
        sidebarSkin: 'sidebar-dark-lime',
        menuItemFlat: true,
        menuChildIndent: true,
      },
    });
    expect(screen.getByRole('banner').className).toContain('navbar-navy navbar-dark border-bottom-0');
    expect(container.querySelector('.main-sidebar')?.className).toContain('sidebar-dark-lime');
    expect(container.querySelector('.nav-sidebar')?.className).toContain('nav-flat nav-child-indent');
  });
});

describe('menu sidebar', () => {
  it('becomes a rail of icons with tooltips at lg [§2.2]', async () => {
    const { root, user } = renderLayout();
    const toggle = screen.getByRole('button', { name: 'Toggle menu' });
    expect(toggle.getAttribute('aria-expanded')).toBe('true');
    await user.click(toggle);
    expect(root.classList.contains('sidebar-collapse')).toBe(true);
    expect(toggle.getAttribute('aria-expanded')).toBe('false');
    expect(screen.getByRole('link', { name: 'Tenants' }).title).toBe('Tenants');
  });

  it('is a drawer on a phone: closed it takes no focus, open it has the focus [§2.2]', async () => {
    const { root, container, user } = renderLayout({ width: 390 });
    const drawer = container.querySelector('.main-sidebar');
    expect(drawer?.hasAttribute('inert')).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Toggle menu' }));
    expect(root.classList.contains('sidebar-open')).toBe(true);
    expect(drawer?.hasAttribute('inert')).toBe(false);
    expect(drawer?.contains(document.activeElement)).toBe(true);
    expect(screen.getByRole('main').hasAttribute('inert')).toBe(true);
  });

  it.each([
    ['a click on the overlay', '#sidebar-overlay'],
    ['its own button', '[aria-label="Close the menu"]'],
  ])('drawer closes with %s [§2.2]', async (_, selector) => {
    const { root, container, user } = renderLayout({ width: 390, layout: { menuSidebarCollapsed: true } });
    const target = container.querySelector(selector);
    if (!target) throw new Error(`${selector} is missing`);
    await user.click(target);
    expect(root.classList.contains('sidebar-open')).toBe(false);
    expect(container.querySelector('#sidebar-overlay')).toBeNull();
  });

  it('drawer closes with Escape and gives the focus back [§2.2]', async () => {
    const { store, user } = renderLayout({ width: 390, layout: { menuSidebarCollapsed: true } });
    await user.keyboard('{Escape}');
    expect(store.getState().layout.menuSidebarCollapsed).toBe(false);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Toggle menu' }));
  });

  it('drawer closes when another page opens [§2.2]', async () => {
    const { store, user } = renderLayout({ width: 390, layout: { menuSidebarCollapsed: true } });
    await user.click(screen.getByRole('link', { name: 'Tenants' }));
    expect(store.getState().layout.menuSidebarCollapsed).toBe(false);
  });

  it.each(['/tenants?q=cedar', '/tenants'])(
    'drawer closes when its own link is followed at %s [§2.2]',
    async (route) => {
      const { store, user } = renderLayout({ width: 390, layout: { menuSidebarCollapsed: true }, route });
      await user.click(screen.getByRole('link', { name: 'Tenants' }));
      expect(store.getState().layout.menuSidebarCollapsed).toBe(false);
    },
  );

  it('follows the window, and a rail never becomes an open drawer [§4]', () => {
    const { store } = renderLayout({ layout: { menuSidebarCollapsed: true } });
    resizeTo(800);
    expect(store.getState().layout).toMatchObject({ screenSize: 'sm', menuSidebarCollapsed: false });
    resizeTo(1300);
    expect(store.getState().layout).toMatchObject({ screenSize: 'lg', menuSidebarCollapsed: true });
  });

  it('shown at md it does not become an open drawer below md, and is shown again afterwards [§2.2]', () => {
    const { store } = renderLayout({ width: 1100, layout: { menuSidebarCollapsed: true } });
    resizeTo(900);
    expect(store.getState().layout).toMatchObject({ screenSize: 'sm', menuSidebarCollapsed: false });
    resizeTo(1100);
    expect(store.getState().layout).toMatchObject({ screenSize: 'md', menuSidebarCollapsed: true });
  });

  it('stays an open drawer when one narrow window becomes another [§2.2]', () => {
    const { store } = renderLayout({ width: 800, layout: { menuSidebarCollapsed: true } });
    resizeTo(390);
    expect(store.getState().layout).toMatchObject({ screenSize: 'xs', menuSidebarCollapsed: true });
  });

  it('scrolls with the page only where the setting says so [§4]', () => {
    const { container } = renderLayout({ layout: { layoutFixed: true } });
    expect(container.querySelector('.main-sidebar')?.className).toContain('main-sidebar-scrolls');
  });
});

describe('user menu', () => {
  const head = () => screen.getByRole('button', { name: /^User menu/ });

  it('shows picture, e-mail and role in the bar [§2.2]', () => {
    renderLayout();
    expect(within(head()).getByText('ada@apotheca.test').nextElementSibling?.textContent).toBe('Administrator');
    const image = head().querySelector('img');
    expect([image?.getAttribute('src'), image?.width, image?.height]).toEqual(['/img/default-profile.png', 35, 35]);
  });

  it('shows e-mail and role in the menu where the bar has no room [§2.2]', async () => {
    const { user } = renderLayout({ width: 390 });
    expect(screen.queryByText('ada@apotheca.test')).toBeNull();
    await user.click(head());
    expect(screen.getByText('ada@apotheca.test')).toBeDefined();
    expect(screen.getByText('Administrator')).toBeDefined();
  });

  it('leads to the profile and closes [§2.2]', async () => {
    const { user } = renderLayout();
    await user.click(head());
    const link = screen.getByRole('link', { name: 'Profile' });
    expect(link.getAttribute('href')).toBe('/profile');
    await user.click(link);
    expect(screen.queryByRole('link', { name: 'Profile' })).toBeNull();
  });

  it('signs out [§4]', async () => {
    const { store, user } = renderLayout({ session: signedIn({ refreshToken: '' }) });
    await user.click(head());
    await user.click(screen.getByRole('button', { name: 'Sign Out' }));
    expect(store.getState().session.isLoggedIn).toBe(false);
  });
});
