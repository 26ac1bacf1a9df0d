import { type Backup, backupRoutes } from '@apotheca/contract/backups';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { api } from '../../../api/http/client.ts';
import { localDay, localMinute } from '../../../lib/moment.ts';
import { makeBackup } from '../../../testing/databases.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { keepSavedFiles } from '../../../testing/saved-files.ts';
import { failed, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import { signedIn } from '../../../testing/session.ts';
import { BackupsModal } from './backups-modal.tsx';

const cedar = makeBackup({ databaseName: 'CEDAR' });
const foreign = makeBackup({ databaseName: 'ELSEWHERE', origin: 'uploaded', rows: null, createdBy: 'bob' });
const MOMENT = localMinute(new Date(cedar.createdOnUtc));

/** The data of the mocked server. */
let backups: Backup[] = [];
/** The queries of the lists that were asked for. */
let asked: Record<string, string>[] = [];
/** What the lists wait for before they are answered. */
let held: Promise<void> | undefined;
const list = onRoute(backupRoutes.list, async ({ request }) => {
  await held;
  const query = Object.fromEntries(new URL(request.url).searchParams);
  asked.push(query);
  const { search = '', before, limit } = query;
  const first = before === undefined ? 0 : backups.findIndex(({ id }) => id === before) + 1;
  if (before !== undefined && first === 0) return failed(404, 'There is no such backup.');
  const found = backups.slice(first).filter(({ databaseName }) => databaseName.includes(search.toUpperCase()));
  return ok(found.slice(0, Number(limit)));
});
mockServer(list);
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  held = undefined;
});

/** Holds back the lists that are asked for. @returns lets them through */
function holdLists() {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  return resolve;
}

async function renderModal(present = [cedar, foreign]) {
  backups = present;
  asked = [];
  const [onOpen, onClose] = [vi.fn(), vi.fn()];
  const view = renderWithStore(<BackupsModal show onOpen={onOpen} onClose={onClose} />);
  await screen.findByText(/^Displaying/);
  return { ...view, onOpen, onClose };
}

const button = (what: string, name = 'CEDAR') =>
  screen.getByRole('button', { name: `${what} the backup of ${name} of ${MOMENT}` });

test('each backup shows its database, time, size, rows and origin [§2.13]', async () => {
  await renderModal();
  screen.getByRole('dialog', { name: 'Backups' });
  const row = (name: string) =>
    [...screen.getByRole('row', { name: new RegExp(name) }).children].slice(0, -1).map((cell) => cell.textContent);
  expect(row('CEDAR')).toEqual(['CEDAR', MOMENT, '3 MB', '4,321', '9', 'Made by ada', '3f9ac1ee…']);
  expect(row('ELSEWHERE')).toEqual(['ELSEWHERE', MOMENT, '3 MB', 'Unknown', '9', 'Uploaded by bob', '3f9ac1ee…']);
});

test('the list is filtered by the name of a database [§2.13]', async () => {
  const { user } = await renderModal();
  const filter = screen.getByRole('searchbox', { name: 'Filter backups by name' });
  const rows = screen.getByRole('region', { name: 'Backups' });
  fireEvent.scroll(rows, { target: { scrollTop: 400 } });
  // At once: what is slow between two keys would count as a pause.
  fireEvent.change(filter, { target: { value: 'else' } });
  await screen.findByText('Displaying 1 of 1 results');
  expect(asked).toEqual([{ limit: '201' }, { search: 'else', limit: '201' }]);
  expect(rows.scrollTop).toBe(0);
  screen.getByRole('row', { name: /ELSEWHERE/ });
  await user.type(filter, 'x');
  await screen.findByText('No backups match');
  await user.click(screen.getByRole('button', { name: 'Clear filter' }));
  await screen.findByText('Displaying 2 of 2 results');
  expect(document.activeElement).toBe(filter);
});

test('a filter under which nothing was found is cleared: nothing is said of all before they have come [§2.13]', async () => {
  const { user, store } = await renderModal();
  await user.type(screen.getByRole('searchbox', { name: 'Filter backups by name' }), 'x');
  await screen.findByText('No backups match');
  // Those of all are to be loaded again.
  act(() => void store.dispatch(api.util.invalidateTags(['Backups'])));
  const letThrough = holdLists();
  await user.click(screen.getByRole('button', { name: 'Clear filter' }));
  await waitFor(() => expect(screen.queryByText('No backups match')).toBeNull());
  expect(screen.queryByText('No backups yet')).toBeNull();
  letThrough();
  await screen.findByText('Displaying 2 of 2 results');
});

test('the columns of copies and proofs stay when a filter leaves no backup that has any [§2.13]', async () => {
  const copy = { store: 's3://far', state: 'copied', isEncrypted: false, attempts: 1, reason: '' } as const;
  const { user } = await renderModal([cedar, { ...foreign, copies: [copy] }]);
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  const before = heads();
  expect(before).toContain('Copies');
  await user.type(screen.getByRole('searchbox', { name: 'Filter backups by name' }), 'cedar');
  await screen.findByText('Displaying 1 of 1 results');
  expect(heads()).toEqual(before);
});

