import { databaseRoutes } from '@apotheca/contract/databases';
import { faqRoutes } from '@apotheca/contract/faqs';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userRoutes } from '@apotheca/contract/users';
import { screen } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { expect, test, vi } from 'vitest';
import { renderInRoot } from '../../testing/render-in-root.tsx';
import { mockServer, ok, onRoute } from '../../testing/server.ts';
import { MainLayout } from '../layout/main-layout.tsx';

const code = vi.hoisted(() => Promise.withResolvers<void>());
// The code of the palette comes when the test lets it.
vi.mock(import('./palette.tsx'), async (original) => {
  await code.promise;
  return original();
});

mockServer(
  onRoute(tenantRoutes.list, () => ok([])),
  onRoute(userRoutes.list, () => ok([])),
  onRoute(databaseRoutes.list, () => ok([])),
  onRoute(faqRoutes.list, () => ok([])),
);

test('what is typed while its code is loaded stands in its field, and reaches nothing else [§2.28]', async () => {
  const { user } = renderInRoot(
    <Routes>
      <Route element={<MainLayout />}>
        <Route path="*" element={<input aria-label="Some field" />} />
      </Route>
    </Routes>,
  );
  await user.click(screen.getByRole('textbox', { name: 'Some field' }));
  await user.keyboard('{Control>}k{/Control}menx{Backspace}us');
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Some field' }).value).toBe('');
  code.resolve();
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Find a screen, record or action' });
  expect(field.value).toBe('menus');
  await user.keyboard('!');
  expect(field.value).toBe('menus!');
});
