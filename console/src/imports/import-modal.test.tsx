import type { ImportPlan, ImportReport } from '@apotheca/contract/imports';
import { tenantImportRoutes } from '@apotheca/contract/tenant-import';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { useState } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Imported } from '../api/imports.ts';
import { notify } from '../components/toast/toast.tsx';
import { i18n } from '../locales/i18n.ts';
import { field } from '../testing/fields.ts';
import { isChanging } from '../testing/mutations.ts';
import { mockOperation } from '../testing/operations.ts';
import { renderWithStore } from '../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../testing/server.ts';
import { IMPORT_COLUMNS } from './import-columns.ts';
import { ImportModal } from './import-modal.tsx';

const PLAN: ImportPlan = {
  id: '0b8f6d52-5c1e-4c55-9d0b-6a4f8f6b7c21',
  counts: { create: 2, change: 1, same: 0, refused: 1 },
  rows: [
    { line: 2, record: 'ACME', outcome: 'create', changes: [], reasons: [] },
    { line: 3, record: 'BETA', outcome: 'create', changes: [], reasons: [] },
    { line: 4, record: 'OLD', outcome: 'change', changes: [{ heading: 'City', from: '', to: 'Aspen' }], reasons: [] },
    {
      line: 5,
      record: '',
      outcome: 'refused',
      changes: [],
      reasons: [{ heading: 'Email', message: 'Email is required' }],
    },
  ],
  digest: 'digest-1',
};
const REPORT: ImportReport = {
  id: PLAN.id,
  operationId: PLAN.id,
  startedBy: 'ada',
  startedOnUtc: '2026-03-04T09:30:00.000Z',
  state: 'succeeded',
  counts: { created: 2, changed: 1, same: 0, refused: 1, waiting: 0 },
  rows: PLAN.rows.map(({ outcome, ...row }) => ({
    ...row,
    result: ({ create: 'created', change: 'changed', same: 'same', refused: 'refused' } as const)[outcome],
  })),
};
const FILE = new File(['Tenant Code\nACME'], 'tenants.csv');

mockServer(
  onRoute(tenantImportRoutes.plan, () => ok(PLAN)),
  onRoute(tenantImportRoutes.report, () => ok(REPORT)),
);

function renderModal(what: Imported = 'tenants') {
  const onClose = vi.fn();
  return { ...renderWithStore(<ImportModal show what={what} onClose={onClose} />), onClose };
}

/** Waits for the sentence of a report. */
const reportOf = (text: RegExp) =>
  waitFor(() =>
    expect(screen.getAllByRole('status').map((one) => one.textContent)).toContainEqual(expect.stringMatching(text)),
  );

const rowTexts = () =>
  within(screen.getByRole('list', { name: 'Rows of the file' }))
    .getAllByRole('listitem')
    .map((row) => row.textContent);

test('a file is planned, confirmed in words, imported, and each row has its result [§2.21]', async () => {
  const started: Record<string, string>[] = [];
  server.use(
    onRoute(tenantImportRoutes.start, ({ request }) => {
      started.push(Object.fromEntries(new URL(request.url).searchParams));
      return ok({ id: PLAN.id, counts: REPORT.counts }, '2 tenants created and 1 changed.');
    }),
  );
  const { user, onClose } = renderModal();
  await user.upload(field('CSV file'), FILE);
  await screen.findByText('2 will be created, 1 will be changed and 1 row is refused.');
  expect(rowTexts()).toEqual([
    'Line 2ACMECreate',
    'Line 3BETACreate',
    'Line 4OLDChangeCity: nothing → Aspen',
    'Line 5No nameRefusedEmail: Email is required',
  ]);
  await user.selectOptions(screen.getByLabelText('Show'), 'Refused: 1');
  expect(rowTexts()).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Create 2, change 1' }));
  await screen.findByText('2 tenants created and 1 changed.');
  await reportOf(/^Started by ada, .* Succeeded 2 were created, 1 was changed and 1 row is refused\.$/);
  expect(started).toEqual([{ id: PLAN.id, plan: 'digest-1' }]);
  expect(rowTexts()[2]).toBe('Line 4OLDChangedCity: nothing → Aspen');
  expect(onClose).not.toHaveBeenCalled();
});

test('the focus stays in the dialog when a file is planned, and when another one is asked for [§2.20] [§2.21]', async () => {
  const finishReading = readSlowly();
  const { user } = renderModal();
  const dialog = screen.getByRole('dialog');
  const input = field('CSV file');
  await user.upload(input, FILE);
  input.focus();
  await finishReading();
  await screen.findByRole('button', { name: 'Create 2, change 1' });
  expect(document.activeElement).toBe(dialog);
  const another = screen.getByRole('button', { name: 'Another file' });
  another.focus();
  await user.keyboard('{Enter}');
  // A disabled button takes no key, and browsers take the focus from it later.
  expect(another.matches(':disabled')).toBe(true);
  expect(document.activeElement).toBe(dialog);
});

