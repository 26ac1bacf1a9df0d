import { faqRevisionRoutes } from '@apotheca/contract/faq-revisions';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { api } from '../../../api/http/client.ts';
import { makeComparison, makeRevision } from '../../../testing/faqs.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { failed, keepQueries, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import { RevisionsModal } from './revisions-modal.tsx';

const HTML = ['<p>Count <strong>weekly</strong>.</p>', '<p>Count <a href="https://linked">weekly</a>.</p>'] as const;
const revisions = [
  makeRevision({ revision: 5, verb: 'restore', by: 'ada' }),
  makeRevision({ revision: 3, fields: ['overview', 'published'] }),
  makeRevision({ revision: 1, verb: 'create', fields: ['name', 'code'] }),
];
const compared = makeComparison({ overview: HTML[0], published: false }, { overview: HTML[1] });
const { answer } = keepQueries(faqRevisionRoutes.compare);
mockServer(
  onRoute(faqRevisionRoutes.list, () => ok(revisions)),
  answer(compared),
);

const renderModal = () =>
  renderWithStore(<RevisionsModal show kind="faq" id="an-id" name="Stock counts" onClose={vi.fn()} />);
const dialog = () => within(screen.getByRole('dialog', { name: 'History' }));

test('lists who wrote what, newest first, and compares what it was before the last change [DECISIONS §13]', async () => {
  renderModal();
  const options = await screen.findAllByRole('radio');
  expect(options.map((option) => option.closest('label')?.textContent)).toEqual([
    expect.stringMatching(/ada Now ?Restored: FAQ Name, Is Published$/),
    expect.stringMatching(/grace ?Changed: Overview, Is Published$/),
    expect.stringMatching(/grace ?Created$/),
  ]);
  expect(options.map((option) => (option as HTMLInputElement).checked)).toEqual([false, true, false]);
  const comparison = within(await screen.findByRole('region', { name: 'Compared with now' }));
  await comparison.findByText('Overview');
  const shown = (role: 'deletion' | 'insertion') => comparison.getAllByRole(role).map(({ textContent }) => textContent);
  expect(shown('deletion').join(' ')).toMatch(/\*\*.*Only then: No$/);
  expect(shown('insertion').join(' ')).toMatch(/https:\/\/linked.*Only now: Yes$/);
  expect(comparison.queryByText('FAQ Code')).toBeNull();
});

test('compares the chosen revision, and says where nothing is different [DECISIONS §13]', async () => {
  const { user } = renderModal();
  await dialog().findByText('Overview');
  const newest = keepQueries(faqRevisionRoutes.compare);
  server.use(newest.answer(makeComparison({})));
  await user.click(screen.getByRole('radio', { name: /Restored: FAQ Name/ }));
  await screen.findByText('This is what it is now.');
  expect(newest.asked).toEqual([{ kind: 'faq', id: 'an-id', revision: '5' }]);
  const restore = screen.getByRole('button', { name: 'Restore' });
  expect([restore.ariaDisabled, restore.title]).toEqual(['true', 'This is what it is now.']);
});

test('restores after a question the version that was compared; after a conflict it is compared anew first [DECISIONS §13]', async () => {
  const sent: unknown[] = [];
  server.use(
    onRoute(faqRevisionRoutes.restore, async ({ request }) => {
      const body = (await request.json()) as { version: number };
      sent.push(body);
      return body.version === 4
        ? ok({ id: 'an-id' }, 'Success! FAQ has been restored.')
        : failed(409, 'Ada changed this meanwhile.');
    }),
  );
  const { user } = renderModal();
  await dialog().findByText('Overview');
  const byAda = makeComparison({ name: 'Before' }, { name: 'By Ada' });
  const newer = keepQueries(faqRevisionRoutes.compare);
  server.use(newer.answer({ ...byAda, version: 4 }));
  await user.click(screen.getByRole('button', { name: 'Restore' }));
  const question = within(await screen.findByRole('dialog', { name: 'Restore Revision' }));
  question.getByText(/^It becomes what it was on 2026-03-01 \d\d:00\. What it is now stays in its history\.$/);
  await user.click(question.getByRole('button', { name: 'Restore revision' }));
  await screen.findByText('Ada changed this meanwhile.');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Restore Revision' })).toBeNull());
  await dialog().findByText('By Ada');
  expect(newer.asked).toEqual([{ kind: 'faq', id: 'an-id', revision: '3' }]);
  server.use(onRoute(faqRevisionRoutes.compare, () => ok(makeComparison({}))));
  await user.click(screen.getByRole('button', { name: 'Restore' }));
  await user.click(await screen.findByRole('button', { name: 'Restore revision' }));
  await screen.findByText('This is what it is now.');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Restore' })));
  expect(screen.queryByRole('dialog', { name: 'Restore Revision' })).toBeNull();
  expect(sent).toEqual([3, 4].map((version) => ({ kind: 'faq', id: 'an-id', revision: 3, version })));
});

test('says why nothing could be loaded, and tries again [§8]', async () => {
  server.use(onRoute(faqRevisionRoutes.list, () => failed(404, 'There is no such FAQ.')));
  const { user } = renderModal();
  await dialog().findByText('There is no such FAQ.');
  server.use(onRoute(faqRevisionRoutes.list, () => ok(revisions)));
  await user.click(dialog().getByRole('button', { name: 'Retry' }));
  await dialog().findByText('Overview');
});

test('revisions that are refused are not shown any more, and cannot be restored [DECISIONS §5]', async () => {
  const { store } = renderModal();
  await dialog().findByText('Overview');
  for (const call of [faqRevisionRoutes.list, faqRevisionRoutes.compare])
    server.use(onRoute(call, () => failed(403, "You need the permission 'faqs.read'.")));
  act(() => void store.dispatch(api.util.invalidateTags(['Faqs'])));
  await dialog().findByText("You need the permission 'faqs.read'.");
  expect(dialog().queryAllByRole('radio')).toEqual([]);
  expect((screen.getByRole('button', { name: 'Restore' }) as HTMLButtonElement).disabled).toBe(true);
});
