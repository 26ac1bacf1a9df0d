import { type FaqTree, faqRoutes, faqTree } from '@apotheca/contract/faqs';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, expect, test } from 'vitest';
import { makeHit } from '../../testing/faqs.ts';
import {
  button,
  dialogClosed,
  findDialog,
  held,
  listHeld,
  odd,
  renderFaqsPage,
  stock,
} from '../../testing/faqs-page.tsx';
import { stubLayout } from '../../testing/rich-text.ts';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { findRow } from '../../testing/table.ts';

beforeAll(stubLayout);

mockServer(listHeld());

test("lists the FAQs with the columns, the footer and a link to each one's sections [§2.16]", async () => {
  renderFaqsPage();
  const cells = within(await findRow('Stock counts')).getAllByRole('cell');
  expect(cells.slice(0, 3).map(({ textContent }) => textContent)).toEqual(['STOCK', 'Active', 'Yes']);
  const oddRow = within(await findRow('A/B'));
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

test('the filter finds names and codes, and is part of the address [§2.16]', async () => {
  const { user, router } = renderFaqsPage();
  await findRow('Stock counts');
  await user.type(screen.getByRole('searchbox', { name: 'Filter FAQs' }), 'odd');
  await screen.findByText('Displaying 1 of 2 results');
  await waitFor(() => expect(router.state.location.search).toBe('?q=odd'));
});

test('an empty list says so, and offers to create an FAQ [§2.16]', async () => {
  const { user } = renderFaqsPage([]);
  await screen.findByText('No FAQs found!');
  await user.click(screen.getAllByRole('button', { name: 'Create FAQ' })[1] ?? document.body);
  await findDialog('Create FAQ');
});

test('a failed load says why and can be retried [§8]', async () => {
  server.use(onRoute(faqRoutes.list, () => failed(503, 'The database cannot be reached.')));
  const { user } = renderFaqsPage();
  await waitFor(() => expect(screen.getAllByText('The database cannot be reached.')).toHaveLength(2));
  server.use(listHeld());
  await user.click(button('Retry'));
  await findRow('Stock counts');
});

test('deleting shows the plan, and sends its digest [§4]', async () => {
  server.use(
    onRoute(faqRoutes.planDeletion, () =>
      ok({ sections: 2, questions: 9, digest: 'one' }, '2 sections and 9 questions go along.'),
    ),
  );
  const { user } = renderFaqsPage();
  await findRow('Stock counts');
  await user.click(button('More actions for Stock counts'));
  await user.click(screen.getByRole('menuitem', { name: 'Delete FAQ: Stock counts' }));
  const asked = within(await findDialog('Delete FAQ'));
  asked.getByText('The FAQ “Stock counts” is deleted for good.');
  await asked.findByText('2 sections and 9 questions go along.');
  const queries: Record<string, string>[] = [];
  server.use(
    onRoute(faqRoutes.planDeletion, () =>
      ok({ sections: 3, questions: 9, digest: 'two' }, '3 sections and 9 questions go along.'),
    ),
    onRoute(faqRoutes.delete, ({ request }) => {
      const query = Object.fromEntries(new URL(request.url).searchParams);
      queries.push(query);
      if (query.plan === 'one') return failed(409, 'Things have changed. Please look again.');
      held.faqs = [odd];
      return ok({ id: stock.id }, 'FAQ deleted with 3 sections and 9 questions.');
    }),
  );
  await user.click(asked.getByRole('button', { name: 'Delete FAQ' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Things have changed. Please look again.');
  await asked.findByText('3 sections and 9 questions go along.');
  await user.click(asked.getByRole('button', { name: 'Delete FAQ' }));
  await screen.findByText('FAQ deleted with 3 sections and 9 questions.');
  expect(queries).toEqual([
    { id: stock.id, plan: 'one' },
    { id: stock.id, plan: 'two' },
  ]);
  await screen.findByText('Displaying 1 of 1 results');
  await dialogClosed();
});

test('nothing can be deleted until the plan is loaded [§8]', async () => {
  server.use(onRoute(faqRoutes.planDeletion, () => failed(503, 'The database cannot be reached.')));
  const { user } = renderFaqsPage();
  await findRow('Stock counts');
  await user.click(button('More actions for Stock counts'));
  await user.click(screen.getByRole('menuitem', { name: 'Delete FAQ: Stock counts' }));
  const asked = within(await findDialog('Delete FAQ'));
  await asked.findByText('The database cannot be reached.');
  expect(asked.getByRole<HTMLButtonElement>('button', { name: 'Delete FAQ' }).disabled).toBe(true);
  asked.getByRole('button', { name: 'Retry' });
});

test('nothing can be deleted once the plan could not be loaded again [§8]', async () => {
  server.use(
    onRoute(faqRoutes.planDeletion, () => ok({ sections: 2, questions: 9, digest: 'one' }, '2 sections go along.')),
  );
  const { user } = renderFaqsPage();
  await findRow('Stock counts');
  await user.click(button('More actions for Stock counts'));
  await user.click(screen.getByRole('menuitem', { name: 'Delete FAQ: Stock counts' }));
  const asked = within(await findDialog('Delete FAQ'));
  await asked.findByText('2 sections go along.');
  server.use(
    onRoute(faqRoutes.planDeletion, () => failed(503, 'The database cannot be reached.')),
    onRoute(faqRoutes.delete, () => failed(409, 'Things have changed. Please look again.')),
  );
  await user.click(asked.getByRole('button', { name: 'Delete FAQ' }));
  await asked.findByText('The database cannot be reached.');
  expect(asked.getByRole<HTMLButtonElement>('button', { name: 'Delete FAQ' }).disabled).toBe(true);
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
  const { user, router } = renderFaqsPage();
  await findRow('Stock counts');
  await user.type(screen.getByRole('searchbox', { name: 'Search in all FAQs, sections and answers' }), 'counts');
  // Whoever pauses while typing has the hits of a part of it before.
  await waitFor(() => expect(asked).toBe('counts'));
  await screen.findByText('3 results');
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
  await findRow('Stock counts');
});

test('a search without hits, or a failed one, says so [§8]', async () => {
  server.use(onRoute(faqRoutes.search, () => failed(503, 'The database cannot be reached.')));
  const { user } = renderFaqsPage([stock], '/faqs?search=nothing');
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
          {
            id: '6',
            question: 'When?',
            answer,
            helpful: 3,
            unhelpful: 1,
            hiddenBecause: hiddenBecause && 'Published, but its FAQ is inactive',
          },
        ],
      },
    ],
  });

test('the preview shows what readers see, and on demand what they do not see, with the reason [§2.16]', async () => {
  const asked: Record<string, string>[] = [];
  server.use(
    onRoute(faqRoutes.tree, ({ request }) => {
      const query = Object.fromEntries(new URL(request.url).searchParams);
      asked.push(query);
      const all = [tree(null, '<p>On <strong>Mondays</strong></p><img src=x onerror=alert(1)>')];
      return ok(query.hidden === 'true' ? [...all, { ...tree('Inactive', ''), id: '9', name: 'Old' }] : all);
    }),
  );
  const { user } = renderFaqsPage();
  await findRow('Stock counts');
  await user.click(button('Preview'));
  const preview = within(await findDialog('Preview'));
  await preview.findByRole('heading', { name: 'Stock counts' });
  await user.click(preview.getByText('Counting'));
  await user.click(await preview.findByText('When?'));
  // Each title has the direction of its own letters.
  for (const title of ['Counting', 'When?']) expect(preview.getByText(title).tagName).toBe('BDI');
  const answer = await preview.findByText('Mondays');
  expect(answer.closest('.rich-text')?.innerHTML).toBe('<p>On <strong>Mondays</strong></p>');
  expect(preview.queryByText('Old')).toBeNull();
  await user.click(preview.getByRole('checkbox', { name: 'Show what is hidden' }));
  await preview.findByRole('heading', { name: 'Old Inactive' });
  expect(asked).toEqual([{ hidden: 'false' }, { hidden: 'true' }]);
});

test('the preview of one FAQ that readers do not see says so [§2.16]', async () => {
  server.use(onRoute(faqRoutes.tree, () => ok([])));
  const { user } = renderFaqsPage();
  await findRow('Stock counts');
  await user.click(button('Preview: Stock counts'));
  await screen.findByText('Readers see nothing here yet: it is not published, or not active.');
});

test('the preview says of one reader that it was one [§2.16]', async () => {
  const one = tree(null, '<p>On Mondays</p>');
  const voted = { helpful: 1, unhelpful: 0 };
  const sections = one.sections.map((section) => ({
    ...section,
    questions: section.questions.map((question) => ({ ...question, ...voted })),
  }));
  server.use(onRoute(faqRoutes.tree, () => ok([{ ...one, sections }])));
  const { user } = renderFaqsPage();
  await findRow('Stock counts');
  await user.click(button('Preview'));
  const preview = within(await findDialog('Preview'));
  await user.click(await preview.findByText('Counting'));
  await user.click(await preview.findByText('When?'));
  await preview.findByText('1 of 1 reader found this helpful.');
});
