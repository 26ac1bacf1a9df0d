import { ALWAYS } from '@apotheca/contract/faq-content';
import { type FaqSection, faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { faqRoutes } from '@apotheca/contract/faqs';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeAll, expect, test } from 'vitest';
import { api } from '../../api/http/client.ts';
import { makeFaq, makeSection } from '../../testing/faqs.ts';
import { field, fill, findField } from '../../testing/fields.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { findEditor, stubLayout } from '../../testing/rich-text.ts';
import { failed, keepBodies, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { faqPath, PATHS } from '../navigation/paths.ts';
import { FaqSectionsPage } from './faq-sections-page.tsx';

beforeAll(stubLayout);

const stock = makeFaq({ name: 'Stock counts' });
const orders = makeFaq({ name: 'Orders' });
const NAMES = ['Counting', 'Corrections', 'Reports'];

/** The data of the mocked server. */
let sections: FaqSection[] = [];
const made = () =>
  NAMES.map((name, sortOrder) => makeSection(stock.id, { name, code: `C${sortOrder}`, sortOrder, icon: 'box' }));

mockServer(
  onRoute(faqRoutes.list, () => ok([stock, orders])),
  onRoute(faqSectionRoutes.list, () => ok(sections)),
);

function renderPage(held = made(), route = faqPath({ faqId: stock.id, faqName: 'An older name' })) {
  sections = held;
  return renderWithStore(<FaqSectionsPage />, { route, path: PATHS.faq });
}

const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) });
const button = (name: string) => screen.getByRole('button', { name });
const namesShown = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent);
const isOff = (name: string) => button(name).ariaDisabled === 'true';

/** Moves rows of the mocked server, as the real one does; each move is answered once `gate` is open. */
function answerMoves(gate: Promise<void> = Promise.resolve()) {
  const moves: string[] = [];
  server.use(
    onRoute(faqSectionRoutes.move, async ({ request }) => {
      const { id, moveUp } = Object.fromEntries(new URL(request.url).searchParams);
      const from = sections.findIndex((section) => section.id === id);
      moves.push(`${sections[from]?.name} ${moveUp}`);
      await gate;
      const next = [...sections];
      const [moved] = next.splice(from, 1);
      if (moved) next.splice(from + (moveUp === 'true' ? -1 : 1), 0, moved);
      sections = next.map((section, sortOrder) => ({ ...section, sortOrder }));
      return ok({ id }, 'Moved.');
    }),
  );
  return moves;
}

test("lists the sections of the FAQ in the address, under the FAQ's present name [§2.17]", async () => {
  const { user } = renderPage();
  const cells = within(await row('Counting')).getAllByRole('cell');
  expect(cells.slice(0, 4).map(({ textContent }) => textContent)).toEqual(['C0', '0', 'Active', 'Yes']);
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Section Name',
    'Section Code',
    'Sort Order',
    'Active',
    'Published',
    'Actions',
  ]);
  screen.getByRole('heading', { level: 1, name: 'Section Management' });
  screen.getByText('Stock counts');
  expect(screen.queryByText('An older name')).toBeNull();
  screen.getByText('Displaying 3 of 3 results');
  const crumbs = within(screen.getByRole('navigation')).getAllByRole('listitem');
  expect(crumbs.map(({ textContent }) => textContent)).toEqual(['Home', "FAQ's Management", 'Section Management']);
  expect(screen.getByRole('link', { name: "FAQ's Management" }).getAttribute('href')).toBe('/faqs');
  await user.click(button('More actions for Counting'));
  const items = screen.getAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'View Section Q&A: Counting',
    'History of Counting',
    'Delete: Counting',
  ]);
  for (const link of [items[0], screen.getByRole('link', { name: 'Counting' })]) {
    expect(link?.getAttribute('href')).toBe(`/section/Stock%20counts/Counting/${sections[0]?.id}`);
  }
});

test.each([
  ['an id that no FAQ has', '00000000-0000-4000-a000-000000000000'],
  ['an id that is none', 'nonsense'],
])('%s leads back to the FAQs [§2.17]', async (_what, faqId) => {
  renderPage([], faqPath({ faqId, faqName: 'Gone' }));
  await screen.findByText('FAQ not found');
  expect(screen.getByRole('link', { name: "Back to FAQ's Management" }).getAttribute('href')).toBe('/faqs');
  expect(screen.queryByRole('button', { name: 'Create Section' })).toBeNull();
});

test('FAQs that could not be loaded can be loaded again [§8]', async () => {
  server.use(onRoute(faqRoutes.list, () => failed(503, 'The database cannot be reached.')));
  const { user } = renderPage();
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  server.use(onRoute(faqRoutes.list, () => ok([stock])));
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  await row('Counting');
});

