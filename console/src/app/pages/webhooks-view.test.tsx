import { alertRoutes } from '@apotheca/contract/alerts';
import type { Webhook, WebhookDelivery } from '@apotheca/contract/webhooks';
import { DELIVERIES_PAGE, webhookRoutes } from '@apotheca/contract/webhooks';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { expect, onTestFinished, test, vi } from 'vitest';
import { getAlerts } from '../../api/webhooks.ts';
import { DraftsContext } from '../../components/form/drafts.ts';
import { AlertsCard } from '../../features/webhooks/alerts-card.tsx';
import { WebhookModal } from '../../features/webhooks/webhook-modal.tsx';
import { field, fill, findField } from '../../testing/fields.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, keepBodies, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { changedByBob, refusedAsStale } from '../../testing/stale.ts';
import { findRow, shownNames, textsOf } from '../../testing/table.ts';
import { makeAlerts, makeDelivery, makeWebhook } from '../../testing/webhooks.ts';
import { setLanguage } from '../language.ts';
import { AuditPage } from './audit-page.tsx';

/** The data of the mocked server. */
let webhooks: Webhook[] = [];
let deliveries: WebhookDelivery[] = [];
const asked: Record<string, string>[] = [];

mockServer(
  onRoute(webhookRoutes.list, () => ok(webhooks)),
  onRoute(webhookRoutes.deliveries, ({ request }) => {
    asked.push(Object.fromEntries(new URL(request.url).searchParams));
    return ok(deliveries);
  }),
);

function renderWebhooks(held: Webhook[] = [makeWebhook()], filters = '') {
  webhooks = held;
  asked.length = 0;
  return renderWithStore(<AuditPage />, { route: `/audit?view=webhooks${filters}` });
}

const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });

async function choose(user: ReturnType<typeof renderWebhooks>['user'], action: string) {
  await findRow('Pager');
  await user.click(button('More actions for Pager'));
  await user.click(screen.getByRole('menuitem', { name: action }));
}

test('the list shows how it stands with each webhook, and of an address its host only [DECISIONS §13]', async () => {
  renderWebhooks([
    makeWebhook({ failed: 2, lastDeliveredOnUtc: '2026-03-04T09:30:00.000Z' }),
    makeWebhook({ name: 'Chat', kind: 'chat', isActive: false, inactiveReason: 'The receiver answered 410 Gone.' }),
  ]);
  const pager = textsOf(await findRow('Pager'));
  expect(pager.slice(0, 4)).toEqual(['Pager', 'Events', 'hooks.clinic.test', '2 given up']);
  expect(textsOf(await findRow('Chat'))).toEqual(['Chat', 'Chat', 'hooks.clinic.test', 'Receiver gone', 'Never']);
  expect(document.body.textContent).not.toContain('hush');
});

test('webhooks are filtered by whether they are active, with counts, in the address [§2.6] [DECISIONS §13]', async () => {
  const { user, router } = renderWebhooks([
    makeWebhook({ failed: 2 }),
    makeWebhook({ name: 'Desk', pending: 1 }),
    makeWebhook({ name: 'Old', isActive: false }),
    makeWebhook({ name: 'Chat', kind: 'chat', isActive: false, inactiveReason: 'The receiver answered 410 Gone.' }),
  ]);
  await findRow('Pager');
  await user.click(button('Filter by State: any'));
  await user.click(box('Inactive (2)'));
  expect(shownNames()).toEqual(['Old', 'Chat']);
  button('Filter by State: Inactive');
  expect(router.state.location.search).toBe('?view=webhooks&state=off');
  await user.click(button('Filter by Kind: any'));
  // What the other filter leaves is counted.
  await user.click(box('Events (1)'));
  expect(shownNames()).toEqual(['Old']);
  await user.click(button('Clear filter'));
  expect(shownNames()).toHaveLength(4);
  expect(router.state.location.search).toBe('?view=webhooks');
});

test('a state in the address shows the webhooks that are on, and nonsense counts as none [§2.6] [DECISIONS §13]', async () => {
  const held = [makeWebhook(), makeWebhook({ name: 'Old', isActive: false })];
  const first = renderWebhooks(held, '&state=on');
  await findRow('Pager');
  expect(shownNames()).toEqual(['Pager']);
  first.unmount();
  renderWebhooks(held, '&state=asleep');
  await findRow('Pager');
  expect(shownNames()).toEqual(['Pager', 'Old']);
});

