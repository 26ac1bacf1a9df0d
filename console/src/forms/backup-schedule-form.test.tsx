import { backupScheduleRoutes } from '@apotheca/contract/backup-schedules';
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { api } from '../api/http/client.ts';
import { BackupSchedulesModal } from '../features/databases/schedules/backup-schedules-modal.tsx';
import { BackupSchedulesTable } from '../features/databases/schedules/backup-schedules-table.tsx';
import { makeSchedule, makeScheduledDatabase } from '../testing/backup-schedules.ts';
import { renderWithStore } from '../testing/render.tsx';
import { failed, keepBodies, mockServer, ok, onRoute, server } from '../testing/server.ts';
import { changedByBob, refusedAsStale } from '../testing/stale.ts';
import { BackupScheduleEditor } from './backup-schedule-form.tsx';

mockServer(onRoute(backupScheduleRoutes.get, () => ok(makeSchedule())));

const labels = () => [...document.querySelectorAll('label')].map((label) => label.textContent?.trim());
const save = () => screen.getByRole('button', { name: 'Save schedule' });

test('a database that follows the default says what that is, and asks for nothing more [DECISIONS §13]', async () => {
  renderWithStore(<BackupScheduleEditor databaseName="CEDARVA" onDirty={vi.fn()} />);
  expect(await screen.findByRole('option', { name: 'As the default: Off', selected: true })).toBeDefined();
  expect(labels()).toEqual(['Frequency']);
});

test('a chosen frequency asks for what counts for it, and is saved with the version [DECISIONS §13]', async () => {
  const bodies = keepBodies(backupScheduleRoutes.set, 'Saved.');
  const { user } = renderWithStore(<BackupScheduleEditor databaseName="CEDARVA" onDirty={vi.fn()} />);
  await user.selectOptions(await screen.findByLabelText('Frequency'), 'weekly');
  expect(labels()).toEqual(['Frequency', 'Hour', 'Weekday', 'Weekly Backups', 'Monthly Backups']);
  await user.selectOptions(screen.getByLabelText('Hour'), '03:00');
  await user.selectOptions(screen.getByLabelText('Weekday'), 'Saturday');
  await user.click(save());
  await waitFor(() => expect(bodies).toHaveLength(1));
  expect(bodies[0]).toMatchObject({ ...makeSchedule().schedule, frequency: 'weekly', hour: 3, weekday: 6, version: 1 });
});

test.each(['daily', 'weekly', 'off'])(
  'a wrong number of hourly backups is forgotten when %s is chosen, and does not keep it from being saved [DECISIONS §13]',
  async (frequency) => {
    const bodies = keepBodies(backupScheduleRoutes.set, 'Saved.');
    const { user } = renderWithStore(<BackupScheduleEditor databaseName="CEDARVA" onDirty={vi.fn()} />);
    await user.selectOptions(await screen.findByLabelText('Frequency'), 'hourly');
    await user.clear(screen.getByLabelText('Hourly Backups'));
    await user.selectOptions(screen.getByLabelText('Frequency'), frequency);
    await user.click(save());
    await waitFor(() => expect(bodies).toHaveLength(1));
    expect(bodies[0]).toMatchObject({ frequency, keepHourly: makeSchedule().schedule.keepHourly });
  },
);

test.each([
  { gone: 'Weekday', before: 'weekly', frequency: 'daily' },
  { gone: 'Hour', before: 'daily', frequency: 'hourly' },
])(
  '$gone without a choice is forgotten when $frequency is chosen [DECISIONS §13]',
  async ({ gone, before, frequency }) => {
    const bodies = keepBodies(backupScheduleRoutes.set, 'Saved.');
    const { user } = renderWithStore(<BackupScheduleEditor databaseName="CEDARVA" onDirty={vi.fn()} />);
    await user.selectOptions(await screen.findByLabelText('Frequency'), before);
    await user.selectOptions(screen.getByLabelText(gone), 'Please pick..');
    await user.selectOptions(screen.getByLabelText('Frequency'), frequency);
    await user.click(save());
    await waitFor(() => expect(bodies).toHaveLength(1));
    const { hour, weekday } = makeSchedule().schedule;
    expect(bodies[0]).toMatchObject({ frequency, hour, weekday });
  },
);

