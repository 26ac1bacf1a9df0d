import { databaseRoutes } from '@apotheca/contract/databases';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { makeClone, makePlan } from '../../testing/databases.ts';
import { field, fill, fillAndLeave, findField } from '../../testing/fields.ts';
import { mockOperation } from '../../testing/operations.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { DeleteDatabaseDialog } from './delete-database-dialog.tsx';

const training = makeClone({ databaseName: 'TRAINING' });
const LABEL = 'Database Name';
const CANCELLED = 'The operation was cancelled; nothing was changed.';
const CHANGED = 'The database has changed meanwhile.';

/** The queries of the plan's calls. */
let planQueries: Record<string, string>[] = [];
const answerPlanWith = (answer: () => ReturnType<typeof ok>) =>
  onRoute(databaseRoutes.planDeletion, ({ request }) => {
    planQueries.push(Object.fromEntries(new URL(request.url).searchParams));
    return answer();
  });
const answerPlan = (fields?: Parameters<typeof makePlan>[0]) =>
  answerPlanWith(() => ok(makePlan(fields), 'TRAINING is erased with all it holds.'));

mockServer(answerPlan());

function renderDialog() {
  planQueries = [];
  const onClose = vi.fn();
  return { ...renderWithStore(<DeleteDatabaseDialog show database={training} onClose={onClose} />), onClose };
}

const deleteButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Delete TRAINING' });
const figure = (name: string) => screen.getByText(name).nextElementSibling?.textContent;
const isInert = (button: HTMLButtonElement) => button.disabled || button.ariaDisabled === 'true';

async function typeAndDelete() {
  await findField(LABEL);
  fill(LABEL, 'TRAINING');
  await waitFor(() => expect(isInert(deleteButton())).toBe(false));
  fireEvent.click(deleteButton());
}

test('until the plan is loaded the dialog can only be closed [§2.13]', async () => {
  server.use(onRoute(databaseRoutes.planDeletion, () => new Promise<HttpResponse<null>>(() => {})));
  const { onClose, user } = renderDialog();
  const dialog = screen.getByRole('dialog', { name: 'Delete Database' });
  within(dialog).getByText('Finding out what would be deleted');
  expect(within(dialog).queryByRole('textbox')).toBeNull();
  expect(within(dialog).queryByRole('button', { name: 'Delete TRAINING' })).toBeNull();
  await user.click(within(dialog).getAllByRole('button', { name: 'Close' }).at(-1) ?? dialog);
  expect(onClose).toHaveBeenCalledOnce();
});

test("the warning is the plan's message and its figures [§2.13]", async () => {
  renderDialog();
  await screen.findByText('TRAINING is erased with all it holds.');
  expect(planQueries).toEqual([{ databaseName: 'TRAINING' }]);
  expect(figure('Rows')).toBe('12,345');
  expect(figure('Size')).toBe('9 MB');
  expect(figure('Open sessions')).toBe('2');
  expect(figure('Newest backup')).toBe('None');
  expect(document.activeElement).toBe(field(LABEL));
});

test.each(['TRAININ', 'TRAININGS', 'training', ' TRAINING', 'TRAINING '])(
  '%j is not the name, and Delete stays disabled [§5]',
  async (typed) => {
    renderDialog();
    await findField(LABEL);
    fillAndLeave(LABEL, typed);
    await screen.findByText('Input value must be the same as the database name');
    expect(deleteButton().disabled).toBe(true);
  },
);

test('leaving the field empty is refused: Database Name Required [§5]', async () => {
  renderDialog();
  await findField(LABEL);
  fillAndLeave(LABEL, '');
  await screen.findByText('Database Name Required');
  expect(deleteButton().disabled).toBe(true);
});

test('pasting the name counts as typing it [§2.13]', async () => {
  const { user } = renderDialog();
  await user.click(await findField(LABEL));
  await user.paste('TRAINING');
  expect(field(LABEL).value).toBe('TRAINING');
});

test('the exact name deletes the database with the digest of the plan shown [§2.13, §7.3]', async () => {
  const queries: Record<string, string>[] = [];
  server.use(
    onRoute(databaseRoutes.delete, ({ request }) => {
      queries.push(Object.fromEntries(new URL(request.url).searchParams));
      return ok({ id: training.id, databaseName: 'TRAINING' }, 'Gone.');
    }),
  );
  const { onClose } = renderDialog();
  await typeAndDelete();
  await screen.findByText('Successfully deleted database.');
  expect(queries).toEqual([{ databaseName: 'TRAINING', plan: 'digest-1', deletedBy: signedIn().id }]);
  expect(onClose).toHaveBeenCalledOnce();
});