test('the whole SHA-256 is the tooltip, and can be copied [§2.13]', async () => {
  const { user } = await renderModal();
  expect(screen.getAllByTitle(cedar.sha256)).toHaveLength(2);
  await user.click(screen.getAllByRole('button', { name: 'Copy the SHA-256 3f9ac1ee…' })[0] ?? document.body);
  await screen.findByText('Copied to the clipboard.');
  expect(await navigator.clipboard.readText()).toBe(cedar.sha256);
});

test('Download saves the archive that came with the token [§2.13]', async () => {
  const saved = keepSavedFiles();
  const asked: (string | null)[] = [];
  let answer = (_response: HttpResponse<string>) => {};
  server.use(
    onRoute(backupRoutes.download, ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('id'), request.headers.get('authorization'));
      return new Promise<HttpResponse<string>>((resolve) => {
        answer = resolve;
      });
    }),
  );
  const { user, store } = await renderModal();
  await user.click(button('Download'));
  await waitFor(() => expect(asked).toEqual([cedar.id, `Bearer ${store.getState().session.jwtToken}`]));
  expect(button('Download').getAttribute('aria-busy')).toBe('true');
  answer(HttpResponse.text('archive'));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved[0]?.name).toBe(`CEDAR-${localDay(new Date(cedar.createdOnUtc))}.dump`);
  expect(await saved[0]?.content.text()).toBe('archive');
  await waitFor(() => expect(button('Download').getAttribute('aria-busy')).toBeNull());
});

test('a refused download says why [§8]', async () => {
  server.use(onRoute(backupRoutes.download, () => failed(404, 'The file of the backup is missing.')));
  const { user } = await renderModal();
  await user.click(button('Download'));
  await screen.findByText('The file of the backup is missing.');
});

test('Restore leads to the restore dialog with that backup [§2.13]', async () => {
  const { user, onOpen } = await renderModal();
  await user.click(button('Restore', 'ELSEWHERE'));
  expect(onOpen).toHaveBeenCalledExactlyOnceWith({ kind: 'restore', backup: foreign });
});

test('Delete asks first; the backup then leaves the list [§2.13]', async () => {
  const queries: Record<string, string>[] = [];
  server.use(
    onRoute(backupRoutes.delete, ({ request }) => {
      queries.push(Object.fromEntries(new URL(request.url).searchParams));
      backups = [foreign];
      return ok({ id: cedar.id, isRemoved: true });
    }),
  );
  const { user } = await renderModal();
  await user.click(button('Delete'));
  const dialog = await screen.findByRole('dialog', { name: 'Delete Backup' });
  within(dialog).getByText(`The backup of CEDAR of ${MOMENT} (3 MB) is deleted for good.`);
  expect(queries).toEqual([]);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete backup' }));
  await screen.findByText('The backup is deleted.');
  expect(queries).toEqual([{ id: cedar.id, deletedBy: signedIn().id }]);
  await screen.findByText('Displaying 1 of 1 results');
});

test('an archive that cannot be removed now is reported as such, not as deleted [§2.13]', async () => {
  const message = 'The backup is off the list, but its archive cannot be removed now (EBUSY).';
  server.use(onRoute(backupRoutes.delete, () => ok({ id: cedar.id, isRemoved: false }, message)));
  const { user } = await renderModal();
  await user.click(button('Delete'));
  const dialog = await screen.findByRole('dialog', { name: 'Delete Backup' });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete backup' }));
  await screen.findByText(message);
  expect(screen.queryByText('The backup is deleted.')).toBeNull();
});

test('Cancel deletes nothing [§2.13]', async () => {
  const { user } = await renderModal();
  await user.click(button('Delete'));
  const dialog = await screen.findByRole('dialog', { name: 'Delete Backup' });
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Delete Backup' })).toBeNull());
  screen.getByText('Displaying 2 of 2 results');
});

test('a failed load says why and can be retried [§8]', async () => {
  server.use(onRoute(backupRoutes.list, () => failed(503, 'The database cannot be reached.')));
  backups = [];
  const { user } = renderWithStore(<BackupsModal show onOpen={() => {}} onClose={() => {}} />);
  await within(await screen.findByRole('alert')).findByText('The database cannot be reached.');
  server.use(onRoute(backupRoutes.list, () => ok([])));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('No backups yet');
});

