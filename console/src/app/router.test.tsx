import { authRoutes } from '@apotheca/contract/auth';
import { dashboardRoutes } from '@apotheca/contract/dashboard';
import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { faqRoutes } from '@apotheca/contract/faqs';
import { menuRoutes } from '@apotheca/contract/menus';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userRoutes } from '@apotheca/contract/users';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useLocation, useNavigate } from 'react-router';
import { describe, expect, it, vi } from 'vitest';
import { setCredentials, signedOut } from '../session/session-slice.ts';
import { allAnswered } from '../testing/queries.ts';
import { renderInRoot } from '../testing/render-in-root.tsx';
import { failed, mockServer, ok, onRoute, server } from '../testing/server.ts';
import { makeToken, signedIn } from '../testing/session.ts';
import { makeTenant } from '../testing/tenants.ts';
import { AppRoutes } from './router.tsx';

const me = {
  id: '1',
  username: 'ada',
  email: 'ada@apotheca.test',
  firstName: 'Ada',
  lastName: 'Byron',
  phone: '1',
  role: 'Administrator',
};

const harbor = makeTenant({ customerCode: 'Harbor', code: 'HARBOR' });

mockServer(
  onRoute(authRoutes.me, () => ok(me)),
  onRoute(authRoutes.logout, () => ok(null)),
  onRoute(dashboardRoutes.getCounts, () => ok([{ users: 1, tenants: 2, databases: 3 }])),
  onRoute(tenantRoutes.list, () => ok([harbor])),
  onRoute(userRoutes.list, () => ok([])),
  onRoute(faqRoutes.list, () => ok([])),
  onRoute(faqSectionRoutes.find, () => failed(404, 'Not found.')),
  onRoute(menuRoutes.tree, () => ok([])),
  onRoute(permissionRoutes.list, () => ok({ permissions: [] })),
);

/** What the browser has around the page. */
function Browser() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  return (
    <>
      <output aria-label="address">{pathname + search}</output>
      <button type="button" onClick={() => navigate(-1)}>
        Back
      </button>
    </>
  );
}

function renderApp(route: string, session = signedOut) {
  const app = (
    <>
      <AppRoutes />
      <Browser />
    </>
  );
  return renderInRoot(app, { route, session });
}

const address = () => screen.getByLabelText('address').textContent;
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