test('the first section cannot move up, the last not down [§2.17]', async () => {
  renderPage();
  await row('Counting');
  expect(isOff('Move Up: Counting')).toBe(true);
  expect(isOff('Move Down: Counting')).toBe(false);
  expect(isOff('Move Up: Reports')).toBe(false);
  expect(isOff('Move Down: Reports')).toBe(true);
});

test('a move is shown at once, sent and told, and the focus moves along [§4]', async () => {
  const { user } = renderPage();
  const moves = answerMoves();
  await row('Counting');
  await user.click(button('Move Up: Corrections'));
  await waitFor(() => expect(namesShown()).toEqual(['Corrections', 'Counting', 'Reports']));
  await waitFor(() => expect(moves).toEqual(['Corrections true']));
  await screen.findByText('Moved.');
  expect(document.activeElement).toBe(button('Move Up: Corrections'));
  expect(isOff('Move Up: Corrections')).toBe(true);
  await waitFor(() => expect(namesShown()).toEqual(['Corrections', 'Counting', 'Reports']));
});

test('quick clicks queue: each is sent when the one before is answered [§4]', async () => {
  const { user } = renderPage();
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const moves = answerMoves(gate);
  await row('Reports');
  await user.click(button('Move Up: Reports'));
  await user.click(button('Move Up: Reports'));
  await user.click(button('Move Up: Corrections'));
  await waitFor(() => expect(namesShown()).toEqual(['Reports', 'Corrections', 'Counting']));
  expect(moves).toEqual(['Reports true']);
  open();
  await waitFor(() => expect(moves).toEqual(['Reports true', 'Reports true', 'Corrections true']));
  expect(namesShown()).toEqual(['Reports', 'Corrections', 'Counting']);
});

test('a refused move says why and cancels the waiting ones, and the list is as before [§8]', async () => {
  let calls = 0;
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  server.use(
    onRoute(faqSectionRoutes.move, async () => {
      calls += 1;
      await gate;
      return failed(403, 'The permission faqs.write is missing.');
    }),
  );
  const { user } = renderPage();
  await row('Reports');
  await user.dblClick(button('Move Up: Reports'));
  open();
  await screen.findByText('The permission faqs.write is missing.');
  await waitFor(() => expect(namesShown()).toEqual(NAMES));
  expect(calls).toBe(1);
});

test('while the list is filtered nothing moves, and the buttons say why [§2.17]', async () => {
  const { user } = renderPage();
  await row('Counting');
  await user.type(screen.getByRole('searchbox', { name: 'Filter sections' }), 'correct');
  await screen.findByText('Displaying 1 of 3 results');
  expect(isOff('Move Up: Corrections (clear the filter first)')).toBe(true);
});

test('nor does it while a value of a column hides rows [§2.17]', async () => {
  const held = made().map((section) => ({ ...section, published: section.name !== 'Corrections' }));
  renderPage(held, `${faqPath({ faqId: stock.id, faqName: stock.name })}?published=yes`);
  await row('Reports');
  expect(namesShown()).toEqual(['Counting', 'Reports']);
  expect(isOff('Move Up: Reports (clear the filter first)')).toBe(true);
});

test('a new section has the FAQ of the page and the defaults, and is sent with both [§2.19]', async () => {
  const { user } = renderPage();
  await row('Counting');
  await user.click(button('Create Section'));
  await screen.findByRole('dialog', { name: 'Create Section' });
  expect((await findField('FAQ')).value).toBe(stock.id);
  expect([...field('FAQ').options].map(({ textContent }) => textContent)).toEqual([
    'Select FAQ',
    'Stock counts',
    'Orders',
  ]);
  expect(field('Sort Order').value).toBe('0');
  expect(screen.getByText('0 puts it at the end')).toBeTruthy();
  const editor = await findEditor('Overview');
  expect(editor.getAttribute('aria-placeholder')).toBe('Enter the Answer');
  expect(editor.getAttribute('aria-required')).toBeNull();
  const bodies = keepBodies(faqSectionRoutes.create, 'Success! Section has been Created.');
  fill('Section Name', 'Labels');
  fill('Section Code', 'LAB');
  await user.click(button('Create'));
  await screen.findByText('Success! Section has been Created.');
  expect(bodies).toEqual([
    {
      faqId: stock.id,
      name: 'Labels',
      code: 'LAB',
      overview: '',
      icon: '',
      sortOrder: 0,
      isActive: true,
      published: true,
      ...ALWAYS,
      createdBy: signedIn().id,
    },
  ]);
});

test('the messages are those of the spec, letter by letter [§5]', async () => {
  const { user } = renderPage();
  await row('Counting');
  await user.click(button('Create Section'));
  await findField('Section Name');
  fill('FAQ', '');
  fill('Sort Order', '');
  await user.click(button('Create'));
  await screen.findByText('FQA is Required');
  screen.getByText('Section Name is Required');
  screen.getByText('Section Code is Required');
  screen.getByText('Sort Order is Required');
  fill('Sort Order', '-1');
  await screen.findByText('Sort Order must be greater than 0');
});