test('a frequency that is taken away is asked for at its field, and what was typed before stays [DECISIONS §13]', async () => {
  const bodies = keepBodies(backupScheduleRoutes.set, 'Saved.');
  const { user } = renderWithStore(<BackupScheduleEditor databaseName="CEDARVA" onDirty={vi.fn()} />);
  const frequency = await screen.findByLabelText<HTMLSelectElement>('Frequency');
  await user.selectOptions(frequency, 'daily');
  await user.selectOptions(screen.getByLabelText('Hour'), '05:00');
  await user.clear(screen.getByLabelText('Daily Backups'));
  await user.type(screen.getByLabelText('Daily Backups'), '3');
  await user.selectOptions(frequency, 'Please pick..');
  expect(labels()).toEqual(['Frequency']);
  await user.click(save());
  expect(await screen.findByText('Frequency is Required')).toBeDefined();
  expect(frequency.getAttribute('aria-invalid')).toBe('true');
  expect(bodies).toEqual([]);
  await user.selectOptions(frequency, 'daily');
  await user.click(save());
  await waitFor(() => expect(bodies).toHaveLength(1));
  expect(bodies[0]).toMatchObject({ frequency: 'daily', hour: 5, keepDaily: 3 });
});

test.each(['{Escape}', 'Close'])(
  '%s asks before an unsaved schedule is lost, and not after it was saved [DECISIONS §13]',
  async (how) => {
    keepBodies(backupScheduleRoutes.set, 'Saved.');
    server.use(onRoute(backupScheduleRoutes.list, () => ok([])));
    const onClose = vi.fn();
    const { user } = renderWithStore(<BackupSchedulesModal show onClose={onClose} />);
    const close = () => (how === 'Close' ? user.click(screen.getByText('Close')) : user.keyboard(how));
    await user.click(screen.getByRole('tab', { name: 'Default' }));
    await user.selectOptions(await screen.findByLabelText('Frequency'), 'daily');
    await user.click(screen.getByRole('tab', { name: 'Databases' }));
    await close();
    await user.click(await screen.findByText('Keep editing'));
    expect(onClose).not.toHaveBeenCalled();
    await user.click(screen.getByRole('tab', { name: 'Default' }));
    // The schedule as it was saved is on its way and never comes.
    server.use(onRoute(backupScheduleRoutes.get, () => new Promise<never>(() => {})));
    await user.click(save());
    await screen.findByText('Saved.');
    await close();
    expect(onClose).toHaveBeenCalled();
  },
);

test.each([
  { when: 'while it is being saved', isMeanwhile: true },
  { when: 'once it is saved', isMeanwhile: false },
])(
  'what is changed in a schedule $when stays, and is saved with the version that this made [DECISIONS §13]',
  async ({ isMeanwhile }) => {
    const sent: unknown[] = [];
    const { schedule } = makeSchedule();
    const saved = makeSchedule({ schedule: { ...schedule, frequency: 'daily', hour: 5 }, version: 2 });
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    server.use(
      onRoute(backupScheduleRoutes.set, async ({ request }) => {
        sent.push(await request.json());
        await answered;
        return ok(saved, 'Saved.');
      }),
    );
    const { user } = renderWithStore(<BackupScheduleEditor databaseName="CEDARVA" onDirty={vi.fn()} />);
    await user.selectOptions(await screen.findByLabelText('Frequency'), 'daily');
    await user.selectOptions(screen.getByLabelText('Hour'), '05:00');
    // The schedule as it was saved is on its way and never comes.
    server.use(onRoute(backupScheduleRoutes.get, () => new Promise<never>(() => {})));
    await user.click(save());
    await waitFor(() => expect(sent).toHaveLength(1));
    const change = () => user.selectOptions(screen.getByLabelText('Frequency'), 'weekly');
    if (isMeanwhile) await change();
    answer();
    await screen.findByText('Saved.');
    if (!isMeanwhile) await change();
    expect(screen.getByRole('option', { name: 'Weekly', selected: true })).toBeDefined();
    await user.click(save());
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toMatchObject({ frequency: 'weekly', hour: 5, version: 2 });
  },
);

test('what is typed stays when somebody else saves the schedule meanwhile, and saving it tells of that [DECISIONS §13]', async () => {
  const bodies = keepBodies(backupScheduleRoutes.set);
  const { schedule } = makeSchedule();
  const { user, store } = renderWithStore(<BackupScheduleEditor databaseName="CEDARVA" onDirty={vi.fn()} />);
  await user.selectOptions(await screen.findByLabelText('Frequency'), 'daily');
  await user.selectOptions(screen.getByLabelText('Hour'), '05:00');
  const theirs = makeSchedule({ schedule: { ...schedule, frequency: 'weekly', hour: 22 }, version: 2 });
  server.use(onRoute(backupScheduleRoutes.get, () => ok(theirs)));
  store.dispatch(api.util.invalidateTags(['Backups']));
  const cached = () => Object.values(store.getState()[api.reducerPath]?.queries ?? {})[0]?.data;
  await waitFor(() => expect(cached()).toMatchObject({ version: 2 }));
  await user.click(save());
  await waitFor(() => expect(bodies).toHaveLength(1));
  expect(bodies[0]).toMatchObject({ frequency: 'daily', hour: 5, version: 1 });
});

