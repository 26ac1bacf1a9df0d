import { type AdoptionPlan, adoptionPlan, adoptionRoutes } from '@apotheca/contract/adoptions';
import { databaseRoutes } from '@apotheca/contract/databases';
import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { useState } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { notify } from '../../../components/toast/toast.tsx';
import { makeDatabase } from '../../../testing/databases.ts';
import { field, fill } from '../../../testing/fields.ts';
import { isChanging } from '../../../testing/mutations.ts';
import { mockOperation } from '../../../testing/operations.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { keepSavedFiles } from '../../../testing/saved-files.ts';
import { failed, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import { AdoptDatabaseModal } from './adopt-database-modal.tsx';

const ID = '00000000-0000-4000-8000-000000000001';
const archive = new File(['PGDMP…'], 'clinic.dump');

/** A source with two tables that go somewhere, and one that stays behind. */
const plan: AdoptionPlan = adoptionPlan.parse({
  id: ID,
  encoding: 'UTF8',
  sourceTables: [
    { id: '7', name: 'units', columns: ['id', 'name'], rows: 12 },
    { id: '8', name: 'clinic.Location', columns: ['id', 'title', 'colour'], rows: 1234 },
    { id: '9', name: 'invoices', columns: ['id'], rows: null },
  ],
  tables: TENANT_TABLE_NAMES.map((table) => ({ table, source: null, state: 'missing', columns: [], leftOut: [] })),
  extra: ['9'],
  hasLargeObjects: true,
  digest: 'digest-1',
});
const set = (base: AdoptionPlan, table: string, fields: object, rest: object = {}): AdoptionPlan => ({
  ...base,
  tables: base.tables.map((one) => (one.table === table ? { ...one, ...fields } : one)),
  ...rest,
});
const suggested = set(set(plan, 'units', { source: '7', state: 'fits' }), 'locations', {
  source: '8',
  state: 'mapped',
  columns: [
    { name: 'id', source: 'id', isRequired: false },
    { name: 'name', source: null, isRequired: true },
    { name: 'kind', source: null, isRequired: false },
  ],
  leftOut: ['title', 'colour'],
});
const chosen = set(suggested, 'items', { source: '9', state: 'mapped' }, { extra: [], digest: 'digest-2' });

const report = {
  id: 'new',
  databaseName: 'CLINIC',
  rows: 1240,
  rejected: 6,
  tables: [
    { table: 'units', source: 'units', read: 12, loaded: 12, rejected: 0, leftOut: [] },
    {
      table: 'locations',
      source: 'clinic.Location',
      read: 1234,
      loaded: 1228,
      rejected: 6,
      leftOut: [{ column: 'colour', values: 3 }],
    },
  ],
  extra: [{ name: 'invoices', rows: null }],
  hasLargeObjects: true,
};

/** What was sent to be planned. */
let planned: unknown[] = [];
mockServer(
  onRoute(databaseRoutes.list, () => ok([makeDatabase({ databaseName: 'CEDAR' })])),
  onRoute(adoptionRoutes.inspectArchive, () => ok(suggested)),
  onRoute(adoptionRoutes.plan, async ({ request }) => {
    planned.push(await request.json());
    return ok(chosen);
  }),
);

async function renderInspected() {
  planned = [];
  const onClose = vi.fn();
  const view = renderWithStore(<AdoptDatabaseModal show onClose={onClose} />);
  await view.user.upload(field('Archive'), archive);
  fireEvent.click(screen.getByRole('button', { name: 'Inspect' }));
  await screen.findByRole('list', { name: 'Tables of the platform' });
  return { ...view, onClose };
}

const rowOf = (table: string): HTMLElement => {
  const row = screen.getByRole('combobox', { name: `Source of ${table}` }).closest('li');
  if (!row) throw new Error(`${table} has no row.`);
  return row;
};

test('an archive is required, and one that is refused says why at its field [§2.13]', async () => {
  const { user } = renderWithStore(<AdoptDatabaseModal show onClose={vi.fn()} />);
  fireEvent.click(screen.getByRole('button', { name: 'Inspect' }));
  await screen.findByText('Archive is Required');
  server.use(onRoute(adoptionRoutes.inspectArchive, () => failed(409, 'Please make it without --inserts.')));
  await user.upload(field('Archive'), archive);
  fireEvent.click(screen.getByRole('button', { name: 'Inspect' }));
  await waitFor(() => expect(field('Archive').getAttribute('aria-invalid')).toBe('true'));
});

test('closing the dialog stops an archive that is being sent, and tells nothing more of it [§2.13]', async () => {
  const error = vi.spyOn(notify, 'error');
  onTestFinished(() => error.mockRestore());
  const answer = Promise.withResolvers<void>();
  server.use(
    onRoute(adoptionRoutes.inspectArchive, async () => {
      await answer.promise;
      return failed(409, 'Please make it without --inserts.');
    }),
  );
  function Page() {
    const [show, setShow] = useState(true);
    return <AdoptDatabaseModal show={show} onClose={() => setShow(false)} />;
  }
  const { user, store } = renderWithStore(<Page />);
  await user.upload(field('Archive'), archive);
  fireEvent.click(screen.getByRole('button', { name: 'Inspect' }));
  await waitFor(() => expect(isChanging(store)).toBe(true));
  await user.click(within(screen.getByRole('dialog')).getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // Though the answer has not come.
  await waitFor(() => expect(isChanging(store)).toBe(false));
  answer.resolve();
  expect(error).not.toHaveBeenCalled();
});

test('each table says what becomes of it, and what stays behind is named [§2.13]', async () => {
  await renderInspected();
  expect(screen.getByRole('status').textContent).toBe('1 fits1 mapped35 missing1 extra');
  expect(rowOf('units').textContent).toContain('12 rows');
  const locations = rowOf('locations');
  within(locations).getByText('Every row will be rejected, as nothing fills name.');
  within(locations).getByText('Left to their defaults, or empty: kind.');
  within(locations).getByText('Left out: title, colour.');
  expect(screen.getByText('Tables that stay behind').parentElement?.textContent).toContain('invoices rows not counted');
  screen.getByText(/^Its large objects stay behind/);
  expect(within(rowOf('units')).queryByText(/^Columns/)).toBeNull();
});

test('a database on a server is inspected; what is wrong with the way to it stands at its field [§2.13]', async () => {
  const sent: unknown[] = [];
  server.use(
    onRoute(adoptionRoutes.inspectServer, async ({ request }) => {
      sent.push(await request.json());
      const errors = { host: ['Databases may not be adopted from db.test: it is not in APOTHECA_ADOPTION_HOSTS.'] };
      return sent.length === 1 ? failed(400, 'Refused.', errors) : ok(suggested);
    }),
  );
  const { user } = renderWithStore(<AdoptDatabaseModal show onClose={vi.fn()} />);
  await user.click(screen.getByRole('tab', { name: 'On a server' }));
  const press = () => fireEvent.click(screen.getByRole('button', { name: 'Inspect' }));
  press();
  await screen.findByText('Host is Required');
  fill('Host', 'db.test');
  fill('Database', 'clinic');
  fill('User', 'leaving');
  fill('Password', 'four plain words');
  press();
  await screen.findByText('Databases may not be adopted from db.test: it is not in APOTHECA_ADOPTION_HOSTS.');
  expect(field('Host').getAttribute('aria-invalid')).toBe('true');
  press();
  await screen.findByRole('list', { name: 'Tables of the platform' });
  const way = { host: 'db.test', port: 5432, database: 'clinic', user: 'leaving', password: 'four plain words' };
  expect(sent.at(-1)).toEqual({ ...way, tls: 'verify-full' });
});

test('another table and other columns can be chosen [§2.13]', async () => {
  const { user } = await renderInspected();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Source of items' }), 'invoices');
  await waitFor(() => expect(screen.getByRole('status').textContent).toContain('0 extra'));
  expect(planned).toEqual([{ id: ID, tables: [{ table: 'items', source: '9', columns: {} }] }]);
  const details = screen.getByText('Columns of locations').closest('details') as HTMLDetailsElement;
  details.open = true;
  fireEvent(details, new Event('toggle'));
  await user.selectOptions(await within(details).findByRole('combobox', { name: 'name' }), 'title');
  await waitFor(() => expect(planned).toHaveLength(2));
  expect(planned[1]).toEqual({
    id: ID,
    tables: [
      { table: 'items', source: '9', columns: {} },
      { table: 'locations', source: '8', columns: { name: 'title' } },
    ],
  });
});

test('the plan that was shown is adopted, and the report tells of every row [§2.13, DECISIONS §8]', async () => {
  const sent: unknown[] = [];
  const operation = mockOperation(adoptionRoutes.adopt, { kind: 'adopt' });
  const { user, onClose } = await renderInspected();
  // It answers nothing, so the operation's own handler does.
  server.use(
    onRoute(adoptionRoutes.adopt, async ({ request }) => {
      sent.push(await request.clone().json());
    }),
  );
  await user.selectOptions(screen.getByRole('combobox', { name: 'Source of items' }), 'invoices');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Adopt database' })).toHaveProperty('disabled', false));
  fill('New Database Name', 'cedar');
  fireEvent.click(screen.getByRole('button', { name: 'Adopt database' }));
  await screen.findByText('Database name should be not same with existing name');
  fill('New Database Name', 'clinic');
  fireEvent.click(screen.getByRole('button', { name: 'Adopt database' }));
  await screen.findByRole('progressbar');
  await waitFor(() =>
    expect(sent).toEqual([
      {
        id: ID,
        tables: [{ table: 'items', source: '9', columns: {} }],
        databaseName: 'CLINIC',
        plan: 'digest-2',
      },
    ]),
  );
  operation.succeed('Success! CLINIC has been adopted.', report);
  const row = (await screen.findByRole('rowheader', { name: 'locations' })).closest('tr');
  expect([...(row?.cells ?? [])].map((cell) => cell.textContent)).toEqual(['locations', '1,234', '1,228', '6']);
  screen.getByText('6 rows were rejected. They are kept with the database, each with its reason.');
  const behind = screen.getByText('What stayed behind').parentElement?.textContent;
  expect(behind).toContain('invoices rows not counted');
  expect(behind).toContain('locations.colour 3 values');
  server.use(onRoute(adoptionRoutes.downloadRejected, () => new HttpResponse('table,source')));
  const saved = keepSavedFiles();
  fireEvent.click(screen.getByRole('button', { name: 'Download rejected rows' }));
  await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['CLINIC rejected rows.csv']));
  expect(onClose).not.toHaveBeenCalled();
  await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
  expect(onClose).toHaveBeenCalledOnce();
});
