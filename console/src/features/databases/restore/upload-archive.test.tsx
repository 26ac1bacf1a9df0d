import { authRoutes } from '@apotheca/contract/auth';
import { backupRoutes } from '@apotheca/contract/backups';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeBackup } from '../../../testing/databases.ts';
import { field, fill } from '../../../testing/fields.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import { makeToken, signedIn } from '../../../testing/session.ts';
import { RestoreDatabaseModal } from './restore-database-modal.tsx';

const uploaded = makeBackup({ databaseName: 'ACME', origin: 'uploaded' });
const archive = new File(['PGDMP…'], 'acme-2026-03-04.dump');

mockServer(onRoute(backupRoutes.list, () => ok([uploaded])));

/** The restore dialog with its second tab open. */
async function renderUpload(options?: Parameters<typeof renderWithStore>[1]) {
  const onClose = vi.fn();
  const view = renderWithStore(<RestoreDatabaseModal show start={{ kind: 'restore' }} onClose={onClose} />, options);
  await view.user.click(screen.getByRole('tab', { name: 'Upload an archive' }));
  return { ...view, onClose };
}

const send = () => fireEvent.click(screen.getByRole('button', { name: 'Upload' }));

test('a file and a name are required [§2.13]', async () => {
  await renderUpload();
  send();
  await screen.findByText('Database Name is Required');
  await screen.findByText('Archive is Required');
  fill('Name in the list', 'ACME');
  send();
  await waitFor(() => expect(screen.queryByText('Database Name is Required')).toBeNull());
  screen.getByText('Archive is Required');
  expect(field('Archive').getAttribute('aria-invalid')).toBe('true');
});

test('an archive is sent unchanged, and is then the chosen backup [§2.13]', async () => {
  const sent: { query: Record<string, string>; type: string | null; token: string | null; body: string }[] = [];
  server.use(
    onRoute(backupRoutes.upload, async ({ request }) => {
      sent.push({
        query: Object.fromEntries(new URL(request.url).searchParams),
        type: request.headers.get('content-type'),
        token: request.headers.get('authorization'),
        body: await request.text(),
      });
      return ok(uploaded);
    }),
  );
  const { user, store } = await renderUpload();
  await user.upload(field('Archive'), archive);
  expect(field('Name in the list').value).toBe('ACME');
  screen.getByText('acme-2026-03-04.dump');
  send();
  await screen.findByText('ACME is uploaded and chosen.');
  const token = `Bearer ${store.getState().session.jwtToken}`;
  expect(sent).toEqual([{ query: { databaseName: 'ACME' }, type: 'application/octet-stream', token, body: 'PGDMP…' }]);
  expect(screen.getByRole('tab', { name: 'From the list' }).ariaSelected).toBe('true');
  expect(screen.getByRole<HTMLInputElement>('radio').checked).toBe(true);
});

test('a file can be dropped [§2.13]', async () => {
  await renderUpload();
  const files = { item: () => archive, length: 1 };
  fireEvent.drop(screen.getByText(/^Drop an archive/), { dataTransfer: { files } });
  screen.getByText('acme-2026-03-04.dump');
  expect(field('Name in the list').value).toBe('ACME');
});

test("a typed name is not replaced by the file's name [§2.13]", async () => {
  const { user } = await renderUpload();
  await user.type(field('Name in the list'), 'mine');
  await user.upload(field('Archive'), archive);
  expect(field('Name in the list').value).toBe('MINE');
});

test('an error of the archive is shown at its field [§8]', async () => {
  server.use(onRoute(backupRoutes.upload, () => failed(400, 'This archive cannot be restored.')));
  const { user } = await renderUpload();
  await user.upload(field('Archive'), archive);
  send();
  await waitFor(() => expect(field('Archive').getAttribute('aria-invalid')).toBe('true'));
  expect(within(screen.getByRole('tabpanel')).getByText('This archive cannot be restored.')).toBeDefined();
  expect(field('Name in the list').value).toBe('ACME');
});

test('an error of the name is shown at its field [§8]', async () => {
  const errors = { databaseName: ['This name is reserved.'] };
  server.use(onRoute(backupRoutes.upload, () => failed(400, 'Refused.', errors)));
  const { user } = await renderUpload();
  await user.upload(field('Archive'), archive);
  send();
  await screen.findByText('This name is reserved.');
  expect(field('Archive').getAttribute('aria-invalid')).toBeNull();
});

test('a given digest is sent too; its errors are shown at its field [§2.13]', async () => {
  const message = 'The rows of this archive are not compressed: send its SHA-256 along.';
  const digests: (string | null)[] = [];
  server.use(
    onRoute(backupRoutes.upload, ({ request }) => {
      const digest = new URL(request.url).searchParams.get('sha256');
      digests.push(digest);
      return digest === null ? failed(400, message, { sha256: [message] }) : ok(uploaded);
    }),
  );
  const { user } = await renderUpload();
  await user.upload(field('Archive'), archive);
  send();
  await waitFor(() => expect(field('SHA-256 (optional)').getAttribute('aria-invalid')).toBe('true'));
  expect(within(screen.getByRole('tabpanel')).getByText(message)).toBeDefined();
  expect(field('Archive').getAttribute('aria-invalid')).toBeNull();
  fill('SHA-256 (optional)', '0123456789ABCDEF');
  send();
  await screen.findByText('SHA-256 should be 64 hexadecimal digits');
  fill('SHA-256 (optional)', ` ${'0123456789ABCDEF'.repeat(4)} `);
  send();
  await screen.findByText('ACME is uploaded and chosen.');
  expect(digests).toEqual([null, '0123456789abcdef'.repeat(4)]);
});

