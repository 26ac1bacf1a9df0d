import { databaseRoutes } from '@apotheca/contract/databases';
import { screen, within } from '@testing-library/react';
import type { HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { DATABASES_AS_LISTED, useListDatabasesQuery } from '../../../api/databases.ts';
import { makeDatabase } from '../../../testing/databases.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import { SizeOverTime } from './size-over-time.tsx';

const MB = 1024 ** 2;
const SIZES = [
  { day: '2026-01-05', sizeBytes: 10 * MB },
  { day: '2026-01-12', sizeBytes: 20 * MB },
  { day: '2026-01-15', sizeBytes: 15 * MB },
];

mockServer(onRoute(databaseRoutes.sizes, () => ok(SIZES)));

test('sizes are a curve in words and a table behind it, the newest first [§2.24]', async () => {
  const { user } = renderWithStore(<SizeOverTime databaseName="CEDARVA" />);
  await screen.findByRole('img', { name: 'Size: From 10 MB on 2026-01-05 to 15 MB on 2026-01-15' });
  await user.click(screen.getByText('Show the figures'));
  const rows = within(screen.getByRole('table', { name: 'Size' })).getAllByRole('row');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'DaySize',
    '2026-01-1515 MB',
    '2026-01-1220 MB',
    '2026-01-0510 MB',
  ]);
});

test('before the first size it says when it comes, and a failure can be retried [§2.24]', async () => {
  server.use(onRoute(databaseRoutes.sizes, () => ok([])));
  const first = renderWithStore(<SizeOverTime databaseName="CEDARVA" />);
  await screen.findByText(/^No size is known yet/);
  first.unmount();
  server.use(onRoute(databaseRoutes.sizes, () => failed(403, "You need the permission 'databases.read'.")));
  const { user } = renderWithStore(<SizeOverTime databaseName="CEDARVA" />);
  const retry = await screen.findByRole('button', { name: 'Retry' });
  server.use(onRoute(databaseRoutes.sizes, () => ok(SIZES)));
  await user.click(retry);
  await screen.findByRole('img');
});

/** The list of databases, and how often it was loaded. */
function Databases() {
  const { data } = useListDatabasesQuery(DATABASES_AS_LISTED);
  return <p>{data?.[0]?.databaseName}</p>;
}

test('sizes of a database that is gone load the list again, and are not asked for without end [§8]', async () => {
  const asked = { list: 0, sizes: 0 };
  server.use(
    onRoute(databaseRoutes.list, () => {
      asked.list += 1;
      return ok([makeDatabase({ databaseName: `LOAD ${asked.list}` })]);
    }),
    onRoute(databaseRoutes.sizes, () => {
      asked.sizes += 1;
      return asked.sizes === 1 ? failed(404, 'There is no such database.') : new Promise<HttpResponse<null>>(() => {});
    }),
  );
  renderWithStore(
    <>
      <Databases />
      <SizeOverTime databaseName="CEDARVA" />
    </>,
  );
  await screen.findByText('There is no such database.');
  await screen.findByText('LOAD 2');
  expect(asked.sizes).toBe(1);
});
