import { type AnonymizedClone, anonymizedCloneRoutes } from '@apotheca/contract/anonymized-clones';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { makeAnonymizedClone, makeClone, makeRefreshPlan } from '../../../testing/databases.ts';
import { fill } from '../../../testing/fields.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { failed, keepBodies, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import { changedByBob, refusedAsStale } from '../../../testing/stale.ts';
import { RefreshModal } from './refresh-modal.tsx';

const staging = makeClone({ databaseName: 'STAGING', refreshedOnUtc: '2026-03-04T09:30:00.000Z' });

mockServer(onRoute(anonymizedCloneRoutes.get, () => ok(makeAnonymizedClone())));

async function renderModal(fields: Partial<AnonymizedClone> = {}) {
  server.use(onRoute(anonymizedCloneRoutes.get, () => ok(makeAnonymizedClone(fields))));
  const onClose = vi.fn();
  const view = renderWithStore(<RefreshModal show database={staging} onClose={onClose} />);
  await screen.findByText('Rows of');
  return { ...view, onClose };
}
const now = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Refresh now' });

test('the dialog says what refreshing replaces, and how the last time ended [DECISIONS §13]', async () => {
  await renderModal({ lastRefresh: { state: 'failed', message: 'Nothing was changed: there is no rule.' } });
  screen.getByText(/^Refreshing replaces every row of STAGING by those of LAKESIDE, anonymized/);
  screen.getByText('Failed');
  screen.getByText('Nothing was changed: there is no rule.');
});

/** Opens the confirmation, and types the name. */
async function confirm() {
  fireEvent.click(now());
  const dialog = within(await screen.findByRole('dialog', { name: 'Replace Rows' }));
  await dialog.findByText('Every row of STAGING goes.');
  fill('Database Name', 'STAGING');
  await waitFor(() => expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Refresh' }).disabled).toBe(false));
  return dialog;
}

test('it is refreshed once its plan was shown and its name typed, with the digest of that plan [DECISIONS §8] [DECISIONS §13]', async () => {
  const sent: unknown[] = [];
  server.use(
    onRoute(anonymizedCloneRoutes.planRefresh, () => ok(makeRefreshPlan(), 'Every row of STAGING goes.')),
    onRoute(anonymizedCloneRoutes.refresh, ({ request }) => {
      sent.push(Object.fromEntries(new URL(request.url).searchParams));
      return ok({}, 'Success! STAGING has been refreshed.');
    }),
  );
  const { onClose } = await renderModal();
  const dialog = await confirm();
  dialog.getByText('12,345');
  expect(sent).toEqual([]);
  fireEvent.click(dialog.getByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent).toEqual([{ databaseName: 'STAGING', plan: 'digest-1' }]);
});

test('refreshing keeps a schedule that is changed and not saved [DECISIONS §13]', async () => {
  server.use(
    onRoute(anonymizedCloneRoutes.planRefresh, () => ok(makeRefreshPlan(), 'Every row of STAGING goes.')),
    onRoute(anonymizedCloneRoutes.refresh, () => ok({}, 'Success! STAGING has been refreshed.')),
  );
  const { user, onClose } = await renderModal();
  await user.selectOptions(screen.getByLabelText('Frequency'), 'daily');
  const dialog = await confirm();
  fireEvent.click(dialog.getByRole('button', { name: 'Refresh' }));
  await screen.findByText('Success! STAGING has been refreshed.');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Replace Rows' })).toBeNull());
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.getByLabelText<HTMLSelectElement>('Frequency').value).toBe('daily');
});

test('where the plan has changed the new one is shown, and nothing is refreshed [DECISIONS §8] [DECISIONS §13]', async () => {
  let rows = 12_345;
  server.use(
    onRoute(anonymizedCloneRoutes.planRefresh, () => ok(makeRefreshPlan({ rows }), 'Every row of STAGING goes.')),
    onRoute(anonymizedCloneRoutes.refresh, () => {
      rows = 23_456;
      return failed(409, 'STAGING has changed since it was looked at: please check again.');
    }),
  );
  const { onClose } = await renderModal();
  const dialog = await confirm();
  fireEvent.click(dialog.getByRole('button', { name: 'Refresh' }));
  await dialog.findByText('STAGING has changed since it was looked at: please check again.');
  await dialog.findByText('23,456');
  expect(onClose).not.toHaveBeenCalled();
});

test('without its source it cannot be refreshed [DECISIONS §13]', async () => {
  await renderModal({ copiedFrom: null });
  screen.getByText('The database that it was copied from is gone: it can no longer be refreshed.');
  expect(now().disabled).toBe(true);
});