test('a failed load says which permission is missing [§6] [§8]', async () => {
  const message = "You do not have the permission 'webhooks.read'.";
  server.use(onRoute(webhookRoutes.list, () => failed(403, message)));
  renderWebhooks();
  await waitFor(() => expect(screen.getAllByText(message)).not.toHaveLength(0));
});

test('a webhook is created, and its secret is shown this once [DECISIONS §13]', async () => {
  const { user } = renderWebhooks([makeWebhook({ name: 'Chat' })]);
  await findRow('Chat');
  const bodies: unknown[] = [];
  server.use(
    onRoute(webhookRoutes.create, async ({ request }) => {
      bodies.push(await request.json());
      return ok({ id: crypto.randomUUID(), secret: 'whsec_hush' }, 'Created.');
    }),
  );
  await user.click(button('Create Webhook'));
  await screen.findByRole('dialog', { name: 'Create Webhook' });
  await user.click(button('Create'));
  await screen.findByText('Choose at least one event');
  screen.getByText('Name is required');
  fill('Name', 'Pager');
  fill('Address', 'https://hooks.clinic.test/in');
  await user.click(box('The audit trail is broken'));
  await user.click(box('A tenant was created'));
  await user.click(button('Create'));
  const shown = await screen.findByRole('dialog', { name: 'Secret of the Webhook' });
  expect(bodies).toEqual([
    {
      name: 'Pager',
      kind: 'standard',
      url: 'https://hooks.clinic.test/in',
      eventTypes: ['tenants.created', 'audit.broken'],
      isActive: true,
      createdBy: signedIn().id,
    },
  ]);
  within(shown).getByText('whsec_hush');
  await user.keyboard('{Escape}');
  within(shown).getByText('Close? This is not shown again.');
  await user.click(button('Done'));
  await waitFor(() => expect(screen.queryByText('whsec_hush')).toBeNull());
});

test('what the server refuses stands at its field, and nothing typed is lost [DECISIONS §13]', async () => {
  const message = '127.0.0.1 is not on the public internet.';
  server.use(onRoute(webhookRoutes.edit, () => failed(400, message, { url: [message] })));
  const { user } = renderWebhooks();
  await choose(user, 'Edit Pager');
  await screen.findByRole('dialog', { name: 'Edit Webhook' });
  fill('Address', 'https://127.0.0.1/');
  await user.click(button('Save'));
  await waitFor(() => expect(field('Address').getAttribute('aria-invalid')).toBe('true'));
  expect(field('Address').value).toBe('https://127.0.0.1/');
});

test('an edit of a webhook that another user has changed takes their events and address, and shows no address [DECISIONS §13] [DECISIONS §10]', async () => {
  const { user } = renderWebhooks([makeWebhook({ eventTypes: ['backups.failed', 'audit.broken'] })]);
  const theirs = 'https://chat.clinic.test/in/T1/secret';
  server.use(
    onRoute(
      webhookRoutes.edit,
      () =>
        refusedAsStale({
          version: 3,
          changes: [
            changedByBob('host', 'hooks.clinic.test', 'chat.clinic.test'),
            changedByBob('eventTypes', 'backups.failed, audit.broken', ['tenants.created', 'backups.failed']),
            changedByBob('isActive', true, false),
            changedByBob('url', undefined, theirs),
          ],
        }),
      { once: true },
    ),
  );
  await choose(user, 'Edit Pager');
  await screen.findByRole('dialog', { name: 'Edit Webhook' });
  fill('Name', 'Desk');
  await user.click(button('Save'));
  const change = await screen.findByText('Host: hooks.clinic.test → chat.clinic.test, by bob');
  // Across the form, not in one of its columns.
  expect(change.closest('.form-grid > .field-wide')).not.toBeNull();
  screen.getByText(
    'Events: A backup failed, The audit trail is broken → A tenant was created, A backup failed, by bob',
  );
  screen.getByText('Active: Active → Inactive, by bob');
  screen.getByText('Address: changed, by bob');
  const ticked = screen.getAllByRole<HTMLInputElement>('checkbox', { checked: true });
  expect(ticked.map(({ value }) => value)).toEqual(['tenants.created', 'backups.failed']);
  expect(field('Address').value).toBe(theirs);
  const bodies = keepBodies(webhookRoutes.edit, 'Changed.');
  await user.click(button('Save'));
  await screen.findByText('Changed.');
  expect(bodies).toEqual([
    expect.objectContaining({
      name: 'Desk',
      url: theirs,
      eventTypes: ['tenants.created', 'backups.failed'],
      isActive: false,
      version: 3,
    }),
  ]);
});

