import { type Faq, type FaqTree, faqRoutes, faqTree } from '@apotheca/contract/faqs';
import { screen, waitFor, within } from '@testing-library/react';
import type { HttpResponse } from 'msw';
import { beforeAll, expect, test } from 'vitest';
import { makeFaq, makeHit } from '../../testing/faqs.ts';
import { field, fill, findField } from '../../testing/fields.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { findEditor, pasteHtml, stubLayout } from '../../testing/rich-text.ts';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { changedByBob, refusedAsStale } from '../../testing/stale.ts';
import { FaqsPage } from './faqs-page.tsx';

beforeAll(stubLayout);

const stock = makeFaq({
  name: 'Stock counts',
  code: 'STOCK',
  overview: '<p>On <em>counting</em>.</p>',
  sectionCount: 2,
});
const odd = makeFaq({ name: 'A/B 100% "x"', code: 'ODD', isActive: false, published: false });

/** What the mocked server holds. */
let faqs: Faq[] = [];

mockServer(onRoute(faqRoutes.list, () => ok(faqs)));

function renderPage(held: Faq[] = [stock, odd], route = '/faqs') {
  faqs = held;
  return renderWithStore(<FaqsPage />, { route });
}

const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) });
const button = (name: string) => screen.getByRole('button', { name });
const dialog = (name: string) => screen.findByRole('dialog', { name });
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

/** Keeps what is sent to a route, and answers it. */
function keepBodies(route: Parameters<typeof onRoute>[0], message: string) {
  const bodies: unknown[] = [];
  server.use(
    onRoute(route, async ({ request }) => {
      bodies.push(await request.json());
      return ok({ id: stock.id }, message);
    }),
  );
  return bodies;
}

test('lists the FAQs with the columns, footer and way to the sections of each [§2.16]', async () => {
  renderPage();
  const cells = within(await row('Stock counts')).getAllByRole('cell');
  expect(cells.slice(0, 3).map(({ textContent }) => textContent)).toEqual(['STOCK', 'Active', 'Yes']);
  const oddRow = within(await row('A/B'));
  oddRow.getByText('Inactive');
  oddRow.getByText('No');
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'FAQ Name',
    'FAQ Code',
    'Active',
    'Published',
    'Actions',
  ]);
  screen.getByText('Displaying 2 of 2 results');
  screen.getByRole('heading', { level: 1, name: "FAQ's Management" });
  const link = screen.getByRole('link', { name: 'View FAQ Section: A/B 100% "x"' });
  expect(link.getAttribute('href')).toBe(`/faq/A%2FB%20100%25%20%22x%22/${odd.id}`);
});

test('the filter finds names and codes, and stands in the address [§2.16]', async () => {
  const { user, router } = renderPage();
  await row('Stock counts');
  await user.type(screen.getByRole('searchbox', { name: 'Filter FAQs' }), 'odd');
  await screen.findByText('Displaying 1 of 2 results');
  expect(router.state.location.search).toBe('?q=odd');
});

test('says so when there are none, and lets one be made [§2.16]', async () => {
  const { user } = renderPage([]);
  await screen.findByText('No FAQs found!');
  await user.click(screen.getAllByRole('button', { name: 'Create FAQ' })[1] ?? document.body);
  await dialog('Create FAQ');
});

test('a list that cannot be loaded says why, and can be tried again [§8]', async () => {
  server.use(onRoute(faqRoutes.list, () => failed(503, 'The database cannot be reached.')));
  const { user } = renderPage();
  await waitFor(() => expect(screen.getAllByText('The database cannot be reached.')).toHaveLength(2));
  server.use(onRoute(faqRoutes.list, () => ok(faqs)));
  await user.click(button('Retry'));
  await row('Stock counts');
});

