import { type Finding, reconciliationRoutes } from '@apotheca/contract/reconciliation';
import { screen, waitFor, within } from '@testing-library/react';
import type { HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { renderWithStore } from '../../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import { ReconciliationModal } from './reconciliation-modal.tsx';

const orphan: Finding = {
  kind: 'role-without-database',
  subject: 'tenant_0007',
  explanation: 'The role belongs to no database. The fix drops it.',
  fix: 'drop-role',
};
const other: Finding = { ...orphan, subject: 'tenant_0008' };
const missing: Finding = {
  kind: 'database-missing',
  subject: 'CEDAR',
  explanation: 'The database is registered but not on the server. Restore a backup.',
  fix: 'none',
};
const elsewhere: Finding = { ...missing, kind: 'database-without-owner', subject: 'db_ash' };

/** The findings of the mocked server. */
let findings: Finding[] = [];
const reconcile = onRoute(reconciliationRoutes.reconcile, () =>
  ok({ checkedOnUtc: new Date().toISOString(), serversAway: [], databases: 1234, findings }),
);
mockServer(reconcile);

function renderModal(found: Finding[]) {
  findings = found;
  const onClose = vi.fn();
  return { ...renderWithStore(<ReconciliationModal show onClose={onClose} />), onClose };
}

test('without differences it says so [DECISIONS §8]', async () => {
  renderModal([]);
  screen.getByRole('dialog', { name: 'Reconcile' });
  await screen.findByText('Registry and server agree: 1,234 databases');
});

test('a server whose databases were not compared is named, with where the reason stands [§2.30]', async () => {
  const checkedOnUtc = new Date().toISOString();
  const answer = { checkedOnUtc, serversAway: ['North', 'South'], databases: 1234, findings: [] };
  server.use(onRoute(reconciliationRoutes.reconcile, () => ok(answer)));
  renderModal([]);
  await screen.findByText(
    'Not compared: North, South. There is no answer, or the connection is refused; Database Servers has the reason.',
  );
});

test('it says that it is comparing [DECISIONS §8]', async () => {
  server.use(onRoute(reconciliationRoutes.reconcile, () => new Promise<HttpResponse<null>>(() => {})));
  renderModal([]);
  within(screen.getByRole('dialog')).getByText('Comparing the registry with the server');
});

test('each finding is explained, with its fix if it has one [DECISIONS §8]', async () => {
  renderModal([orphan, missing, elsewhere]);
  await screen.findByText('Registry and server differ in 3 points:');
  const [first, second, third] = screen.getAllByRole('listitem');
  if (!first || !second || !third) throw new Error('three findings are expected');
  within(first).getByText('Role without database');
  within(first).getByText('tenant_0007');
  within(first).getByText(orphan.explanation);
  within(first).getByRole('button', { name: 'Delete role: tenant_0007' });
  within(second).getByText('Database missing');
  expect(within(second).queryByRole('button')).toBeNull();
  // Findings of this kind mostly have a fix.
  expect(within(third).queryByRole('button')).toBeNull();
});

test('where nothing can be fixed the findings take the focus, so that the keyboard can scroll them [§2.20]', async () => {
  renderModal([missing, { ...missing, subject: 'ELM' }]);
  const bodyOf = async (subject: string) => (await screen.findByText(subject)).closest('.modal-body');
  expect((await bodyOf('ELM'))?.getAttribute('tabindex')).toBe('0');
});

test('a finding of a kind that only a newer server knows is explained, without a fix [DECISIONS §8]', async () => {
  renderModal([{ ...orphan, kind: 'later' as Finding['kind'] }]);
  const item = within(await screen.findByRole('listitem'));
  item.getByText('Another difference');
  item.getByText(orphan.explanation);
  expect(item.queryByRole('button')).toBeNull();
});

test('a fix is confirmed first, and the comparison then runs again [DECISIONS §8]', async () => {
  const queries: Record<string, string>[] = [];
  server.use(
    onRoute(reconciliationRoutes.fix, ({ request }) => {
      queries.push(Object.fromEntries(new URL(request.url).searchParams));
      findings = [];
      return ok(orphan);
    }),
  );
  const { user } = renderModal([orphan]);
  await user.click(await screen.findByRole('button', { name: 'Delete role: tenant_0007' }));
  const question = await screen.findByRole('dialog', { name: 'Delete role: tenant_0007' });
  within(question).getByText(orphan.explanation);
  expect(queries).toEqual([]);
  await user.click(within(question).getByRole('button', { name: 'Delete role' }));
  await screen.findByText('Done: Delete role, tenant_0007.');
  expect(queries).toEqual([{ kind: 'role-without-database', subject: 'tenant_0007' }]);
  await screen.findByText('Registry and server agree: 1,234 databases');
});

test('an upgrade is told as started, not as done, as the finding stays until it has ended [DECISIONS §8]', async () => {
  const old: Finding = { ...missing, kind: 'old-schema-version', fix: 'upgrade' };
  server.use(onRoute(reconciliationRoutes.fix, () => ok(old, 'The upgrade has been started.')));
  const { user } = renderModal([old]);
  await user.click(await screen.findByRole('button', { name: 'Upgrade: CEDAR' }));
  await user.click(await screen.findByRole('button', { name: 'Upgrade' }));
  await screen.findByText('Started: Upgrade, CEDAR. Activity shows how it goes.');
});

test('two findings of one name say on which server each is, and the one that is meant is fixed [§2.30]', async () => {
  const queries: Record<string, string>[] = [];
  server.use(
    onRoute(reconciliationRoutes.fix, ({ request }) => {
      queries.push(Object.fromEntries(new URL(request.url).searchParams));
      findings = findings.slice(0, 1);
      return ok({ ...orphan, server: 'North' });
    }),
  );
  const { user } = renderModal([
    { ...orphan, server: 'Home' },
    { ...orphan, server: 'North' },
  ]);
  await user.click(await screen.findByRole('button', { name: 'Delete role: tenant_0007 on North' }));
  const question = await screen.findByRole('dialog', { name: 'Delete role: tenant_0007 on North' });
  await user.click(within(question).getByRole('button', { name: 'Delete role' }));
  await screen.findByText('Done: Delete role, tenant_0007 on North.');
  expect(queries).toEqual([{ kind: 'role-without-database', subject: 'tenant_0007', server: 'North' }]);
  const left = await screen.findByText('Registry and server differ in one point:');
  within(left.parentElement as HTMLElement).getByText('Home');
});

test('a finding that no longer exists leaves the list [DECISIONS §8]', async () => {
  const { user } = renderModal([orphan]);
  server.use(
    onRoute(reconciliationRoutes.fix, () => {
      findings = [];
      return failed(404, 'This finding no longer stands: nothing was changed.');
    }),
  );
  await user.click(await screen.findByRole('button', { name: 'Delete role: tenant_0007' }));
  await user.click(await screen.findByRole('button', { name: 'Delete role' }));
  await screen.findByText('This finding no longer stands: nothing was changed.');
  await screen.findByText('Registry and server agree: 1,234 databases');
});

test('why a fix failed stands in its own dialog, not in that of the next finding [DECISIONS §8]', async () => {
  server.use(onRoute(reconciliationRoutes.fix, () => failed(503, 'The server cannot be reached.')));
  const { user } = renderModal([orphan, other]);
  await user.click(await screen.findByRole('button', { name: 'Delete role: tenant_0007' }));
  const first = within(await screen.findByRole('dialog', { name: 'Delete role: tenant_0007' }));
  await user.click(first.getByRole('button', { name: 'Delete role' }));
  await first.findByText('The server cannot be reached.');
  await user.click(first.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Delete role: tenant_0007' })).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Delete role: tenant_0008' }));
  const second = within(await screen.findByRole('dialog', { name: 'Delete role: tenant_0008' }));
  expect(second.queryByText('The server cannot be reached.')).toBeNull();
  expect(second.queryByRole('button', { name: 'Retry' })).toBeNull();
});