test('a schedule asks for its hour, and by the week for its day, and is saved [DECISIONS §13]', async () => {
  const sent: unknown[] = [];
  server.use(
    onRoute(anonymizedCloneRoutes.set, async ({ request }) => {
      sent.push(await request.json());
      return ok(makeAnonymizedClone(), 'Success! The refresh schedule has been saved.');
    }),
  );
  await renderModal();
  expect(screen.queryByLabelText('Hour')).toBeNull();
  const choose = (label: string, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  choose('Frequency', 'weekly');
  choose('Hour', '4');
  choose('Weekday', '1');
  fireEvent.click(screen.getByRole('button', { name: 'Save schedule' }));
  await waitFor(() => expect(sent).toMatchObject([{ frequency: 'weekly', hour: 4, weekday: 1, version: 1 }]));
});

test.each([
  { gone: 'Weekday', before: 'weekly', frequency: 'daily' },
  { gone: 'Hour', before: 'weekly', frequency: 'off' },
])(
  '$gone without a choice is forgotten when $frequency is chosen [DECISIONS §13]',
  async ({ gone, before, frequency }) => {
    const schedule = { frequency: 'daily', hour: 5, weekday: 7 } as const;
    const bodies = keepBodies(anonymizedCloneRoutes.set, 'Saved.');
    const { user } = await renderModal({ schedule });
    await user.selectOptions(screen.getByLabelText('Frequency'), before);
    await user.selectOptions(screen.getByLabelText('Hour'), '06:00');
    await user.selectOptions(screen.getByLabelText(gone), 'Please pick..');
    await user.selectOptions(screen.getByLabelText('Frequency'), frequency);
    // Of what still counts nothing is lost.
    const hour = gone === 'Hour' ? schedule.hour : 6;
    await user.click(screen.getByRole('button', { name: 'Save schedule' }));
    await waitFor(() => expect(bodies).toHaveLength(1));
    expect(bodies[0]).toMatchObject({ frequency, hour, weekday: schedule.weekday });
  },
);

test('a schedule without a frequency is refused at its field, and keeps its hour [DECISIONS §13]', async () => {
  const bodies = keepBodies(anonymizedCloneRoutes.set, 'Saved.');
  const { user } = await renderModal({ schedule: { frequency: 'daily', hour: 5, weekday: 7 } });
  const frequency = screen.getByLabelText('Frequency');
  const save = () => user.click(screen.getByRole('button', { name: 'Save schedule' }));
  await user.selectOptions(screen.getByLabelText('Hour'), '06:00');
  await user.selectOptions(frequency, 'Please pick..');
  expect(screen.queryByLabelText('Hour')).toBeNull();
  await save();
  await screen.findByText('Frequency is Required');
  expect(bodies).toEqual([]);
  await user.selectOptions(frequency, 'daily');
  await save();
  await waitFor(() => expect(bodies).toMatchObject([{ frequency: 'daily', hour: 6 }]));
});

test('another schedule that was saved meanwhile is told in the words of the selects [DECISIONS §13] [§8]', async () => {
  const changes = [
    changedByBob('frequency', 'off', 'weekly'),
    changedByBob('hour', 2, 22),
    changedByBob('weekday', 7, 1),
  ];
  server.use(onRoute(anonymizedCloneRoutes.set, () => refusedAsStale({ version: 2, changes })));
  const { user } = await renderModal();
  await user.selectOptions(screen.getByLabelText('Frequency'), 'daily');
  await user.click(screen.getByRole('button', { name: 'Save schedule' }));
  await screen.findByText('Frequency: Off → Weekly, by bob');
  screen.getByText('Hour: 02:00 → 22:00, by bob');
  screen.getByText('Weekday: Sunday → Monday, by bob');
});

test('a changed schedule that is not saved asks before the dialog closes [DECISIONS §13]', async () => {
  const { user, onClose } = await renderModal();
  await user.selectOptions(screen.getByLabelText('Frequency'), 'daily');
  await user.keyboard('{Escape}');
  await screen.findByText('Discard changes?');
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  expect(onClose).toHaveBeenCalledOnce();
});

test.each([
  { when: 'while it is being saved', isMeanwhile: true },
  { when: 'once it is saved', isMeanwhile: false },
])(
  'what is changed in a schedule $when stays, and is saved with the version that this made [DECISIONS §13]',
  async ({ isMeanwhile }) => {
    const sent: unknown[] = [];
    const saved = makeAnonymizedClone({ schedule: { frequency: 'daily', hour: 5, weekday: 7 }, version: 2 });
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    server.use(
      onRoute(anonymizedCloneRoutes.set, async ({ request }) => {
        sent.push(await request.json());
        await answered;
        return ok(saved, 'Saved.');
      }),
    );
    const { user } = await renderModal();
    const save = () => user.click(screen.getByRole('button', { name: 'Save schedule' }));
    await user.selectOptions(screen.getByLabelText('Frequency'), 'daily');
    await user.selectOptions(screen.getByLabelText('Hour'), '05:00');
    // The schedule as it was saved is on its way and never comes.
    server.use(onRoute(anonymizedCloneRoutes.get, () => new Promise<never>(() => {})));
    await save();
    await waitFor(() => expect(sent).toHaveLength(1));
    const change = () => user.selectOptions(screen.getByLabelText('Frequency'), 'weekly');
    if (isMeanwhile) await change();
    answer();
    await screen.findByText('Saved.');
    if (!isMeanwhile) await change();
    expect(screen.getByRole('option', { name: 'Weekly', selected: true })).toBeDefined();
    await save();
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toMatchObject({ frequency: 'weekly', hour: 5, version: 2 });
  },
);