test('a new FAQ is sent with its defaults; the message is shown, the list loaded again [§4]', async () => {
  const { user } = renderPage();
  await row('Stock counts');
  await user.click(button('Create FAQ'));
  await dialog('Create FAQ');
  expect(field('Active').checked).toBe(true);
  expect(field('Is Published').checked).toBe(true);
  const bodies = keepBodies(faqRoutes.create, 'Success! FAQ has been Created.');
  fill('FAQ Name', 'Orders');
  fill('FAQ Code', 'ORD');
  await pasteHtml('Overview', '<p>All about <strong>orders</strong>.</p>');
  await user.click(field('Is Published'));
  faqs = [stock, odd, makeFaq({ name: 'Orders' })];
  await user.click(button('Create'));
  await screen.findByText('Success! FAQ has been Created.');
  expect(bodies).toEqual([
    {
      name: 'Orders',
      code: 'ORD',
      overview: '<p>All about <strong>orders</strong>.</p>',
      isActive: true,
      published: false,
      createdBy: signedIn().id,
    },
  ]);
  await screen.findByText('Displaying 3 of 3 results');
  await closed();
  expect(document.activeElement).toBe(button('Create FAQ'));
});

test('what is missing is said at its field [§5]', async () => {
  const { user } = renderPage();
  await row('Stock counts');
  await user.click(button('Create FAQ'));
  await user.click(await screen.findByRole('button', { name: 'Create' }));
  await screen.findByText('FAQ Name is Required');
  screen.getByText('FAQ Code is Required');
});

test('a refusal is shown at its field and nowhere else; one without a field is told [§8]', async () => {
  const message = 'An FAQ with this code exists already.';
  server.use(onRoute(faqRoutes.create, () => failed(409, message, { code: [message] })));
  const { user } = renderPage();
  await row('Stock counts');
  await user.click(button('Create FAQ'));
  await findField('FAQ Name');
  fill('FAQ Name', 'Orders');
  fill('FAQ Code', 'stock');
  await user.click(button('Create'));
  await screen.findByText(message);
  expect(field('FAQ Code').getAttribute('aria-invalid')).toBe('true');
  expect(screen.queryByText(`code: ${message}`)).toBeNull();
  expect(field('FAQ Name').value).toBe('Orders');
  server.use(onRoute(faqRoutes.create, () => failed(503, 'The database cannot be reached.')));
  fill('FAQ Code', 'other');
  await user.click(button('Create'));
  await screen.findByText('The database cannot be reached.');
});

test('an edit begins with what there is, is not dirty by itself, and keeps what it does not show [§4]', async () => {
  const { user } = renderPage();
  await row('Stock counts');
  await user.click(button('Edit FAQ: Stock counts'));
  await dialog('Edit FAQ');
  expect((await findEditor('Overview')).textContent).toBe('On counting.');
  await user.click(button('Cancel'));
  await closed();
  await user.click(button('Edit FAQ: Stock counts'));
  const bodies = keepBodies(faqRoutes.edit, 'Success! FAQ has been Updated.');
  await findEditor('Overview');
  fill('FAQ Name', 'Counts');
  await user.click(button('Edit'));
  await screen.findByText('Success! FAQ has been Updated.');
  expect(bodies).toEqual([
    {
      id: stock.id,
      name: 'Counts',
      code: 'STOCK',
      overview: '<p>On <em>counting</em>.</p>',
      isActive: true,
      published: true,
      version: 3,
      updatedBy: signedIn().id,
    },
  ]);
});

test('typed text is not thrown away unasked [§4]', async () => {
  const { user } = renderPage();
  await row('Stock counts');
  await user.click(button('Create FAQ'));
  await pasteHtml('Overview', '<p>much</p>');
  await user.click(button('Cancel'));
  screen.getByText('Discard changes?');
});