test('an edit keeps code and icon, and sends no sort order that was not typed [§4]', async () => {
  const { user } = renderPage();
  await row('Corrections');
  await user.click(button('Edit: Corrections'));
  await findField('Section Name');
  expect(field('Section Code').value).toBe('C1');
  const bodies: Record<string, unknown>[] = [];
  server.use(
    onRoute(faqSectionRoutes.edit, async ({ request }) => {
      bodies.push(Object(await request.json()));
      return ok({ id: sections[1]?.id }, 'Success! Section has been Updated.');
    }),
  );
  fill('Section Name', 'Mistakes');
  await user.click(button('Edit'));
  await screen.findByText('Success! Section has been Updated.');
  await user.click(button('Edit: Corrections'));
  await findField('Section Name');
  fill('Sort Order', '2');
  await user.click(button('Edit'));
  await waitFor(() => expect(bodies).toHaveLength(2));
  expect(bodies[0]).toMatchObject({ name: 'Mistakes', code: 'C1', icon: 'box', version: 3 });
  expect(bodies[0]).not.toHaveProperty('sortOrder');
  expect(bodies[1]).toMatchObject({ name: 'Corrections', sortOrder: 2 });
});

test('typed text stays when the FAQ is deleted meanwhile [§8]', async () => {
  const { user } = renderPage();
  await row('Counting');
  await user.click(button('Edit: Counting'));
  await findField('Section Name');
  fill('Section Name', 'Counting twice');
  server.use(
    onRoute(faqRoutes.list, () => ok([orders])),
    onRoute(faqSectionRoutes.edit, () => failed(404, 'There is no such section.')),
  );
  await user.click(button('Edit'));
  await screen.findByText('FAQ not found');
  expect(field('Section Name').value).toBe('Counting twice');
});

test("Back to another FAQ's sections closes the dialog, which would save into that one [§2.17]", async () => {
  const { user, router } = renderPage(made(), faqPath({ faqId: orders.id, faqName: orders.name }));
  await row('Counting');
  await act(() => router.navigate(faqPath({ faqId: stock.id, faqName: stock.name })));
  await screen.findByText('Stock counts');
  await user.click(button('Create Section'));
  await screen.findByRole('dialog');
  await act(() => router.navigate(-1));
  expect(router.state.location.pathname).toContain(orders.id);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a section is deleted after a confirmation; a refusal is shown [§4]', async () => {
  const planOf = (questions: number) =>
    onRoute(faqSectionRoutes.planDeletion, () =>
      ok({ sections: 1, questions, digest: 'd' }, `${questions} questions go along.`),
    );
  server.use(
    planOf(4),
    onRoute(faqSectionRoutes.delete, () => failed(403, 'Not allowed.')),
  );
  const { user } = renderPage();
  await row('Counting');
  await user.click(button('More actions for Counting'));
  await user.click(screen.getByRole('menuitem', { name: 'Delete: Counting' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Delete FAQ Section' }));
  await asked.findByText('4 questions go along.');
  server.use(planOf(5));
  await user.click(asked.getByRole('button', { name: 'Delete FAQ Section' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Not allowed.');
  server.use(
    onRoute(faqSectionRoutes.delete, () => {
      sections = sections.slice(1);
      return ok({ id: stock.id }, 'Section deleted with 4 questions.');
    }),
  );
  // After a refusal the plan is loaded again; until then nothing can be deleted.
  await asked.findByText('5 questions go along.');
  await user.click(asked.getByRole('button', { name: 'Delete FAQ Section' }));
  await screen.findByText('Section deleted with 4 questions.');
  await screen.findByText('Displaying 2 of 2 results');
});

test('nothing can be submitted while the choices are not loaded [§8]', async () => {
  const { user } = renderPage();
  await row('Counting');
  server.use(onRoute(faqSectionRoutes.create, () => HttpResponse.error()));
  await user.click(button('Create Section'));
  await findField('Section Name');
  fill('Section Name', 'Labels');
  fill('Section Code', 'LAB');
  await user.click(button('Create'));
  await waitFor(() => expect(button('Create').ariaBusy).toBeNull());
  expect(field('Section Name').value).toBe('Labels');
});

test('an FAQ whose list is refused is not shown any more [DECISIONS §5]', async () => {
  const { store } = renderPage();
  await row('Counting');
  server.use(onRoute(faqRoutes.list, () => failed(403, "You need the permission 'faqs.read'.")));
  act(() => void store.dispatch(api.util.invalidateTags(['Faqs'])));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain("You need the permission 'faqs.read'."));
  expect(screen.queryByText('Stock counts')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Create Section' })).toBeNull();
});
