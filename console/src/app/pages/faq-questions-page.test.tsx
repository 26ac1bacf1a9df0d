import { ALWAYS } from '@apotheca/contract/faq-content';
import { type FaqQuestion, faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { faqRoutes } from '@apotheca/contract/faqs';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, expect, test } from 'vitest';
import { api } from '../../api/http/client.ts';
import { makeFaq, makeQuestion, makeSection, withFaqName } from '../../testing/faqs.ts';
import { field, fill, findField, optionsOf } from '../../testing/fields.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { findEditor, pasteHtml, stubLayout } from '../../testing/rich-text.ts';
import { failed, keepBodies, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { changedByBob, refusedAsStale } from '../../testing/stale.ts';
import { PATHS, sectionPath } from '../navigation/paths.ts';
import { FaqQuestionsPage } from './faq-questions-page.tsx';

beforeAll(stubLayout);

const stock = makeFaq({ name: 'Stock/counts' });
const orders = makeFaq({ name: 'Orders' });
const counting = makeSection(stock.id, { name: 'Counting' });
const buying = makeSection(orders.id, { name: 'Buying' });
const often = makeQuestion(counting, { question: 'How often?', sortOrder: 0 });
const who = makeQuestion(counting, { question: 'Who counts?', sortOrder: 1, published: false });

/** The data of the mocked server. */
let questions: FaqQuestion[] = [];

mockServer(
  onRoute(faqRoutes.list, () => ok([stock, orders])),
  onRoute(faqSectionRoutes.find, () => ok(withFaqName(counting, stock.name))),
  onRoute(faqSectionRoutes.list, ({ request }) =>
    ok(new URL(request.url).searchParams.get('faqId') === stock.id ? [counting] : [buying]),
  ),
  onRoute(faqQuestionRoutes.list, () => ok(questions)),
);

function renderPage(held = [often, who], filter = '') {
  questions = held;
  const route = sectionPath({ faqName: 'Old', sectionName: 'Old name', sectionId: counting.id }) + filter;
  return renderWithStore(<FaqQuestionsPage />, { route, path: PATHS.section });
}

const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) });
const button = (name: string) => screen.getByRole('button', { name });

test('lists the questions of the section in the address, with a link back to its FAQ [§2.18]', async () => {
  renderPage();
  const cells = within(await row('Who counts')).getAllByRole('cell');
  expect(cells.slice(0, 3).map(({ textContent }) => textContent)).toEqual(['1', 'Active', 'No']);
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Question',
    'Sort Order',
    'Active',
    'Published',
    'Actions',
  ]);
  screen.getByRole('heading', { level: 1, name: 'Question & Answer Management' });
  screen.getByText('Stock/counts › Counting');
  const crumbs = within(screen.getByRole('navigation')).getAllByRole('link');
  expect(crumbs.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Home', '/'],
    ["FAQ's Management", '/faqs'],
    ['Section Management', `/faq/Stock%2Fcounts/${stock.id}`],
  ]);
  screen.getByText('Displaying 2 of 2 results');
});

test.each([404, 400])('a section that does not exist (%i) leads back to the FAQs [§2.18]', async (status) => {
  server.use(onRoute(faqSectionRoutes.find, () => failed(status, 'Not found.')));
  renderPage();
  await screen.findByText('Section not found');
  screen.getByRole('link', { name: "Back to FAQ's Management" });
});

test('a question moves by its buttons [§2.18]', async () => {
  const { user } = renderPage();
  const queries: Record<string, string>[] = [];
  server.use(
    onRoute(faqQuestionRoutes.move, ({ request }) => {
      queries.push(Object.fromEntries(new URL(request.url).searchParams));
      questions = [
        { ...who, sortOrder: 0 },
        { ...often, sortOrder: 1 },
      ];
      return ok({ id: often.id }, 'Moved.');
    }),
  );
  await row('How often');
  await user.click(button('Move Down: How often?'));
  await screen.findByText('Moved.');
  await waitFor(() => expect(queries).toEqual([{ id: often.id, moveUp: 'false' }]));
  const shown = screen.getAllByRole('rowheader').map(({ textContent }) => textContent);
  expect(shown).toEqual(['Who counts?', 'How often?']);
});