/** Sends nothing, and reports the progress that the test sets. */
class StandingRequest {
  static last: StandingRequest | undefined;
  upload: { onprogress?: (event: { loaded: number }) => void } = {};
  onabort = () => {};
  open() {}
  setRequestHeader() {}
  send() {
    StandingRequest.last = this;
  }
  abort() {
    this.onabort();
  }
}

test('it shows its progress, and can be cancelled [§2.13]', async () => {
  vi.stubGlobal('XMLHttpRequest', StandingRequest);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { user } = await renderUpload();
  await user.upload(field('Archive'), archive);
  send();
  await waitFor(() => expect(StandingRequest.last).toBeDefined());
  const bar = await screen.findByRole('progressbar', { name: 'Sending acme-2026-03-04.dump' });
  act(() => StandingRequest.last?.upload.onprogress?.({ loaded: 2 }));
  expect(bar.getAttribute('aria-valuenow')).toBe('25');
  screen.getByText('2 bytes of 8 bytes');
  act(() => StandingRequest.last?.upload.onprogress?.({ loaded: 8 }));
  await screen.findByText('acme-2026-03-04.dump is sent and is being checked');
  await user.click(screen.getByRole('button', { name: 'Cancel upload' }));
  await screen.findByRole('button', { name: 'Upload' });
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(field('Name in the list').value).toBe('ACME');
});

test('an upload that is cancelled while the token is refreshed is not sent [§2.13]', async () => {
  const refreshed = Promise.withResolvers<void>();
  const names: (string | null)[] = [];
  server.use(
    onRoute(authRoutes.refresh, async () => {
      await refreshed.promise;
      return ok({ accessToken: makeToken(), expireIn: 900, serverTime: Math.floor(Date.now() / 1000) });
    }),
    onRoute(backupRoutes.upload, ({ request }) => {
      names.push(new URL(request.url).searchParams.get('databaseName'));
      return ok(uploaded);
    }),
  );
  const session = signedIn({ jwtToken: makeToken(60), exp: Math.floor(Date.now() / 1000) + 60 });
  const { user } = await renderUpload({ preloadedState: { session } });
  await user.upload(field('Archive'), archive);
  fill('Name in the list', 'FIRST');
  send();
  await user.click(await screen.findByRole('button', { name: 'Cancel upload' }));
  await screen.findByRole('button', { name: 'Upload' });
  fill('Name in the list', 'SECOND');
  send();
  await screen.findByRole('button', { name: 'Cancel upload' });
  refreshed.resolve();
  await screen.findByText('ACME is uploaded and chosen.');
  expect(names).toEqual(['SECOND']);
});

test('closing the dialog asks first during an upload [§2.13]', async () => {
  server.use(onRoute(backupRoutes.upload, () => new Promise<HttpResponse<null>>(() => {})));
  const { user, onClose } = await renderUpload();
  await user.upload(field('Archive'), archive);
  send();
  await screen.findByRole('progressbar');
  await user.keyboard('{Escape}');
  await user.click(await screen.findByText('Keep editing'));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await screen.findByText('Discard changes?');
  expect(onClose).not.toHaveBeenCalled();
});

test.each([
  ['a typed name', async () => fill('Name in the list', 'ACME')],
  ['a typed digest', async () => fill('SHA-256 (optional)', '0123')],
  ['a chosen file', async (user: UserEvent) => user.upload(field('Archive'), archive)],
])('closing the dialog asks first after %s [§4] [§2.13]', async (_what, type) => {
  const { user, onClose } = await renderUpload();
  await type(user);
  await user.keyboard('{Escape}');
  await screen.findByText('Discard changes?');
  expect(onClose).not.toHaveBeenCalled();
});

test('closing the dialog asks nothing once the archive is uploaded [§4] [§2.13]', async () => {
  server.use(onRoute(backupRoutes.upload, () => ok(uploaded)));
  const { user, onClose } = await renderUpload();
  fill('Name in the list', 'ACME');
  await user.upload(field('Archive'), archive);
  send();
  await screen.findByText('ACME is uploaded and chosen.');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(onClose).toHaveBeenCalled());
});

test('an unreadable answer is reported as such [§8]', async () => {
  server.use(onRoute(backupRoutes.upload, () => HttpResponse.text('<h1>Bad Gateway</h1>', { status: 502 })));
  const { user } = await renderUpload();
  await user.upload(field('Archive'), archive);
  send();
  await waitFor(() => expect(field('Archive').getAttribute('aria-invalid')).toBe('true'));
});
