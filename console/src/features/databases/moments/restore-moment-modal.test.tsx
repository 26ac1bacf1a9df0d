import { databaseRoutes } from '@apotheca/contract/databases';
import { momentRoutes } from '@apotheca/contract/moments';
import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeDatabase } from '../../../testing/databases.ts';
import { fill, optionsOf } from '../../../testing/fields.ts';
import { mockOperation } from '../../../testing/operations.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import { DatabasesTable } from '../screen/databases-table.tsx';
import { RestoreMomentModal } from './restore-moment-modal.tsx';

const cedar = makeDatabase({ databaseName: 'CEDARVA' });
const RANGE = {
  earliestOnUtc: '2026-03-01T09:30:01.000Z',
  latestOnUtc: '2026-03-04T09:30:00.500Z',
  missing: '',
  warning: '',
};
const OUTSIDE = 'Point in Time should be within the range that can be chosen';

mockServer(
  onRoute(databaseRoutes.list, () => ok([cedar])),
  onRoute(momentRoutes.range, () => ok(RANGE)),
);

async function renderModal() {
  const onClose = vi.fn();
  const view = renderWithStore(
    <>
      <DatabasesTable tenantLink={(code) => `/tenants/${code}`} onOpen={() => {}} />
      <RestoreMomentModal show database={cedar} onClose={onClose} />
    </>,
  );
  await screen.findByText('Displaying 1 of 1 results');
  return { ...view, onClose };
}

const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Restore as a new database' }));
/** A moment as the field has it. */
const local = (moment: string) => {
  const date = new Date(moment);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
};

test('where points in time cannot be chosen it says what is missing, and nothing can be sent [DECISIONS §13]', async () => {
  const missing = 'pgBackRest is not installed, so nothing is archived.';
  server.use(onRoute(momentRoutes.range, () => ok({ earliestOnUtc: null, latestOnUtc: null, missing, warning: '' })));
  await renderModal();
  await screen.findByText(missing);
  expect(screen.queryByLabelText('Point in Time')).toBeNull();
  expect(screen.getByRole('button', { name: 'Restore as a new database' })).toHaveProperty('disabled', true);
});

test('moment and name are required, within the range and new [DECISIONS §13]', async () => {
  await renderModal();
  await screen.findByText(/^A new database gets every row that CEDARVA had/);
  submit();
  await screen.findByText('Point in Time is Required');
  await screen.findByText('Database Name is Required');
  fill('Point in Time', local('2026-03-01T09:29:00Z'));
  fill('New Database Name', 'cedarva');
  submit();
  await screen.findByText(OUTSIDE);
  await screen.findByText('Database name should be not same with existing name');
  fill('Point in Time', local('2026-03-04T09:31:00Z'));
  await screen.findByText(OUTSIDE);
});

test('the moment is sent in UTC, and the operation is followed [DECISIONS §13]', async () => {
  const operation = mockOperation(momentRoutes.restore, { kind: 'restore-moment' });
  const { onClose } = await renderModal();
  await screen.findByText(/^A new database gets every row that CEDARVA had/);
  fill('Point in Time', local('2026-03-03T12:15:07Z'));
  fill('New Database Name', 'then');
  submit();
  await screen.findByRole('progressbar');
  expect(operation.queries).toEqual([{ databaseName: 'CEDARVA', moment: '2026-03-03T12:15:07.000Z', newName: 'THEN' }]);
  operation.succeed('THEN is CEDARVA as it was.');
  await screen.findByText('THEN is CEDARVA as it was.');
  expect(onClose).toHaveBeenCalledOnce();
});

test('a refusal of the server stands at the moment [DECISIONS §13]', async () => {
  const errors = { moment: ['Points in time can be chosen from then to now.'] };
  server.use(onRoute(momentRoutes.restore, () => failed(400, 'Refused.', errors)));
  await renderModal();
  await screen.findByText(/^A new database gets every row that CEDARVA had/);
  fill('Point in Time', local('2026-03-03T12:15:07Z'));
  fill('New Database Name', 'THEN');
  submit();
  await screen.findByText('Points in time can be chosen from then to now.');
});

describe('where the clocks are put back within the range [DECISIONS §13]', () => {
  beforeEach(() => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    onTestFinished(() => void vi.unstubAllEnvs());
    const range = { ...RANGE, earliestOnUtc: '2026-10-24T10:00:00.000Z', latestOnUtc: '2026-10-26T10:00:00.000Z' };
    server.use(onRoute(momentRoutes.range, () => ok(range)));
  });
  const BOUNDS = 'From 2026-10-24 12:00:00 UTC+02:00 to 2026-10-26 11:00:00 UTC+01:00, in your time zone.';

  test('each end, and what is typed, has the offset of its own day', async () => {
    await renderModal();
    await screen.findByText(BOUNDS);
    fill('Point in Time', '2026-10-25T01:30:00');
    await screen.findByText(`${BOUNDS} Chosen: 2026-10-25 01:30:00 UTC+02:00.`);
    fill('Point in Time', '2026-10-25T03:30:00');
    await screen.findByText(`${BOUNDS} Chosen: 2026-10-25 03:30:00 UTC+01:00.`);
    expect(screen.queryByLabelText('Which of the two')).toBeNull();
    fill('Point in Time', '2026-10-27T03:30:00');
    await screen.findByText(BOUNDS);
  });

  test('of an hour that comes twice, the second one can be chosen', async () => {
    const operation = mockOperation(momentRoutes.restore, { kind: 'restore-moment' });
    await renderModal();
    await screen.findByText(BOUNDS);
    fill('Point in Time', '2026-10-25T02:30:00');
    await screen.findByText(`${BOUNDS} Chosen: 2026-10-25 02:30:00 UTC+02:00.`);
    expect(optionsOf('Which of the two')).toEqual(['2026-10-25 02:30:00 UTC+02:00', '2026-10-25 02:30:00 UTC+01:00']);
    fill('Which of the two', 'second');
    await screen.findByText(`${BOUNDS} Chosen: 2026-10-25 02:30:00 UTC+01:00.`);
    fill('New Database Name', 'then');
    submit();
    await screen.findByRole('progressbar');
    expect(operation.queries).toEqual([
      { databaseName: 'CEDARVA', moment: '2026-10-25T01:30:00.000Z', newName: 'THEN' },
    ]);
  });

  test('of an hour that comes twice, the one within the range is taken', async () => {
    const range = { ...RANGE, earliestOnUtc: '2026-10-25T01:00:00.000Z', latestOnUtc: '2026-10-26T10:00:00.000Z' };
    server.use(onRoute(momentRoutes.range, () => ok(range)));
    await renderModal();
    await screen.findByText(/^From 2026-10-25 02:00:00 UTC\+01:00 /);
    fill('Point in Time', '2026-10-25T02:30:00');
    await screen.findByText(/Chosen: 2026-10-25 02:30:00 UTC\+01:00\.$/);
    expect(screen.queryByLabelText('Which of the two')).toBeNull();
  });
});