test('an edit of what somebody else changed shows that in words [DECISIONS §11]', async () => {
  const { user } = renderPage();
  await row('Stock counts');
  await user.click(button('Edit FAQ: Stock counts'));
  await findEditor('Overview');
  fill('FAQ Name', 'Counts');
  server.use(
    onRoute(faqRoutes.edit, () =>
      refusedAsStale({
        version: 8,
        changes: [
          changedByBob('overview', '<p>On <em>counting</em>.</p>', `<p>New</p><p>${'long '.repeat(50)}</p>`),
          changedByBob('published', true, false),
        ],
      }),
    ),
  );
  await user.click(button('Edit'));
  await screen.findByText(/^Overview: On counting \. → New long long.*…, by bob$/);
  screen.getByText('Is Published: Yes → No, by bob');
  expect(field('FAQ Name').value).toBe('Counts');
  expect(field('Is Published').checked).toBe(false);
  expect((await findEditor('Overview')).textContent).toMatch(/^New/);
});

test('a second click while it is saved sends nothing [§2.20]', async () => {
  let calls = 0;
  server.use(
    onRoute(faqRoutes.create, () => {
      calls += 1;
      return new Promise<HttpResponse<null>>(() => {});
    }),
  );
  const { user } = renderPage();
  await row('Stock counts');
  await user.click(button('Create FAQ'));
  await findField('FAQ Name');
  fill('FAQ Name', 'Orders');
  fill('FAQ Code', 'ORD');
  await user.click(button('Create'));
  await screen.findByText('Saving');
  await user.click(button('Create'));
  expect(calls).toBe(1);
});

test('deleting says what goes along, and deletes what was shown [§4]', async () => {
  server.use(
    onRoute(faqRoutes.previewDelete, () =>
      ok({ sections: 2, questions: 9, digest: 'one' }, '2 sections and 9 questions go along.'),
    ),
  );
  const { user } = renderPage();
  await row('Stock counts');
  await user.click(button('Delete FAQ: Stock counts'));
  const asked = within(await dialog('Delete FAQ'));
  asked.getByText('The FAQ “Stock counts” is deleted for good.');
  await asked.findByText('2 sections and 9 questions go along.');
  const queries: Record<string, string>[] = [];
  server.use(
    onRoute(faqRoutes.previewDelete, () =>
      ok({ sections: 3, questions: 9, digest: 'two' }, '3 sections and 9 questions go along.'),
    ),
    onRoute(faqRoutes.delete, ({ request }) => {
      const query = Object.fromEntries(new URL(request.url).searchParams);
      queries.push(query);
      if (query.plan === 'one') return failed(409, 'Things have changed. Please look again.');
      faqs = [odd];
      return ok({ id: stock.id }, 'FAQ deleted with 3 sections and 9 questions.');
    }),
  );
  await user.click(asked.getByRole('button', { name: 'Delete FAQ' }));
  await screen.findByText('Things have changed. Please look again.');
  await asked.findByText('3 sections and 9 questions go along.');
  await user.click(asked.getByRole('button', { name: 'Delete FAQ' }));
  await screen.findByText('FAQ deleted with 3 sections and 9 questions.');
  expect(queries).toEqual([
    { id: stock.id, plan: 'one' },
    { id: stock.id, plan: 'two' },
  ]);
  await screen.findByText('Displaying 1 of 1 results');
  await closed();
});

test('what goes along must be known before anything is deleted [§8]', async () => {
  server.use(onRoute(faqRoutes.previewDelete, () => failed(503, 'The database cannot be reached.')));
  const { user } = renderPage();
  await row('Stock counts');
  await user.click(button('Delete FAQ: Stock counts'));
  const asked = within(await dialog('Delete FAQ'));
  await asked.findByText('The database cannot be reached.');
  expect(asked.getByRole<HTMLButtonElement>('button', { name: 'Delete FAQ' }).disabled).toBe(true);
  asked.getByRole('button', { name: 'Retry' });
});

