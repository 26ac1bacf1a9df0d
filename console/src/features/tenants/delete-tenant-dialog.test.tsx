import { tenantRoutes } from '@apotheca/contract/tenants';
import { createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { makePlan } from '../../testing/databases.ts';
import { field, fill, fillAndLeave } from '../../testing/fields.ts';
import { mockOperation } from '../../testing/operations.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { DeleteTenantDialog } from './delete-tenant-dialog.tsx';

const cedar = makeTenant({ code: 'CEDARVA', customerCode: 'Cedar Valley Allergy' });
const LABEL = 'Tenant Code';

const MESSAGE = 'Deleting CEDARVA erases 12,345 rows.';
const CHANGED = 'CEDARVA has changed since it was looked at: please check again.';

const answerPlan = (fields?: Parameters<typeof makePlan>[0]) =>
  onRoute(tenantRoutes.planDeletion, () => ok(makePlan(fields), MESSAGE));

mockServer(answerPlan());

async function renderDialog() {
  const onClose = vi.fn();
  const view = renderWithStore(<DeleteTenantDialog show tenant={cedar} onClose={onClose} />);
  await screen.findByLabelText(LABEL);
  return { ...view, onClose };
}

const deleteButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' });

const figure = (name: string) => screen.getByText(name).nextElementSibling?.textContent;

test("the dialog warns that all of the tenant's data is deleted [§2.9]", async () => {
  await renderDialog();
  screen.getByRole('heading', { name: 'Delete Tenant CEDARVA' });
  screen.getByText('Cedar Valley Allergy will be deleted');
  screen.getByText("Deleting permanently erases all of the tenant's tables, records and data.");
});

test.each(['CEDARV', 'CEDARVAX', 'cedarva', ' CEDARVA'])(
  '%j is not the code, and Delete stays disabled [§5]',
  async (typed) => {
    await renderDialog();
    fillAndLeave(LABEL, typed);
    await screen.findByText('Input value must be the same as the tenant name');
    expect(deleteButton().disabled).toBe(true);
  },
);

test('leaving the field empty is refused: Tenant Name Required [§5]', async () => {
  await renderDialog();
  fillAndLeave(LABEL, '');
  await screen.findByText('Tenant Name Required');
  expect(deleteButton().disabled).toBe(true);
});

test('pasting the code is blocked [§2.9]', async () => {
  const { user } = await renderDialog();
  const paste = createEvent.paste(field(LABEL), { clipboardData: { getData: () => 'CEDARVA' } });
  fireEvent(field(LABEL), paste);
  expect(paste.defaultPrevented).toBe(true);
  await user.click(field(LABEL));
  await user.paste('CEDARVA');
  expect(field(LABEL).value).toBe('');
});

test('the exact code deletes the tenant with the digest of the plan shown [§2.9] [DECISIONS §8]', async () => {
  const queries: Record<string, string>[] = [];
  server.use(
    onRoute(tenantRoutes.delete, ({ request }) => {
      queries.push(Object.fromEntries(new URL(request.url).searchParams));
      return ok({ id: cedar.id }, 'Gone.');
    }),
  );
  const { onClose, user } = await renderDialog();
  await user.type(field(LABEL), 'CEDARVA');
  await waitFor(() => expect(deleteButton().disabled).toBe(false));
  await user.click(deleteButton());
  await screen.findByText('Successfully deleted tenant.');
  expect(queries).toEqual([{ id: cedar.id, plan: 'digest-1' }]);
  expect(onClose).toHaveBeenCalledOnce();
});

test('a refused deletion says why and keeps the dialog open [§8]', async () => {
  server.use(onRoute(tenantRoutes.delete, () => failed(403, 'You do not have the permission for this.')));
  const { onClose, user } = await renderDialog();
  fill(LABEL, 'CEDARVA');
  await waitFor(() => expect(deleteButton().disabled).toBe(false));
  await user.click(deleteButton());
  const dialog = within(screen.getByRole('dialog'));
  await dialog.findByText('You do not have the permission for this.');
  // A toast reads it out, so the dialog has no alert.
  expect(dialog.queryByRole('alert')).toBeNull();
  await waitFor(() => expect(screen.getAllByText('You do not have the permission for this.')).toHaveLength(2));
  expect(onClose).not.toHaveBeenCalled();
  // The next attempt starts without the old message.
  const next = vi.fn(() => new Promise<HttpResponse<null>>(() => {}));
  server.use(onRoute(tenantRoutes.delete, next));
  await user.click(deleteButton());
  // Waited for: else it may come while the next test counts its own.
  await waitFor(() => expect(next).toHaveBeenCalledOnce());
  expect(dialog.queryByText('You do not have the permission for this.')).toBeNull();
});

test('two quick submits delete once [§2.20]', async () => {
  let calls = 0;
  server.use(
    onRoute(tenantRoutes.delete, () => {
      calls += 1;
      return ok({ id: cedar.id });
    }),
  );
  const { onClose } = await renderDialog();
  fill(LABEL, 'CEDARVA');
  await waitFor(() => expect(deleteButton().disabled).toBe(false));
  const form = field(LABEL).closest('form') ?? document.body;
  fireEvent.submit(form);
  fireEvent.submit(form);
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(calls).toBe(1);
});

test('Cancel deletes nothing [§2.9]', async () => {
  const { onClose, user } = await renderDialog();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledOnce();
});

test('the warning contains the plan: message, rows, size, sessions, newest backup [DECISIONS §8]', async () => {
  await renderDialog();
  screen.getByText(MESSAGE);
  expect(figure('Rows')).toBe('12,345');
  expect(figure('Size')).toBe('9 MB');
  expect(figure('Open sessions')).toBe('2');
  expect(figure('Newest backup')).toBe('None');
});

test('until the plan is loaded the dialog can only be closed [DECISIONS §8]', async () => {
  server.use(onRoute(tenantRoutes.planDeletion, () => new Promise<HttpResponse<null>>(() => {})));
  const onClose = vi.fn();
  const { user } = renderWithStore(<DeleteTenantDialog show tenant={cedar} onClose={onClose} />);
  const dialog = within(screen.getByRole('dialog', { name: 'Delete Tenant CEDARVA' }));
  dialog.getByText('Finding out what would be deleted');
  expect(dialog.queryByRole('textbox')).toBeNull();
  expect(dialog.queryByRole('button', { name: 'Delete' })).toBeNull();
  await user.click(dialog.getAllByRole('button', { name: 'Close' }).at(-1) ?? document.body);
  expect(onClose).toHaveBeenCalledOnce();
});

test('a plan that could not be loaded says why and can be loaded again [§8]', async () => {
  server.use(onRoute(tenantRoutes.planDeletion, () => failed(503, 'The database cannot be reached.')));
  const { user } = renderWithStore(<DeleteTenantDialog show tenant={cedar} onClose={vi.fn()} />);
  expect((await screen.findByRole('alert')).textContent).toContain('The database cannot be reached.');
  server.use(answerPlan());
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText(MESSAGE);
});

test('a changed plan is reported and shown, and the next attempt uses it [DECISIONS §8]', async () => {
  const plans: (string | null)[] = [];
  server.use(
    onRoute(tenantRoutes.delete, ({ request }) => {
      const plan = new URL(request.url).searchParams.get('plan');
      plans.push(plan);
      if (plan === 'digest-2') return ok({ id: cedar.id });
      server.use(answerPlan({ rows: 20_000, digest: 'digest-2' }));
      return failed(409, CHANGED);
    }),
  );
  const { onClose, user } = await renderDialog();
  fill(LABEL, 'CEDARVA');
  await waitFor(() => expect(deleteButton().disabled).toBe(false));
  await user.click(deleteButton());
  expect((await screen.findByRole('alert')).textContent).toBe(CHANGED);
  await waitFor(() => expect(figure('Rows')).toBe('20,000'));
  expect(field(LABEL).value).toBe('CEDARVA');
  await waitFor(() => expect(deleteButton().ariaDisabled).toBeNull());
  await user.click(deleteButton());
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(plans).toEqual(['digest-1', 'digest-2']);
});

test('progress is shown, and a deletion left in the background closes no other dialog [DECISIONS §8]', async () => {
  const steps = ['Ending sessions', 'Deleting'];
  const operation = mockOperation(tenantRoutes.delete, { kind: 'delete-tenant', steps, step: 1 });
  const { onClose, user } = await renderDialog();
  fill(LABEL, 'CEDARVA');
  await waitFor(() => expect(deleteButton().disabled).toBe(false));
  await user.click(deleteButton());
  await screen.findByRole('progressbar', { name: 'Deleting' });
  await user.keyboard('{Escape}');
  expect(onClose).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Continue in background' }));
  expect(onClose).toHaveBeenCalledOnce();
  operation.succeed('Gone.', { id: cedar.id });
  await screen.findByText('Successfully deleted tenant.');
  expect(onClose).toHaveBeenCalledOnce();
});