test('the button that imports stands where it will be before a file is read, so Close is not there [§2.20] [§2.21]', async () => {
  const finishReading = readSlowly();
  const { user } = renderModal();
  const footer = () =>
    [...document.querySelectorAll<HTMLButtonElement>('.modal-footer .btn')].map(
      ({ textContent, disabled }) => `${textContent}${disabled ? ', disabled' : ''}`,
    );
  const before = ['Close', 'Another file, disabled', 'Import, disabled'];
  expect(footer()).toEqual(before);
  await user.upload(field('CSV file'), FILE);
  await screen.findByText('Reading the file');
  expect(footer()).toEqual(before);
  await finishReading();
  await screen.findByRole('button', { name: 'Create 2, change 1' });
  expect(footer()).toEqual(['Close', 'Another file', 'Create 2, change 1']);
});

test('a file that cannot be read says why at its field, and in a toast [§2.21]', async () => {
  const message = "The heading 'Tenant Code' is missing.";
  server.use(onRoute(tenantImportRoutes.plan, () => failed(400, message, { file: [message] })));
  const { user } = renderModal();
  await user.upload(field('CSV file'), FILE);
  await screen.findByText(message);
  expect(field('CSV file').getAttribute('aria-invalid')).toBe('true');
  expect((await screen.findByRole('alert')).textContent).toBe(`file: ${message}`);
});

test('a file that could not be read says why in a toast, and in the dialog with Retry [§2.21] [§8]', async () => {
  const message = 'The server is busy.';
  server.use(onRoute(tenantImportRoutes.plan, () => failed(503, message), { once: true }));
  const { user } = renderModal();
  await user.upload(field('CSV file'), FILE);
  expect((await screen.findByRole('alert')).textContent).toBe(message);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByRole('button', { name: 'Create 2, change 1' });
});

test('a file is read again under the same name, once it is corrected [§2.21]', async () => {
  const message = 'The file is empty.';
  server.use(onRoute(tenantImportRoutes.plan, () => failed(400, message, { file: [message] }), { once: true }));
  const { user } = renderModal();
  await user.upload(field('CSV file'), FILE);
  await screen.findByText(message);
  await user.upload(field('CSV file'), FILE);
  await screen.findByRole('button', { name: 'Create 2, change 1' });
});

/** Reads `FILE` until that is allowed, and any other file at once: one row is new in it. @returns allows it */
function readSlowly() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isRead = false;
  server.use(
    onRoute(tenantImportRoutes.plan, async ({ request }) => {
      if ((await request.text()) !== (await FILE.text())) return ok({ ...PLAN, counts: { ...PLAN.counts, create: 1 } });
      await promise;
      isRead = true;
      return ok(PLAN);
    }),
  );
  return async () => {
    resolve();
    await waitFor(() => expect(isRead).toBe(true));
  };
}

test('a file that is chosen while another one is read takes its place [§2.21]', async () => {
  const finishReading = readSlowly();
  const { user } = renderModal();
  await user.upload(field('CSV file'), FILE);
  await screen.findByText('Reading the file');
  await user.upload(field('CSV file'), new File(['Tenant Code\nOTHER'], 'others.csv'));
  await screen.findByRole('button', { name: 'Create 1, change 1' });
  await finishReading();
  screen.getByRole('button', { name: 'Create 1, change 1' });
});