describe('routes', () => {
  it.each(['/', '/tenants', '/profile', '/nowhere'])(
    '%s sends a user who is not signed in to /login [§2.1]',
    async (route) => {
      renderApp(route);
      await waitFor(() => expect(address()).toBe('/login'));
      expect(await screen.findByRole('button', { name: 'Sign In' })).toBeDefined();
    },
  );

  it.each(['/login', '/register', '/forgot-password', '/recover-password'])(
    '%s sends a signed-in user to / [§2.1]',
    async (route) => {
      renderApp(route, signedIn());
      expect(await heading('Dashboard')).toBeDefined();
      expect(address()).toBe('/');
    },
  );

  it('lead to / after a sign-in, whichever page was requested [§4]', async () => {
    const { store } = renderApp('/users?sort=email');
    await waitFor(() => expect(address()).toBe('/login'));
    act(() => {
      store.dispatch(setCredentials({ jwtToken: makeToken() }));
    });
    expect(await heading('Dashboard')).toBeDefined();
    expect(address()).toBe('/');
  });

  it('lead to /login after a sign-out, and then not back to the page before [§4]', async () => {
    const { store, user } = renderApp('/users', signedIn());
    await user.click(await screen.findByRole('button', { name: /^User menu/ }));
    await user.click(screen.getByRole('button', { name: 'Sign Out' }));
    await waitFor(() => expect(address()).toBe('/login'));
    act(() => {
      store.dispatch(setCredentials({ jwtToken: makeToken() }));
    });
    expect(await heading('Dashboard')).toBeDefined();
  });

  it.each([
    ['/sub-menu-1', 'SubMenu Page'],
    ['/sub-menu-2', 'SubMenu Page'],
    ['/users', 'Users'],
    ['/licence', 'Licence Management'],
    ['/permission', 'Permission Management'],
    ['/profile', 'Profile'],
    ['/blank', 'Blank Page'],
    ['/menus', 'Menu Management'],
    ['/faqs', "FAQ's Management"],
    ['/faq/Sign%20in/1', 'Section Management'],
    ['/section/Sign%20in/Reset/2', 'Question & Answer Management'],
  ])('%s is the page %s [§2.1]', async (route, title) => {
    renderApp(route, signedIn());
    expect(await heading(title)).toBeDefined();
    // React runs effects after it has drawn, and not always at once.
    await waitFor(() => expect(document.title).toBe(`${title} · Apotheca`));
  });

  it('load their lists again when the window gets the focus, for as long as the frame around them is there [§2.6]', async () => {
    const loads = vi.fn();
    server.use(
      onRoute(userRoutes.list, () => {
        loads();
        return ok([]);
      }),
    );
    const { store, unmount } = renderApp('/users', signedIn());
    await heading('Users');
    await allAnswered(store);
    loads.mockClear();
    fireEvent.focus(window);
    await waitFor(() => expect(loads).toHaveBeenCalled());
    unmount();
    const timers = vi.spyOn(globalThis, 'setTimeout');
    fireEvent.focus(window);
    expect(timers).not.toHaveBeenCalled();
  });

  it('begin at the top where a link leads; on Back the browser finds the place [§2.2]', async () => {
    const page = document.documentElement;
    const { user } = renderApp('/profile', signedIn());
    await heading('Profile');
    page.scrollTop = 300;
    await user.click(screen.getByRole('link', { name: 'Dashboard' }));
    await heading('Dashboard');
    expect(page.scrollTop).toBe(0);
    page.scrollTop = 200;
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await heading('Profile');
    expect(page.scrollTop).toBe(200);
  });

  it('say which page has opened, but the first, and keep a focus that its page takes away [§2.2]', async () => {
    const { user } = renderApp('/tenants', signedIn());
    const name = await screen.findByRole('link', { name: 'Harbor' });
    const told = () => screen.getAllByRole('status').map((status) => status.textContent);
    expect(told().filter((text) => text?.includes('Apotheca'))).toEqual([]);
    await user.click(name);
    await waitFor(() => expect(told()).toContain('Harbor · Apotheca'));
    expect(document.activeElement).toBe(screen.getByRole('main'));
    const menu = screen.getByRole('link', { name: 'Users' });
    await user.click(menu);
    await waitFor(() => expect(told()).toContain('Users · Apotheca'));
    expect(document.activeElement).toBe(menu);
  });

  it('lead back to a list where it was left, with the focus in its row; a link leads to its first row [§2.6]', async () => {
    const { user } = renderApp('/tenants', signedIn());
    const rows = () => screen.findByRole('region', { name: 'Tenants' });
    const name = () => screen.findByRole('link', { name: 'Harbor' });
    await name();
    fireEvent.scroll(await rows(), { target: { scrollTop: 400 } });
    await user.click(await name());
    await heading('Harbor');
    fireEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(await rows()).toHaveProperty('scrollTop', 400);
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Harbor'));
    await user.click(await name());
    await heading('Harbor');
    const [menu] = screen.getAllByRole('link', { name: 'Tenants' });
    if (menu) await user.click(menu);
    await name();
    expect(await rows()).toHaveProperty('scrollTop', 0);
    expect(document.activeElement).toBe(menu);
  });

  it('show the page for unknown addresses inside the layout [§2.1]', async () => {
    renderApp('/nowhere', signedIn());
    expect(await heading('Page not found')).toBeDefined();
    expect(screen.getByText('There is nothing at /nowhere')).toBeDefined();
    expect(screen.getByRole('navigation', { name: 'Main menu' })).toBeDefined();
  });

  it.each(['/faq/50%/x', '/%E0%A4%A', '/section/a/b%/1'])(
    '%s cannot be decoded, and shows the page for unknown addresses [§2.1]',
    async (route) => {
      vi.spyOn(console, 'warn').mockImplementation(() => undefined);
      renderApp(route, signedIn());
      expect(await heading('Page not found')).toBeDefined();
      expect(screen.getByRole('navigation', { name: 'Main menu' })).toBeDefined();
    },
  );

  it('give the public pages their classes and remove only these [§2.1]', async () => {
    const { root, store } = renderApp('/register');
    const classes = () => [...root.classList].sort();
    await screen.findByRole('button', { name: 'Register' });
    await waitFor(() => expect(classes()).toEqual(['hold-transition', 'layout-footer-fixed', 'register-page']));
    act(() => {
      store.dispatch(setCredentials({ jwtToken: makeToken() }));
    });
    await heading('Dashboard');
    await waitFor(() => expect(classes()).toEqual(['layout-footer-fixed', 'sidebar-mini']));
  });
});

describe('session check', () => {
  it('shows a spinner over the protected area while it runs, and loads the profile [§2.1]', async () => {
    const { store } = renderApp('/users', signedIn({ phone: '' }));
    expect(await screen.findByText('Checking your session')).toBeDefined();
    await waitFor(() => expect(screen.queryByText('Checking your session')).toBeNull());
    expect(store.getState().session.phone).toBe('1');
    expect(await heading('Users')).toBeDefined();
  });
});