test('why the server has deactivated a webhook is said in the language of the console [§1] [DECISIONS §13]', async () => {
  await act(() => setLanguage('es'));
  onTestFinished(() => act(() => setLanguage('en')));
  const webhook = makeWebhook({ isActive: false, inactiveReason: 'The receiver answered 410 Gone.' });
  renderWithStore(<WebhookModal show webhook={webhook} onIssued={vi.fn()} onClose={vi.fn()} />);
  await screen.findByText('El servidor ha desactivado este webhook: El receptor respondió 410 Gone.');
});

test('a new secret is asked for, and shown; a chat has none [DECISIONS §13]', async () => {
  server.use(onRoute(webhookRoutes.rotate, () => ok({ id: 'x', secret: 'whsec_newer' }, 'Once.')));
  const { user } = renderWebhooks([makeWebhook(), makeWebhook({ name: 'Chat', kind: 'chat' })]);
  await choose(user, 'Rotate the secret of Pager');
  await user.click(button('Rotate secret'));
  await screen.findByText('whsec_newer');
  await user.click(button('Done'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(button('More actions for Chat'));
  expect(screen.getByRole<HTMLButtonElement>('menuitem', { name: 'Rotate: a chat has no secret' }).disabled).toBe(true);
});

test('deliveries show state, attempts and last answer; they can be narrowed and sent again [DECISIONS §13]', async () => {
  deliveries = [
    makeDelivery({
      eventId: 'evt_9',
      state: 'pending',
      attempts: 3,
      dueOnUtc: '2026-03-04T10:00:00.000Z',
      lastStatus: 503,
      lastAnswer: 'Busy',
    }),
    makeDelivery({
      eventId: 'evt_8',
      state: 'failed',
      lastStatus: null,
      lastAnswer: 'The receiver refuses connections.',
    }),
  ];
  const webhook = makeWebhook();
  const { user } = renderWebhooks([webhook]);
  await findRow('Pager');
  await user.click(button('Deliveries of Pager'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Deliveries' }));
  await dialog.findByText('The receiver refuses connections.');
  dialog.getByText('503 Busy');
  expect(button('Send evt_9 again').getAttribute('aria-disabled')).toBe('true');
  const bodies = keepBodies(webhookRoutes.replay, '1 event is sent again.');
  await user.click(button('Send evt_8 again'));
  await screen.findByText('1 event is sent again.');
  await user.click(button('Send again what was given up'));
  await waitFor(() =>
    expect(bodies).toEqual([{ webhookId: webhook.id, deliveryId: deliveries[1]?.id }, { webhookId: webhook.id }]),
  );
  await user.selectOptions(dialog.getByLabelText('State'), 'Given up');
  await waitFor(() => expect(asked.at(-1)).toEqual({ webhookId: webhook.id, state: 'failed' }));
  server.use(onRoute(webhookRoutes.test, () => failed(409, 'This webhook is not active.')));
  await user.click(button('Send test'));
  await waitFor(() => expect(dialog.getAllByText('This webhook is not active.')).not.toHaveLength(0));
});

test('a second click at the same place sends no other delivery again: each row stays where it is [§2.20]', async () => {
  const failure = (eventId: string) => makeDelivery({ eventId, state: 'failed' });
  const [newest, middle, oldest] = [failure('evt_9'), failure('evt_8'), failure('evt_7')];
  deliveries = [newest, middle, oldest];
  const { user } = renderWebhooks();
  const replayed: unknown[] = [];
  server.use(
    onRoute(webhookRoutes.replay, async ({ request }) => {
      const { deliveryId } = (await request.json()) as { deliveryId: string };
      replayed.push(deliveryId);
      if (deliveryId === newest.id) deliveries = [failure('evt_10'), { ...newest, state: 'pending' }, oldest];
      return ok(null, 'It is sent again.');
    }),
  );
  await findRow('Pager');
  await user.click(button('Deliveries of Pager'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Deliveries' }));
  await dialog.findByLabelText('Send evt_9 again');
  const buttons = () => dialog.getAllByRole('button', { name: /^Send evt_\d+ again$/ });
  const names = () => buttons().map((one) => one.getAttribute('aria-label'));
  const first = () => buttons()[0] ?? document.body;
  await user.click(first());
  await dialog.findByText('Waiting', { selector: '.badge' });
  expect(document.activeElement).toBe(first());
  await user.click(first());
  await user.keyboard('{Enter}');
  expect(names()).toEqual(['Send evt_9 again', 'Send evt_8 again', 'Send evt_7 again']);
  within(screen.getByRole('row', { name: /Not listed/ })).getByLabelText('Send evt_8 again');
  await user.click(button('Send evt_8 again'));
  await user.click(dialog.getByRole('heading', { name: 'Deliveries' }));
  expect(names()).toEqual(['Send evt_10 again', 'Send evt_9 again', 'Send evt_7 again']);
  await user.click(button('Send evt_7 again'));
  await waitFor(() => expect(replayed).toEqual([newest.id, oldest.id]));
});

test('after the last page there are no older deliveries, and clearing the filter shows the newest ones of all [DECISIONS §13]', async () => {
  const page = Array.from({ length: DELIVERIES_PAGE }, (_, place) =>
    makeDelivery({ eventId: `evt_${place}`, entryId: String(100 - place), state: 'failed' }),
  );
  const { user } = renderWebhooks();
  server.use(
    onRoute(webhookRoutes.deliveries, ({ request }) => {
      const filters = Object.fromEntries(new URL(request.url).searchParams);
      asked.push(filters);
      return ok(filters.before === undefined ? page : []);
    }),
  );
  await findRow('Pager');
  await user.click(button('Deliveries of Pager'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Deliveries' }));
  await user.selectOptions(await dialog.findByLabelText('State'), 'Given up');
  await waitFor(() => expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Older' }).disabled).toBe(false));
  await user.click(dialog.getByRole('button', { name: 'Older' }));
  await dialog.findByText('There are no older deliveries.');
  expect(dialog.queryByText(/^What was sent is shown here/)).toBeNull();
  expect(asked.at(-1)).toMatchObject({ state: 'failed', before: '51' });
  await user.click(dialog.getByRole('button', { name: 'Clear filter' }));
  await dialog.findByLabelText('Send evt_0 again');
  expect(asked.at(-1)).toEqual({ webhookId: expect.any(String) });
  await user.click(dialog.getByRole('button', { name: 'Older' }));
  await dialog.findByText('There are no older deliveries.');
  expect(dialog.queryByText(/^What was sent is shown here/)).toBeNull();
});

test('a button that sends keeps the focus while it works [§2.20]', async () => {
  const answer = Promise.withResolvers<void>();
  server.use(
    onRoute(webhookRoutes.test, async () => {
      await answer.promise;
      return ok(null, 'It is sent.');
    }),
  );
  const { user } = renderWebhooks();
  await findRow('Pager');
  await user.click(button('Deliveries of Pager'));
  const send = await screen.findByRole('button', { name: 'Send test' });
  await user.click(send);
  await waitFor(() => expect(send.getAttribute('aria-busy')).toBe('true'));
  expect(document.activeElement).toBe(send);
  expect(send.matches(':disabled')).toBe(false);
  answer.resolve();
  await screen.findByText('It is sent.');
  expect(document.activeElement).toBe(send);
});

test('each person chooses their alerts: which, and when [DECISIONS §13]', async () => {
  server.use(
    onRoute(alertRoutes.get, () =>
      ok(makeAlerts({ offered: ['tenants.created', 'backups.failed'], mailsAreSent: false })),
    ),
  );
  const { user } = renderWithStore(<AlertsCard />);
  await screen.findByText('This server sends no mails. What you choose counts once it does.');
  expect(screen.getAllByRole('checkbox')).toHaveLength(2);
  const bodies = keepBodies(alertRoutes.edit, 'Your alerts have been updated.');
  await user.click(box('A backup failed'));
  await user.selectOptions(field('When'), 'Once a day');
  await user.selectOptions(field('Hour'), '18:00');
  await user.click(button('Save alerts'));
  await screen.findByText('Your alerts have been updated.');
  const timezoneId = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(bodies).toEqual([{ eventTypes: ['backups.failed'], mode: 'daily', hour: 18, timezoneId }]);
});

test('daily alerts keep the time zone that they were saved in, until another one is chosen [DECISIONS §13]', async () => {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const stored = makeAlerts({ eventTypes: ['backups.failed'], mode: 'daily', hour: 8, timezoneId: 'Asia/Kathmandu' });
  server.use(onRoute(alertRoutes.get, () => ok(stored)));
  const { user } = renderWithStore(<AlertsCard />);
  const zone = await findField('Time zone');
  expect(zone.value).toBe('Asia/Kathmandu');
  const bodies = keepBodies(alertRoutes.edit, 'Your alerts have been updated.');
  await user.selectOptions(zone, here);
  server.use(onRoute(alertRoutes.get, () => ok({ ...stored, timezoneId: here })));
  await user.click(button('Save alerts'));
  await screen.findByText(`In the time zone ${here}`);
  expect(bodies).toEqual([{ eventTypes: ['backups.failed'], mode: 'daily', hour: 8, timezoneId: here }]);
  expect(screen.queryByLabelText('Time zone')).toBeNull();
});

test('daily alerts without an hour are refused at its field, not sent at midnight [DECISIONS §13]', async () => {
  server.use(onRoute(alertRoutes.get, () => ok(makeAlerts({ mode: 'daily', hour: 8 }))));
  const bodies = keepBodies(alertRoutes.edit, 'Your alerts have been updated.');
  const { user } = renderWithStore(<AlertsCard />);
  await user.selectOptions(await findField('Hour'), 'Please pick..');
  await user.click(button('Save alerts'));
  await screen.findByText('Hour should be a whole number from 0 to 23');
  expect(field('Hour').getAttribute('aria-invalid')).toBe('true');
  expect(bodies).toEqual([]);
});

test.each(['Hour', 'Time zone'])(
  '%s without a choice is forgotten where alerts are sent at once, and does not keep them from being saved [DECISIONS §13]',
  async (gone) => {
    const stored = makeAlerts({ mode: 'daily', hour: 8, timezoneId: 'Asia/Kathmandu' });
    server.use(onRoute(alertRoutes.get, () => ok(stored)));
    const bodies = keepBodies(alertRoutes.edit, 'Your alerts have been updated.');
    const { user } = renderWithStore(<AlertsCard />);
    await user.selectOptions(await findField(gone), 'Please pick..');
    await user.selectOptions(field('When'), 'As it happens');
    await user.click(button('Save alerts'));
    await screen.findByText('Your alerts have been updated.');
    expect(bodies).toEqual([expect.objectContaining({ mode: 'at-once', hour: 8, timezoneId: 'Asia/Kathmandu' })]);
  },
);

test('the hour of a draft stays beside its mode [§4]', async () => {
  server.use(onRoute(alertRoutes.get, () => ok(makeAlerts())));
  const resumed = { alerts: { hour: 18, mode: 'daily' } };
  renderWithStore(
    <DraftsContext value={{ resumed, keep: () => undefined, forget: () => undefined }}>
      <AlertsCard />
    </DraftsContext>,
  );
  await waitFor(() => expect(field('Hour').value).toBe('18'));
});

/** Unticks an event, whose saving fails; what another tab has saved meanwhile is loaded. */
async function failToSave() {
  let stored = makeAlerts({ eventTypes: ['backups.failed'] });
  server.use(
    onRoute(alertRoutes.get, () => ok(stored)),
    onRoute(alertRoutes.edit, () => HttpResponse.error()),
  );
  const { user, store } = renderWithStore(<AlertsCard />);
  await findField('When');
  await user.click(box('A backup failed'));
  // By another tab.
  stored = makeAlerts({ eventTypes: ['backups.failed'], mode: 'daily', hour: 8 });
  await user.click(button('Save alerts'));
  await screen.findByRole('button', { name: 'Retry' });
  await waitFor(() => expect(getAlerts.select()(store.getState() as never).data?.mode).toBe('daily'));
  return user;
}

test('what is chosen of the alerts stays when it cannot be saved, and another tab has saved meanwhile [DECISIONS §13]', async () => {
  const user = await failToSave();
  expect(box('A backup failed').checked).toBe(false);
  const bodies = keepBodies(alertRoutes.edit, 'Your alerts have been updated.');
  await user.click(button('Retry'));
  await screen.findByText('Your alerts have been updated.');
  expect(bodies).toEqual([expect.objectContaining({ eventTypes: [] })]);
});

test('what was saved of the alerts stays in the form, though they are not loaded again yet [DECISIONS §13]', async () => {
  const user = await failToSave();
  server.use(
    onRoute(alertRoutes.edit, () => ok(makeAlerts({ eventTypes: [] }), 'Your alerts have been updated.')),
    onRoute(alertRoutes.get, () => new Promise<HttpResponse<null>>(() => {})),
  );
  await user.click(button('Retry'));
  await screen.findByText('Your alerts have been updated.');
  expect(field('When').value).toBe('at-once');
  expect(box('A backup failed').checked).toBe(false);
});