test('the search finds FAQs, sections and questions, each a link to its list [§2.16]', async () => {
  const place = { faqId: stock.id, faqName: 'Stock counts' };
  const section = { sectionId: odd.id, sectionName: 'Who/what' };
  let asked = '';
  server.use(
    onRoute(faqRoutes.search, ({ request }) => {
      asked = new URL(request.url).searchParams.get('text') ?? '';
      return ok([
        makeHit({ kind: 'faq', id: '1', title: 'Stock counts', ...place, sectionId: null, sectionName: null }),
        makeHit({ kind: 'section', id: '2', title: 'Who/what', ...place, ...section }),
        makeHit({
          kind: 'question',
          id: '3',
          title: 'Who counts?',
          excerpt: '… Everybody COUNTS …',
          ...place,
          ...section,
        }),
      ]);
    }),
  );
  const { user, router } = renderPage();
  await row('Stock counts');
  await user.type(screen.getByRole('searchbox', { name: 'Search in all FAQs, sections and answers' }), 'counts');
  await screen.findByText('3 results');
  expect(asked).toBe('counts');
  expect(screen.getAllByRole('listitem').slice(-1)[0]?.textContent).toBe(
    'Who counts?Q&A › Stock counts › Who/what… Everybody COUNTS …',
  );
  const hrefs = ['Stock counts', 'Who/what', 'Who counts?'].map((name) =>
    screen.getByRole('link', { name }).getAttribute('href'),
  );
  expect(hrefs).toEqual([
    '/faqs?q=Stock+counts',
    `/faq/Stock%20counts/${stock.id}?q=Who%2Fwhat`,
    `/section/Stock%20counts/Who%2Fwhat/${odd.id}?q=Who+counts%3F`,
  ]);
  expect(router.state.location.search).toBe('?search=counts');
  await user.clear(screen.getByRole('searchbox'));
  await row('Stock counts');
});

test('a search that finds nothing, or fails, says so [§8]', async () => {
  server.use(onRoute(faqRoutes.search, () => failed(503, 'The database cannot be reached.')));
  const { user } = renderPage([stock], '/faqs?search=nothing');
  await screen.findByText('The database cannot be reached.');
  server.use(onRoute(faqRoutes.search, () => ok([])));
  await user.click(button('Retry'));
  await screen.findByText('Nothing found');
});

const tree = (hiddenBecause: string | null, answer: string): FaqTree =>
  faqTree.parse({
    ...stock,
    hiddenBecause,
    sections: [
      {
        ...stock,
        id: '5',
        name: 'Counting',
        icon: '',
        overview: '',
        hiddenBecause: null,
        questions: [
          { id: '6', question: 'When?', answer, hiddenBecause: hiddenBecause && 'Published, but its FAQ is inactive' },
        ],
      },
    ],
  });

test('the preview shows what readers see, and on demand what they do not, and why [§2.16]', async () => {
  const asked: Record<string, string>[] = [];
  server.use(
    onRoute(faqRoutes.tree, ({ request }) => {
      const query = Object.fromEntries(new URL(request.url).searchParams);
      asked.push(query);
      const all = [tree(null, '<p>On <strong>Mondays</strong></p><img src=x onerror=alert(1)>')];
      return ok(query.hidden === 'true' ? [...all, { ...tree('Inactive', ''), id: '9', name: 'Old' }] : all);
    }),
  );
  const { user } = renderPage();
  await row('Stock counts');
  await user.click(button('Preview'));
  const preview = within(await dialog('Preview'));
  await preview.findByRole('heading', { name: 'Stock counts' });
  await user.click(preview.getByText('Counting'));
  await user.click(await preview.findByText('When?'));
  const answer = await preview.findByText('Mondays');
  expect(answer.closest('.rich-text')?.innerHTML).toBe('<p>On <strong>Mondays</strong></p>');
  expect(preview.queryByText('Old')).toBeNull();
  await user.click(preview.getByRole('switch', { name: 'Show what is hidden' }));
  await preview.findByRole('heading', { name: 'Old Inactive' });
  expect(asked).toEqual([{ hidden: 'false' }, { hidden: 'true' }]);
});

test('the preview of one FAQ that readers do not see says so [§2.16]', async () => {
  server.use(onRoute(faqRoutes.tree, () => ok([])));
  const { user } = renderPage();
  await row('Stock counts');
  await user.click(button('Preview: Stock counts'));
  await screen.findByText('Readers see nothing here yet: it is not published, or not active.');
});