test('a file that is still read when the dialog is closed is told of no more [§2.21]', async () => {
  const error = vi.spyOn(notify, 'error');
  onTestFinished(() => error.mockRestore());
  const answer = Promise.withResolvers<void>();
  server.use(
    onRoute(tenantImportRoutes.plan, async () => {
      await answer.promise;
      return failed(400, 'This is no CSV file.');
    }),
  );
  function Page() {
    const [show, setShow] = useState(true);
    return <ImportModal show={show} what="tenants" onClose={() => setShow(false)} />;
  }
  const { user, store } = renderWithStore(<Page />);
  await user.upload(field('CSV file'), FILE);
  await screen.findByText('Reading the file');
  expect(isChanging(store)).toBe(true);
  await user.click(screen.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  answer.resolve();
  await waitFor(() => expect(isChanging(store)).toBe(false));
  expect(error).not.toHaveBeenCalled();
});

test('the last import, looked at while a file is read, stays [§2.21]', async () => {
  const finishReading = readSlowly();
  const { user } = renderModal();
  await user.upload(field('CSV file'), FILE);
  await screen.findByText('Reading the file');
  await user.click(screen.getByRole('button', { name: 'Last import' }));
  await reportOf(/^Started by ada/);
  expect(screen.queryByText('Reading the file')).toBeNull();
  await finishReading();
  await reportOf(/^Started by ada/);
  expect(screen.queryByRole('button', { name: 'Create 2, change 1' })).toBeNull();
});

test('where the plan has changed the new one is shown, and nothing is started again by itself [§2.21]', async () => {
  const changed = { ...PLAN, counts: { create: 1, change: 1, same: 1, refused: 1 }, digest: 'digest-2' };
  const message = 'What this file would do has changed.';
  const refusal = { status: 409, success: false, message, title: 'Plan changed', result: changed };
  server.use(onRoute(tenantImportRoutes.start, () => HttpResponse.json(refusal, { status: 409 })));
  const { user } = renderModal();
  await user.upload(field('CSV file'), FILE);
  await user.click(await screen.findByRole('button', { name: 'Create 2, change 1' }));
  await screen.findByText('What this file would do has changed.');
  screen.getByRole('button', { name: 'Create 1, change 1' });
});

test('a cancelled import shows what was written [§2.21]', async () => {
  const operation = mockOperation(tenantImportRoutes.start, { kind: 'import-tenants' });
  server.use(onRoute(tenantImportRoutes.report, () => ok({ ...REPORT, state: 'cancelled' })));
  const { user } = renderModal();
  await user.upload(field('CSV file'), FILE);
  await user.click(await screen.findByRole('button', { name: 'Create 2, change 1' }));
  await screen.findByRole('progressbar');
  operation.cancel('The import was cancelled with one row to go.');
  await reportOf(/^Started by ada, .* Cancelled 2 were created/);
});

test('the last import can be looked at; where there is none it says so [§2.21]', async () => {
  const { user } = renderModal();
  await user.click(screen.getByRole('button', { name: 'Last import' }));
  await reportOf(/^Started by ada, .* Succeeded 2 were created, 1 was changed and 1 row is refused\.$/);
  server.use(onRoute(tenantImportRoutes.report, () => ok(null)));
  await user.click(screen.getByRole('button', { name: 'Another file' }));
  await user.click(screen.getByRole('button', { name: 'Last import' }));
  await screen.findByText('Nothing has been imported yet.');
});

test('the report of one that runs goes on after it could not be loaded once [§2.21]', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const pass = () => act(() => vi.advanceTimersByTimeAsync(2_000));
  server.use(onRoute(tenantImportRoutes.report, () => ok({ ...REPORT, state: 'running' })));
  renderWithStore(<ImportModal show what="tenants" report={REPORT.id} onClose={vi.fn()} />);
  await reportOf(/Running $/);
  server.use(onRoute(tenantImportRoutes.report, () => failed(503, 'Away.')));
  await pass();
  await screen.findByText('Away.');
  server.use(onRoute(tenantImportRoutes.report, () => ok(REPORT)));
  await pass();
  await reportOf(/Succeeded/);
});

test('all rows are shown once none is left of those that were chosen [§2.21]', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const waiting = REPORT.rows.map((row) => ({ ...row, result: 'waiting' as const }));
  const none = { created: 0, changed: 0, same: 0, refused: 0 };
  const running = { ...REPORT, state: 'running' as const, counts: { ...none, waiting: 4 }, rows: waiting };
  server.use(onRoute(tenantImportRoutes.report, () => ok(running)));
  const { user } = renderWithStore(<ImportModal show what="tenants" report={REPORT.id} onClose={vi.fn()} />);
  await user.selectOptions(await screen.findByLabelText('Show'), 'Not done: 4');
  server.use(onRoute(tenantImportRoutes.report, () => ok(REPORT)));
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  await reportOf(/Succeeded/);
  expect(rowTexts()).toHaveLength(4);
});

test('users are told how they sign in, and every column is explained [§2.21]', async () => {
  const { user } = renderModal('users');
  // No link from the sign-in page: who has no password gets none.
  screen.getByText(
    'The file has no passwords. New users sign in by your sign-in service, or with a password that you set in Edit.',
  );
  await user.click(screen.getByText('What the columns mean'));
  expect(screen.getByText('Access Role').closest('li')?.textContent).toBe(
    'Access Role for new ones; a choice by its name, as in the form',
  );
});

test('a heading is the label of its field [§2.21]', () => {
  const labelled = (what: 'tenants' | 'users') =>
    IMPORT_COLUMNS[what].map(({ field: name }) => i18n.t(`${what}.fields.${name}` as 'tenants.fields.code'));
  for (const what of ['tenants', 'users'] as const)
    expect(IMPORT_COLUMNS[what].map(({ heading }) => heading)).toEqual(labelled(what));
});