describe('more backups than a page has', () => {
  const many = Array.from({ length: 450 }, (_, n) => makeBackup({ databaseName: `DB${n}` }));
  const older = () => screen.getByText<HTMLElement>('Older').closest('button') ?? document.body;
  const newer = () => screen.getByText<HTMLElement>('Newer').closest('button') ?? document.body;
  // By its text: looking for roles in 200 rows takes long.
  const rowOf = (n: number) => screen.findByText(`DB${n}`);
  const lastAsked = () => asked.at(-1);

  test('come a page at a time, and back again [§2.13]', async () => {
    const { user } = await renderModal(many);
    screen.getByText('Displaying 200 results of this page');
    await rowOf(0);
    await user.click(older());
    await rowOf(200);
    expect(lastAsked()).toEqual({ before: many[199]?.id, limit: '201' });
    expect(screen.queryByText('DB0')).toBeNull();
    await user.click(older());
    await rowOf(400);
    screen.getByText('Displaying 50 results of this page');
    expect(document.activeElement).toBe(older());
    expect(older().getAttribute('aria-disabled')).toBe('true');
    await user.click(newer());
    await rowOf(200);
    await user.click(newer());
    await rowOf(0);
    expect(newer().getAttribute('aria-disabled')).toBe('true');
  });

  test('the ways to other pages stay while the page before the last one is loaded again [§2.13]', async () => {
    const { user, store } = await renderModal(many.slice(0, 250));
    await user.click(older());
    await rowOf(200);
    store.dispatch(api.util.invalidateTags(['Backups']));
    const letThrough = holdLists();
    await user.click(newer());
    await waitFor(() => expect(older().getAttribute('aria-busy')).toBe('true'));
    expect(document.activeElement).toBe(newer());
    screen.getByText('Displaying 50 results of this page');
    letThrough();
    await rowOf(0);
    screen.getByText('Displaying 200 results of this page');
  });

  test('a filter looks through all of them, and begins at the newest [§2.13]', async () => {
    const { user } = await renderModal(many);
    await user.click(older());
    await rowOf(200);
    const filter = screen.getByRole('searchbox', { name: 'Filter backups by name' });
    fireEvent.change(filter, { target: { value: 'db449' } });
    await rowOf(449);
    expect(lastAsked()).toEqual({ search: 'db449', limit: '201' });
    screen.getByText('Displaying 1 of 1 results');
    expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull();
    await user.clear(filter);
    await rowOf(0);
  });

  test('a page that cannot be loaded says why and can be retried; the one before it does not stand for it [§8]', async () => {
    const { user } = await renderModal(many);
    await rowOf(0);
    server.use(onRoute(backupRoutes.list, () => failed(503, 'The database cannot be reached.')));
    await user.click(older());
    await within(await screen.findByRole('alert')).findByText('The database cannot be reached.');
    expect(screen.queryByText('DB0')).toBeNull();
    // It keeps the focus, and says why it leads nowhere.
    expect(document.activeElement).toBe(older());
    expect(older().getAttribute('aria-disabled')).toBe('true');
    expect(older().dataset.refusal).toBe('The database cannot be reached.');
    server.use(list);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await rowOf(200);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('one of a later page is deleted, and the page stays [§2.13]', async () => {
    const { user } = await renderModal(many);
    await user.click(older());
    await rowOf(200);
    server.use(
      onRoute(backupRoutes.delete, () => {
        backups = many.filter((_, n) => n !== 200);
        return ok({ id: many[200]?.id, isRemoved: true });
      }),
    );
    await user.click(screen.getByLabelText(`Delete the backup of DB200 of ${MOMENT}`));
    const dialog = await screen.findByRole('dialog', { name: 'Delete Backup' });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Delete backup' }));
    await waitFor(() => expect(screen.queryByText('DB200')).toBeNull());
    await rowOf(201);
    expect(lastAsked()).toEqual({ before: many[199]?.id, limit: '201' });
  });

  test('a page of which all is deleted says that there are no older ones, and leads back [§2.13]', async () => {
    const { user, store } = await renderModal(many.slice(0, 201));
    await user.click(older());
    await rowOf(200);
    backups = many.slice(0, 200);
    store.dispatch(api.util.invalidateTags(['Backups']));
    await screen.findByText('There are no older backups.');
    await user.click(newer());
    await rowOf(0);
    await waitFor(() => expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull());
    screen.getByText('Displaying 200 of 200 results');
    expect(document.activeElement).toBe(screen.getByLabelText('Backups', { selector: 'section' }));
  });

  test('a page that begins behind a backup which is gone gives way to the page before it [§2.13]', async () => {
    const { user, store } = await renderModal(many);
    await user.click(older());
    await rowOf(200);
    await user.click(older());
    await rowOf(400);
    backups = many.filter((_, n) => n !== 399);
    store.dispatch(api.util.invalidateTags(['Backups']));
    await rowOf(200);
    expect(lastAsked()).toEqual({ before: many[199]?.id, limit: '201' });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('while copies are on their way, the page that is shown is asked for again, and no other [§2.13]', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const copy = { store: 's3://far', state: 'copying', isEncrypted: false, attempts: 0, reason: '' } as const;
    const copied = many.map((each, n) => (n === 300 ? { ...each, copies: [copy] } : each));
    const { user } = await renderModal(copied);
    await user.click(older());
    await rowOf(200);
    const asks = asked.length;
    await vi.advanceTimersByTimeAsync(5_000);
    await waitFor(() => expect(asked.length).toBe(asks + 1));
    expect(lastAsked()).toEqual({ before: many[199]?.id, limit: '201' });
    await user.click(newer());
    await rowOf(0);
    const later = asked.length;
    await vi.advanceTimersByTimeAsync(15_000);
    expect(asked.length).toBe(later);
  });
});