test('a comparison that fails says why and can be retried [§8]', async () => {
  server.use(onRoute(reconciliationRoutes.reconcile, () => failed(503, 'The database cannot be reached.')));
  const { user } = renderModal([]);
  await within(await screen.findByRole('alert')).findByText('The database cannot be reached.');
  server.use(reconcile);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('Registry and server agree: 1,234 databases');
});

test('a fix whose answer was lost keeps its dialog and Retry, though the comparison fails too [DECISIONS §8]', async () => {
  const { user } = renderModal([orphan]);
  await user.click(await screen.findByRole('button', { name: 'Delete role: tenant_0007' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete role: tenant_0007' }));
  const lost = () => failed(504, 'There was no answer in time.');
  server.use(onRoute(reconciliationRoutes.fix, lost), onRoute(reconciliationRoutes.reconcile, lost));
  await user.click(dialog.getByRole('button', { name: 'Delete role' }));
  await dialog.findByRole('button', { name: 'Retry' });
  const list = within(screen.getByRole('dialog', { name: 'Reconcile', hidden: true }));
  await list.findByText('There was no answer in time.');
  dialog.getByRole('button', { name: 'Retry' });
  list.getByText(orphan.explanation);
});

test('the comparison can be repeated at any time [DECISIONS §8]', async () => {
  const { user } = renderModal([]);
  await screen.findByText(/agree/);
  findings = [missing];
  await user.click(screen.getByRole('button', { name: 'Compare again' }));
  await screen.findByText('Registry and server differ in one point:');
  await waitFor(() => expect(screen.queryByText(/agree/)).toBeNull());
});