test('a slow deletion shows its progress, and a message when it is done [§2.13, DECISIONS §8]', async () => {
  const operation = mockOperation(databaseRoutes.delete, { kind: 'delete', cancellable: false });
  const { onClose } = renderDialog();
  await typeAndDelete();
  await screen.findByText('Step 2 of 3');
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
  expect(screen.queryByText('Successfully deleted database.')).toBeNull();
  operation.succeed('Gone.', { id: training.id, databaseName: 'TRAINING' });
  await screen.findByText('Successfully deleted database.');
  expect(onClose).toHaveBeenCalledOnce();
});

test('a deletion in the background tells a conflict by a toast [DECISIONS §8]', async () => {
  const operation = mockOperation(databaseRoutes.delete, { kind: 'delete', databaseName: 'TRAINING' });
  const { onClose, user } = renderDialog();
  await typeAndDelete();
  await user.click(await screen.findByRole('button', { name: 'Continue in background' }));
  expect(onClose).toHaveBeenCalledOnce();
  operation.fail(CHANGED, { status: 409, title: 'Plan changed', result: makePlan() });
  const toasts = await screen.findByRole('region', { name: /Notifications/ });
  await within(toasts).findByText(`Deletion of TRAINING: ${CHANGED}`);
  expect(planQueries).toHaveLength(1);
  expect(onClose).toHaveBeenCalledOnce();
});

test('a changed plan is reported and shown, and the next attempt uses it [§2.13]', async () => {
  const plans: (string | null)[] = [];
  server.use(
    onRoute(databaseRoutes.delete, ({ request }) => {
      const plan = new URL(request.url).searchParams.get('plan');
      plans.push(plan);
      return plan === 'digest-2' ? ok({ id: training.id, databaseName: 'TRAINING' }) : failed(409, CHANGED);
    }),
  );
  const { onClose } = renderDialog();
  await findField(LABEL);
  server.use(answerPlan({ rows: 20_000, digest: 'digest-2' }));
  await typeAndDelete();
  expect((await screen.findByRole('alert')).textContent).toBe(CHANGED);
  await waitFor(() => expect(figure('Rows')).toBe('20,000'));
  expect(planQueries).toHaveLength(2);
  expect(field(LABEL).value).toBe('TRAINING');
  expect(onClose).not.toHaveBeenCalled();

  await waitFor(() => expect(isInert(deleteButton())).toBe(false));
  fireEvent.click(deleteButton());
  await screen.findByText('Successfully deleted database.');
  expect(plans).toEqual(['digest-1', 'digest-2']);
  expect(onClose).toHaveBeenCalledOnce();
});

test('a cancellation is reported; the dialog stays open with the plan it has, and wants the name anew [§2.20] [DECISIONS §8]', async () => {
  const operation = mockOperation(databaseRoutes.delete, { kind: 'delete' });
  const { onClose } = renderDialog();
  await typeAndDelete();
  await screen.findByRole('progressbar');
  operation.cancel(CANCELLED);
  await screen.findByText(CANCELLED);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(planQueries).toHaveLength(1);
  // A click that was meant for 'Continue in background' deletes nothing.
  await waitFor(() => expect(field(LABEL).value).toBe(''));
  expect(deleteButton().disabled).toBe(true);
  expect(document.activeElement).toBe(field(LABEL));
  expect(onClose).not.toHaveBeenCalled();
});

test('another refusal says why and keeps the dialog open with the typed name [§8]', async () => {
  server.use(onRoute(databaseRoutes.delete, () => failed(403, 'You do not have the permission for this.')));
  const { onClose } = renderDialog();
  await typeAndDelete();
  expect((await screen.findByRole('alert')).textContent).toContain('You do not have the permission for this.');
  expect(field(LABEL).value).toBe('TRAINING');
  expect(planQueries).toHaveLength(1);
  expect(onClose).not.toHaveBeenCalled();
});

test("a tenant's own database cannot be deleted here: the dialog says so and can only be closed [§2.13]", async () => {
  const refusal = 'CEDARVA belongs to a tenant and goes with it only.';
  server.use(answerPlanWith(() => failed(409, refusal)));
  const { onClose, user } = renderDialog();
  const dialog = screen.getByRole('dialog');
  expect((await within(dialog).findByRole('alert')).textContent).toBe(refusal);
  expect(within(dialog).queryByRole('textbox')).toBeNull();
  const [cross, close, ...others] = within(dialog).getAllByRole('button');
  expect([cross, close].map((button) => button?.textContent || button?.ariaLabel)).toEqual(['Close', 'Close']);
  expect(others).toEqual([]);
  await user.click(close ?? dialog);
  expect(onClose).toHaveBeenCalledOnce();
});

test('a plan that could not be loaded can be loaded again [§8]', async () => {
  server.use(answerPlanWith(() => failed(503, 'The database cannot be reached. Please try again.')));
  const { user } = renderDialog();
  await within(await screen.findByRole('alert')).findByText('The database cannot be reached. Please try again.');
  server.use(answerPlan());
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('TRAINING is erased with all it holds.');
});

test('Cancel deletes nothing [§2.13]', async () => {
  const { onClose, user } = renderDialog();
  await findField(LABEL);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledOnce();
});
