import { anonymizationRoutes } from '@apotheca/contract/anonymization';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { field, fill, findField } from '../../../../testing/fields.ts';
import { manageDialog, quietServer, renderManageAt } from '../../../../testing/manage-tenant.tsx';
import { mockOperation } from '../../../../testing/operations.ts';
import { keepSavedFiles } from '../../../../testing/saved-files.ts';
import { failed, mockServer, ok, onRoute, server } from '../../../../testing/server.ts';
import { makeAnonymizationPlan, makeReport } from '../../../../testing/tenant-data.ts';

const MESSAGE = 'Anonymizing replaces what identifies people.';
const LABEL = 'Database Name';

const planOk = (fields: Parameters<typeof makeAnonymizationPlan>[0] = {}) =>
  onRoute(anonymizationRoutes.planAnonymization, () => ok(makeAnonymizationPlan(fields), MESSAGE));

mockServer(...quietServer, planOk());

async function open() {
  const view = await renderManageAt('Delete Transaction Data & Reseed');
  await view.user.click(screen.getByRole('button', { name: 'DB Anonymization' }));
  return view;
}

const plan = () => within(screen.getByRole('region', { name: 'What will happen' }));
const confirmDialog = () => screen.findByRole('dialog', { name: 'Anonymize Database' });

/** Opens the confirmation, types the name and confirms. */
async function anonymize() {
  fireEvent.click(manageDialog().getByRole('button', { name: 'Anonymize database' }));
  const dialog = within(await confirmDialog());
  await findField(LABEL);
  fill(LABEL, 'CEDARVA');
  const button = dialog.getByRole<HTMLButtonElement>('button', { name: 'Anonymize database' });
  await waitFor(() => expect(button.disabled).toBe(false));
  fireEvent.click(button);
  return dialog;
}

test("the two buttons choose the tab's kind of operation [§2.8]", async () => {
  const { user } = await open();
  const [anonymization, deletion] = ['DB Anonymization', 'Delete Transaction'].map((name) =>
    screen.getByRole('button', { name }),
  );
  expect([anonymization?.ariaPressed, deletion?.ariaPressed]).toEqual(['true', 'false']);
  expect(screen.queryByRole('checkbox')).toBeNull();
  await user.click(deletion ?? document.body);
  expect([anonymization?.ariaPressed, deletion?.ariaPressed]).toEqual(['false', 'true']);
  screen.getByRole('checkbox', { name: 'Check All / None' });
});

test('the tab explains anonymizing, with the plan: columns by kind, rows, newest backup [DECISIONS §9]', async () => {
  await open();
  screen.getByText(/It cannot be undone/);
  await plan().findByText(MESSAGE);
  expect(plan().getByText('Rows').nextElementSibling?.textContent).toBe('30');
  expect(plan().getByText('Newest backup').nextElementSibling?.textContent).toBe('None');
  const kinds = within(plan().getByRole('region', { name: 'Columns by kind of identifier' }));
  expect(kinds.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['Names2', 'Telephone numbers1']);
});

test('a column without a rule is named, and nothing can be confirmed [DECISIONS §9]', async () => {
  const why = 'patients.nickname has no rule.';
  server.use(onRoute(anonymizationRoutes.planAnonymization, () => failed(409, why)));
  await open();
  expect((await plan().findByRole('alert')).textContent).toContain(why);
  fireEvent.click(manageDialog().getByRole('button', { name: 'Anonymize database' }));
  const dialog = within(await confirmDialog());
  await dialog.findByText(why);
  expect(dialog.queryByRole('textbox')).toBeNull();
});

test('a text stands there while the plan is loaded [DECISIONS §9]', async () => {
  server.use(onRoute(anonymizationRoutes.planAnonymization, () => new Promise<HttpResponse<null>>(() => {})));
  await open();
  plan().getByText('Finding out what would be changed');
});

test('the typed name anonymizes with the plan; the report is shown and can be saved [DECISIONS §9]', async () => {
  const saved = keepSavedFiles();
  const operation = mockOperation(anonymizationRoutes.anonymize, { kind: 'anonymize', steps: ['Replacing'], step: 0 });
  const { user } = await open();
  await plan().findByText(MESSAGE);
  const dialog = await anonymize();
  await dialog.findByRole('progressbar', { name: 'Replacing' });
  expect(operation.queries).toEqual([{ databaseName: 'CEDARVA', plan: 'digest-1' }]);
  operation.succeed('CEDARVA is anonymized.', makeReport());
  await screen.findByText('CEDARVA is anonymized.');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Anonymize Database' })).toBeNull());

  const report = within(screen.getByRole('region', { name: 'Anonymization report' }));
  report.getByText('Anonymizing has changed 4,500 rows in 3 columns.');
  expect(report.getByText(/found none/).closest('.notice')?.className).toContain('notice-success');
  expect(report.getAllByRole('row')[1]?.textContent).toBe('patientsfirst_nameNames1,500');
  await user.click(report.getByRole('button', { name: 'Download as CSV' }));
  expect(saved.map(({ name }) => name)).toEqual([
    expect.stringMatching(/^anonymization-CEDARVA-\d{4}-\d\d-\d\d\.csv$/),
  ]);
  expect((await saved[0]?.content.text())?.replace('\ufeff', '').split('\r\n')).toEqual([
    'Table,Column,Kind,Rows changed',
    'patients,first_name,Names,1500',
    'patients,last_name,Names,1500',
    'patients,phone,Telephone numbers,1500',
    'Scan: old values looked for,,,9000',
    'Scan: columns searched,,,188',
    'Scan: old values found,,,0',
    '',
  ]);
});

test('a scan that found old values is a warning in red [DECISIONS §9]', async () => {
  server.use(
    onRoute(anonymizationRoutes.anonymize, () =>
      ok(makeReport({ scan: { values: 9000, columns: 188, found: 3 } }), 'Done.'),
    ),
  );
  await open();
  await anonymize();
  const text = await screen.findByText(/found 3\./);
  expect(text.closest('.notice')?.className).toContain('notice-danger');
});

test('a changed plan is reported and shown, and the typed name stays [DECISIONS §8]', async () => {
  server.use(
    onRoute(anonymizationRoutes.anonymize, () => {
      server.use(planOk({ rows: 4321, digest: 'digest-2' }));
      return failed(409, 'CEDARVA has changed.');
    }),
  );
  await open();
  const dialog = await anonymize();
  expect((await dialog.findByRole('alert')).textContent).toBe('CEDARVA has changed.');
  await dialog.findByText('4,321');
  expect(field(LABEL).value).toBe('CEDARVA');
});

test('a report on one row says one row [DECISIONS §9]', async () => {
  const operation = mockOperation(anonymizationRoutes.anonymize, { kind: 'anonymize', steps: ['Replacing'], step: 0 });
  await open();
  await plan().findByText(MESSAGE);
  await anonymize();
  const columns = [{ table: 'patients', column: 'phone', kind: 'Telephone numbers', rows: 1 }];
  operation.succeed('CEDARVA is anonymized.', makeReport({ columns, rows: 1 }));
  await screen.findByText('Anonymizing has changed 1 row in 1 column.');
});
