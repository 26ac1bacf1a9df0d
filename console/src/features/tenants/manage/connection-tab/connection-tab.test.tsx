import { credentialRoutes, type DatabaseLogin, type TenantConnection } from '@apotheca/contract/credentials';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { api } from '../../../../api/http/client.ts';
import { notify } from '../../../../components/toast/toast.tsx';
import { cedar, quietServer, renderManageAt } from '../../../../testing/manage-tenant.tsx';
import { isChanging } from '../../../../testing/mutations.ts';
import { renderWithStore } from '../../../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../../../testing/server.ts';
import { signedIn } from '../../../../testing/session.ts';
import { ManageTenantModal } from '../manage-tenant-modal.tsx';

const login = (role: string, fields: Partial<DatabaseLogin> = {}): DatabaseLogin => ({
  id: role,
  access: 'write',
  role,
  createdOnUtc: '2026-02-03T12:00:00.000Z',
  validUntilUtc: null,
  sessions: 2,
  ...fields,
});
const PASSWORD = 'a password of 192 random bits';
let connection: TenantConnection;
let sent: unknown[];

mockServer(
  ...quietServer,
  onRoute(credentialRoutes.connection, () => ok(connection)),
  onRoute(credentialRoutes.reveal, ({ request }) => {
    const query = Object.fromEntries(new URL(request.url).searchParams);
    sent.push(query);
    const { host, port, database, sslmode } = connection;
    return ok({
      ...{ host, port, database, sslmode },
      access: query.access as 'read',
      role: 'login_1',
      password: PASSWORD,
      connectionString: 'postgresql://login_1@db',
    });
  }),
  onRoute(credentialRoutes.rotate, async ({ request }) => {
    sent.push(await request.json());
    connection = { ...connection, logins: [login('login_2'), login('login_1', { validUntilUtc: later })] };
    return ok(connection, 'There is a new login.');
  }),
  onRoute(credentialRoutes.limit, async ({ request }) => {
    sent.push(await request.json());
    return ok(connection, 'The limits hold.');
  }),
);
const later = '2026-02-03T13:00:00.000Z';

beforeEach(() => {
  sent = [];
  connection = {
    id: cedar.id,
    host: 'db.clinic.test',
    port: 5432,
    database: 'db_cedarva',
    sslmode: 'require',
    connectionLimit: 20,
    ownConnectionLimit: null,
    statementTimeoutSeconds: 30,
    logins: [login('login_1')],
  };
});

const region = (name: string) => within(screen.getByRole('region', { name }));
const open = async () => {
  const view = await renderManageAt('Connection');
  await screen.findByText('db.clinic.test:5432');
  return view;
};

test('shows where and as which logins programs connect, and no password [DECISIONS §13]', async () => {
  await open();
  screen.getByText('db_cedarva');
  screen.getByText('require');
  expect(region('Read and write').getByRole('listitem').textContent).toBe('login_12 sessionsCurrent login');
  region('Read only').getByText(/^No login yet/);
  expect(region('Read only').queryByRole('button', { name: /^Rotate/ })).toBeNull();
  expect(screen.queryByText(PASSWORD)).toBeNull();
});

test('reveals a login in a dialog of its own, and forgets it with the dialog [DECISIONS §13]', async () => {
  const { store } = await open();
  fireEvent.click(region('Read only').getByRole('button', { name: 'Reveal: Read only' }));
  const shown = await screen.findByRole('dialog', { name: 'Credentials' });
  expect(sent).toEqual([{ id: cedar.id, access: 'read', updatedBy: signedIn().id }]);
  within(shown).getByText(/audit trail shows/);
  within(shown).getByText(PASSWORD);
  within(shown).getByText('postgresql://login_1@db');
  fireEvent.click(within(shown).getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByText(PASSWORD)).toBeNull());
  expect(JSON.stringify(store.getState())).not.toContain(PASSWORD);
});