test('while a value of a column hides questions nothing moves, and the buttons say why [§2.18]', async () => {
  renderPage([often, who], '?published=no');
  await row('Who counts');
  expect(screen.queryByRole('row', { name: /How often/ })).toBeNull();
  expect(button('Move Up: Who counts? (clear the filter first)').ariaDisabled).toBe('true');
});

test('a new question has FAQ and section of the page, and is sent with its answer [§2.19]', async () => {
  const { user } = renderPage();
  await row('How often');
  await user.click(button('Create Q&A'));
  const modal = await screen.findByRole('dialog', { name: 'Create Question & Answer' });
  expect(modal.querySelector('.modal-xl')).not.toBeNull();
  expect((await findField('FAQ')).value).toBe(stock.id);
  await waitFor(() => expect(field('Section').value).toBe(counting.id));
  expect(optionsOf('Section')).toEqual(['Select Section', 'Counting']);
  const bodies = keepBodies(faqQuestionRoutes.create, 'Success! Q&A has been Created.');
  fill('Question', 'Where?');
  await pasteHtml('Answer', '<p>In the <em>storeroom</em></p>');
  await user.click(button('Create'));
  await screen.findByText('Success! Q&A has been Created.');
  expect(bodies).toEqual([
    {
      faqId: stock.id,
      sectionId: counting.id,
      question: 'Where?',
      answer: '<p>In the <em>storeroom</em></p>',
      sortOrder: 0,
      isActive: true,
      published: true,
      ...ALWAYS,
      createdBy: signedIn().id,
    },
  ]);
});

test('the sections follow the FAQ; another FAQ, or none, clears the section [§2.19]', async () => {
  const { user } = renderPage();
  await row('How often');
  await user.click(button('Create Q&A'));
  await findField('Question');
  fill('FAQ', orders.id);
  await waitFor(() => expect(optionsOf('Section')).toEqual(['Select Section', 'Buying']));
  expect(field('Section').value).toBe('');
  fill('Section', buying.id);
  fill('FAQ', '');
  expect(field('Section').value).toBe('');
  expect(optionsOf('Section')).toEqual(['Select Section']);
  await user.click(button('Create'));
  await screen.findByText('FAQ is Required');
  screen.getByText('Section is Required');
  screen.getByText('Question is Required');
  screen.getByText('Answer is required');
});

test('sections that could not be loaded can be loaded again [§8]', async () => {
  server.use(onRoute(faqSectionRoutes.list, () => failed(503, 'The database cannot be reached.')));
  const { user } = renderPage();
  await row('How often');
  await user.click(button('Create Q&A'));
  await screen.findByText('The choices could not be loaded.');
  server.use(onRoute(faqSectionRoutes.list, () => ok([counting])));
  await user.click(button('Retry'));
  await waitFor(() => expect(field('Section').value).toBe(counting.id));
});

test('a refused answer shows the message at the editor, which gets the focus [§8]', async () => {
  server.use(onRoute(faqQuestionRoutes.edit, () => failed(400, 'Invalid.', { answer: ['Answer is required'] })));
  const { user } = renderPage();
  await row('How often');
  await user.click(button('Edit: How often?'));
  const editor = await findEditor('Answer');
  expect(editor.innerHTML).toBe('<p>Every <strong>week</strong>.</p>');
  fill('Question', 'How often at all?');
  await user.click(button('Edit'));
  await screen.findByText('Answer is required');
  await waitFor(() => expect(editor.getAttribute('aria-invalid')).toBe('true'));
  await waitFor(() => expect(document.activeElement).toBe(editor));
});