test('another schedule that was saved meanwhile is told in the words of the selects [DECISIONS §13] [§8]', async () => {
  const changes = [
    changedByBob('frequency', 'default', 'weekly'),
    changedByBob('hour', 2, 22),
    changedByBob('weekday', 7, 1),
    changedByBob('keepWeekly', 4, 5),
  ];
  server.use(onRoute(backupScheduleRoutes.set, () => refusedAsStale({ version: 2, changes })));
  const { user } = renderWithStore(<BackupScheduleEditor databaseName="CEDARVA" onDirty={vi.fn()} />);
  await user.selectOptions(await screen.findByLabelText('Frequency'), 'daily');
  await user.click(save());
  await screen.findByText('Frequency: As the default: Off → Weekly, by bob');
  screen.getByText('Hour: 02:00 → 22:00, by bob');
  screen.getByText('Weekday: Sunday → Monday, by bob');
  screen.getByText('Weekly Backups: 4 → 5, by bob');
});

test('a failure is gone once nothing is left to save, and once the schedule is saved [§8]', async () => {
  const { user } = renderWithStore(<BackupScheduleEditor databaseName="CEDARVA" onDirty={vi.fn()} />);
  const choose = async (frequency: string) => user.selectOptions(await screen.findByLabelText('Frequency'), frequency);
  const fail = async () => {
    server.use(onRoute(backupScheduleRoutes.set, () => failed(503, 'The database cannot be reached.')));
    await choose('daily');
    await user.click(save());
    await screen.findByRole('button', { name: 'Retry' });
  };
  await fail();
  await choose('default');
  await user.click(save());
  await screen.findByText('Nothing was changed.');
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  await fail();
  keepBodies(backupScheduleRoutes.set, 'Saved.');
  await user.click(save());
  await screen.findByText('Saved.');
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

test('a count that is too large is refused at its field [DECISIONS §13]', async () => {
  const bodies = keepBodies(backupScheduleRoutes.set);
  const { user } = renderWithStore(<BackupScheduleEditor databaseName="CEDARVA" onDirty={vi.fn()} />);
  await user.selectOptions(await screen.findByLabelText('Frequency'), 'daily');
  await user.clear(screen.getByLabelText('Daily Backups'));
  await user.type(screen.getByLabelText('Daily Backups'), '367');
  await user.click(save());
  expect(await screen.findByText('Daily Backups should be a whole number from 0 to 366')).toBeDefined();
  expect(bodies).toEqual([]);
});

test('a failed backup says why, and when it is tried again [DECISIONS §13]', async () => {
  const state = makeScheduledDatabase({
    lastResult: 'failed',
    lastMessage: 'No space left on device.',
    retryOnUtc: '2026-11-20T10:25:00.000Z',
    isLate: true,
  });
  server.use(onRoute(backupScheduleRoutes.get, () => ok(makeSchedule({ state }))));
  renderWithStore(<BackupScheduleEditor databaseName="CEDARVA" onDirty={vi.fn()} />);
  expect(await screen.findByText('Failed')).toBeDefined();
  expect(screen.getByText('Late')).toBeDefined();
  expect(screen.getByText(/^No space left on device\./).textContent).toContain('The next attempt:');
});

test('the list shows how each database stands [DECISIONS §13]', async () => {
  const rows = [
    makeScheduledDatabase({ isLate: true, lastResult: 'failed' }),
    makeScheduledDatabase({ id: 'd2', databaseName: 'OTHER', isOwn: false, isRunning: true }),
  ];
  server.use(onRoute(backupScheduleRoutes.list, () => ok(rows)));
  renderWithStore(<BackupSchedulesTable />);
  await screen.findByText('CEDARVA');
  const [first, second] = screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);
  expect(first).toMatch(/CEDARVA.*Daily Its own.*Failed.*Late/);
  expect(second).toMatch(/OTHER.*Daily.*Under way.*Succeeded/);
});
