import { accountRoutes } from '@apotheca/contract/account';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { screen, waitFor } from '@testing-library/react';
import { Pencil } from 'lucide-react';
import { expect, test, vi } from 'vitest';
import { Button, IconButton } from '../components/button/button.tsx';
import { MenuButton } from '../components/popup/menu-button.tsx';
import { renderWithStore } from '../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../testing/server.ts';
import { RightsProvider, useRefusal } from './rights.tsx';

mockServer();

const REASON =
  "Your role lacks the permission 'Delete tenants'. Whoever has the role Administrator or Owner can give it.";

function Buttons({ onAct }: { onAct: () => void }) {
  const refusal = useRefusal();
  return (
    <>
      <IconButton icon={Pencil} label="Edit" refusal={refusal(tenantRoutes.edit)} onClick={onAct} />
      <Button refusal={refusal(tenantRoutes.edit, tenantRoutes.delete)} onClick={onAct}>
        Delete
      </Button>
      <MenuButton label="More" items={[{ label: 'Remove', refusal: refusal(tenantRoutes.delete), onSelect: onAct }]} />
    </>
  );
}

function renderButtons() {
  const onAct = vi.fn();
  return {
    onAct,
    ...renderWithStore(
      <RightsProvider>
        <Buttons onAct={onAct} />
      </RightsProvider>,
    ),
  };
}

test('what the user may not do looks disabled, and says which permission is missing and who can give it [DECISIONS §5]', async () => {
  const rights = { permissions: ['tenants.read', 'tenants.write'], grantedBy: ['Administrator', 'Owner'] };
  server.use(onRoute(accountRoutes.rights, () => ok(rights)));
  const { user, onAct } = renderButtons();
  const button = screen.getByRole('button', { name: 'Delete' });
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'));
  expect(button.title).toBe(REASON);
  await user.click(button);
  expect(await screen.findByText(REASON)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'More' }));
  const item = screen.getByRole('menuitem', { name: 'Remove' });
  expect(item.getAttribute('aria-disabled')).toBe('true');
  await user.click(item);
  expect(onAct).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  expect(onAct).toHaveBeenCalledOnce();
});

test('everything can be tried while the rights are not known: the server decides [DECISIONS §5]', async () => {
  const answered = vi.fn(() => failed(503, 'The database cannot be reached.'));
  server.use(onRoute(accountRoutes.rights, answered));
  const { user, onAct } = renderButtons();
  await waitFor(() => expect(answered).toHaveBeenCalled());
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  expect(onAct).toHaveBeenCalledOnce();
});