test('a refused reveal says why; while it runs no button takes a second click [DECISIONS §13]', async () => {
  let calls = 0;
  const answer = Promise.withResolvers<void>();
  server.use(
    onRoute(credentialRoutes.reveal, async () => {
      calls += 1;
      await answer.promise;
      return failed(409, 'CEDARVA is being restored.');
    }),
  );
  await open();
  const reveal = () => region('Read and write').getByRole('button', { name: 'Reveal: Read and write' });
  const others = [
    region('Read and write').getByRole('button', { name: 'Rotate: Read and write' }),
    region('Read only').getByRole('button', { name: 'Reveal: Read only' }),
  ];
  fireEvent.click(reveal());
  await waitFor(() => expect(reveal().ariaBusy).toBe('true'));
  for (const button of [reveal(), ...others]) fireEvent.click(button);
  expect(others.every((button) => button.matches(':disabled'))).toBe(true);
  answer.resolve();
  await screen.findByText('CEDARVA is being restored.');
  expect(calls).toBe(1);
  expect(screen.queryByRole('dialog', { name: 'Rotate Login' })).toBeNull();
  expect(others.some((button) => button.matches(':disabled'))).toBe(false);
});

test('a reveal that is refused after the dialog was closed is told of no more [DECISIONS §13]', async () => {
  const error = vi.spyOn(notify, 'error');
  onTestFinished(() => error.mockRestore());
  const answer = Promise.withResolvers<void>();
  let isAsked = false;
  server.use(
    onRoute(credentialRoutes.reveal, async () => {
      isAsked = true;
      await answer.promise;
      return failed(409, 'CEDARVA is being restored.');
    }),
  );
  function Page() {
    const [show, setShow] = useState(true);
    return <ManageTenantModal show={show} tenant={cedar} onClose={() => setShow(false)} />;
  }
  const { user, store } = renderWithStore(<Page />);
  await user.click(screen.getByRole('tab', { name: 'Connection' }));
  await screen.findByText('db.clinic.test:5432');
  fireEvent.click(region('Read only').getByRole('button', { name: 'Reveal: Read only' }));
  await waitFor(() => expect(isAsked).toBe(true));
  await user.click(within(screen.getByRole('dialog')).getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  answer.resolve();
  await waitFor(() => expect(isChanging(store)).toBe(false));
  expect(error).not.toHaveBeenCalled();
});

test('a rotation asks how long the old login stays valid, and shows until when [DECISIONS §13]', async () => {
  await open();
  fireEvent.click(region('Read and write').getByRole('button', { name: 'Rotate: Read and write' }));
  const dialog = await screen.findByRole('dialog', { name: 'Rotate Login' });
  const overlap = within(dialog).getByLabelText<HTMLSelectElement>('The old login stays valid');
  expect(overlap.value).toBe('60');
  fireEvent.change(overlap, { target: { value: '1440' } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Rotate login' }));
  await waitFor(() => expect(region('Read and write').getAllByRole('listitem')).toHaveLength(2));
  const asked = { id: cedar.id, access: 'write', loginId: 'login_1', overlapMinutes: 1440, updatedBy: signedIn().id };
  expect(sent).toEqual([asked]);
  const [current, old] = region('Read and write').getAllByRole('listitem');
  expect(current?.textContent).toContain('login_2');
  expect(old?.textContent).toMatch(/^login_12 sessionsEnds /);
});

test('a login that somebody else has rotated meanwhile is told, and the list is loaded again [DECISIONS §13]', async () => {
  server.use(
    onRoute(credentialRoutes.rotate, () => {
      connection = { ...connection, logins: [login('login_2')] };
      return failed(409, 'This login was rotated meanwhile.');
    }),
  );
  await open();
  fireEvent.click(region('Read and write').getByRole('button', { name: 'Rotate: Read and write' }));
  const dialog = await screen.findByRole('dialog', { name: 'Rotate Login' });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Rotate login' }));
  await within(dialog).findByText('This login was rotated meanwhile.', { exact: false });
  await waitFor(() => expect(screen.getByText('login_2').isConnected).toBe(true));
});

test('limits are saved; an empty field leaves them to the server [DECISIONS §13]', async () => {
  await open();
  const connections = screen.getByLabelText<HTMLInputElement>('Connection limit');
  const seconds = screen.getByLabelText<HTMLInputElement>('Statement timeout (s)');
  expect([connections.value, seconds.value]).toEqual(['', '30']);
  fireEvent.change(connections, { target: { value: '0' } });
  fireEvent.change(seconds, { target: { value: '' } });
  const save = screen.getByRole('button', { name: 'Save Limits' });
  fireEvent.click(save);
  await screen.findByText('Connection limit must be at least 1');
  expect(sent).toEqual([]);
  fireEvent.change(connections, { target: { value: '5' } });
  fireEvent.click(save);
  await screen.findByText('The limits hold.');
  expect(sent).toEqual([{ id: cedar.id, connectionLimit: 5, statementTimeoutSeconds: null, updatedBy: signedIn().id }]);
});

test('a limit that is no number is refused at its field, and nothing is sent [§5]', async () => {
  await open();
  const seconds = screen.getByLabelText<HTMLInputElement>('Statement timeout (s)');
  // What Firefox makes of '30 s'.
  Object.defineProperty(seconds, 'validity', { value: { badInput: true }, configurable: true });
  fireEvent.change(seconds, { target: { value: '' } });
  fireEvent.blur(seconds);
  await screen.findByText('This is no number');
  const save = screen.getByRole('button', { name: 'Save Limits' });
  fireEvent.click(save);
  expect(document.activeElement).toBe(seconds);
  Object.defineProperty(seconds, 'validity', { value: { badInput: false } });
  fireEvent.change(seconds, { target: { value: '60' } });
  expect(screen.queryByText('This is no number')).toBeNull();
  fireEvent.click(save);
  await screen.findByText('The limits hold.');
  expect(sent).toEqual([{ id: cedar.id, statementTimeoutSeconds: 60, updatedBy: signedIn().id }]);
});

test('what is typed stays when somebody else changes the other limit, which is not written back [DECISIONS §3]', async () => {
  await open();
  const connections = screen.getByLabelText<HTMLInputElement>('Connection limit');
  const seconds = screen.getByLabelText<HTMLInputElement>('Statement timeout (s)');
  fireEvent.change(connections, { target: { value: '5' } });
  connection = { ...connection, statementTimeoutSeconds: 60 };
  // Whoever asks for a login loads the connection anew.
  fireEvent.click(region('Read only').getByRole('button', { name: 'Reveal: Read only' }));
  fireEvent.click(within(await screen.findByRole('dialog', { name: 'Credentials' })).getByText('Done'));
  await waitFor(() => expect(seconds.value).toBe('60'));
  expect(connections.value).toBe('5');
  sent = [];
  fireEvent.click(screen.getByRole('button', { name: 'Save Limits' }));
  await screen.findByText('The limits hold.');
  expect(sent).toEqual([{ id: cedar.id, connectionLimit: 5, updatedBy: signedIn().id }]);
});

test('who may not connect reads why, and can try again [DECISIONS §13]', async () => {
  server.use(
    onRoute(credentialRoutes.connection, () => failed(403, "You do not have the permission 'databases.connect'.")),
  );
  const { user } = await renderManageAt('Connection');
  const why = await screen.findByText(/databases\.connect/);
  // Nothing is broken.
  expect(why.closest('.notice')?.className).toContain('notice-warning');
  server.use(onRoute(credentialRoutes.connection, () => ok(connection)));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('db.clinic.test:5432');
});

test('a connection that is refused is not shown any more, and holds nobody back [DECISIONS §5]', async () => {
  const { user, store, onClose } = await renderManageAt('Connection');
  fireEvent.change(await screen.findByLabelText('Connection limit'), { target: { value: '5' } });
  server.use(
    onRoute(credentialRoutes.connection, () => failed(403, "You do not have the permission 'databases.connect'.")),
  );
  act(() => void store.dispatch(api.util.invalidateTags(['Credentials'])));
  await screen.findByText(/databases\.connect/);
  expect(screen.queryByText('db.clinic.test:5432')).toBeNull();
  expect(screen.queryByLabelText('Connection limit')).toBeNull();
  await user.click(screen.getByText('Close'));
  expect(onClose).toHaveBeenCalledOnce();
});