test('an edit overtaken by another user names the changed place in words and takes it over [DECISIONS §11]', async () => {
  server.use(
    onRoute(faqQuestionRoutes.edit, () =>
      refusedAsStale({
        version: 9,
        changes: [
          changedByBob('faqId', stock.id, orders.id),
          changedByBob('sectionId', counting.id, buying.id),
          changedByBob('answer', '<p>Every <strong>week</strong>.</p>', '<p>Daily</p>'),
        ],
      }),
    ),
  );
  const { user } = renderPage();
  await row('How often');
  await user.click(button('Edit: How often?'));
  await findField('Question');
  fill('Question', 'How often now?');
  await user.click(button('Edit'));
  await screen.findByText('FAQ: Stock/counts → Orders, by bob');
  screen.getByText('Answer: Every week . → Daily, by bob');
  await waitFor(() => expect(field('Section').value).toBe(buying.id));
  expect((await findEditor('Answer')).textContent).toBe('Daily');
  expect(field('Question').value).toBe('How often now?');
});

test("Back to another section's questions closes the dialog, which would save into that one [§2.18]", async () => {
  server.use(
    onRoute(faqSectionRoutes.find, ({ request }) => {
      const isBuying = new URL(request.url).searchParams.get('id') === buying.id;
      return ok(isBuying ? withFaqName(buying, orders.name) : withFaqName(counting, stock.name));
    }),
  );
  const { user, router } = renderPage();
  await row('Who counts');
  await act(() => router.navigate(sectionPath({ faqName: 'Orders', sectionName: 'Buying', sectionId: buying.id })));
  await screen.findByText('Orders › Buying');
  await user.click(button('Create Q&A'));
  await screen.findByRole('dialog');
  await act(() => router.navigate(-1));
  await screen.findByText('Stock/counts › Counting');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('typed text stays when the section is deleted meanwhile [§8]', async () => {
  const { user } = renderPage();
  await row('How often');
  await user.click(button('Edit: How often?'));
  await findField('Question');
  fill('Question', 'How often now?');
  await pasteHtml('Answer', '<p>Daily, not</p>');
  const gone = () => failed(404, 'There is no such section.');
  server.use(onRoute(faqQuestionRoutes.edit, gone), onRoute(faqSectionRoutes.find, gone));
  await user.click(button('Edit'));
  await screen.findByText('Section not found');
  expect(field('Question').value).toBe('How often now?');
  expect(screen.getByRole('textbox', { name: 'Answer' }).textContent).toContain('Daily, not');
});

test('a question is deleted after a confirmation [§4]', async () => {
  const { user } = renderPage();
  server.use(
    onRoute(faqQuestionRoutes.delete, ({ request }) => {
      expect(new URL(request.url).searchParams.get('id')).toBe(who.id);
      questions = [often];
      return ok({ id: who.id }, 'Q&A deleted.');
    }),
  );
  await row('Who counts');
  await user.click(button('More actions for Who counts?'));
  await user.click(screen.getByRole('menuitem', { name: 'Delete: Who counts?' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Delete Q&A' }));
  asked.getByText('The Q&A “Who counts?” is deleted for good.');
  await user.click(asked.getByRole('button', { name: 'Delete Q&A' }));
  await screen.findByText('Q&A deleted.');
  await screen.findByText('Displaying 1 of 1 results');
});

test('a section that is refused is not shown any more, and what is typed stays [DECISIONS §5]', async () => {
  const { user, store } = renderPage();
  await row('How often');
  await user.click(button('Create Q&A'));
  await findField('Question');
  fill('Question', 'Where?');
  server.use(onRoute(faqSectionRoutes.find, () => failed(403, "You need the permission 'faqs.read'.")));
  act(() => void store.dispatch(api.util.invalidateTags(['Faqs'])));
  await waitFor(() => expect(screen.queryByText('Stock/counts › Counting')).toBeNull());
  expect(screen.queryByText('How often?')).toBeNull();
  expect(screen.getByText("You need the permission 'faqs.read'.", { selector: '[role=alert] *' })).toBeDefined();
  expect(field('Question').value).toBe('Where?');
});
