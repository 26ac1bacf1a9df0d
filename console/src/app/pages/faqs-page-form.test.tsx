import { ALWAYS } from '@apotheca/contract/faq-content';
import { faqRoutes } from '@apotheca/contract/faqs';
import { screen } from '@testing-library/react';
import type { HttpResponse } from 'msw';
import { beforeAll, expect, test } from 'vitest';
import { makeFaq } from '../../testing/faqs.ts';
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
import { field, fill, findField } from '../../testing/fields.ts';
import { findEditor, pasteHtml, stubLayout } from '../../testing/rich-text.ts';
import { failed, keepBodies, mockServer, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { changedByBob, refusedAsStale } from '../../testing/stale.ts';
import { findRow } from '../../testing/table.ts';

beforeAll(stubLayout);

mockServer(listHeld());

test('a new FAQ is sent with its defaults; the message is shown and the list loaded again [§4]', async () => {
  const { user } = renderFaqsPage();
  await findRow('Stock counts');
  await user.click(button('Create FAQ'));
  await findDialog('Create FAQ');
  expect(field('Active').checked).toBe(true);
  expect(field('Is Published').checked).toBe(true);
  const bodies = keepBodies(faqRoutes.create, 'Success! FAQ has been Created.');
  fill('FAQ Name', 'Orders');
  fill('FAQ Code', 'ORD');
  await pasteHtml('Overview', '<p>All about <strong>orders</strong>.</p>');
  await user.selectOptions(field('Shown To'), 'Rx');
  fill('Publish At', '2027-01-31T08:15');
  await user.click(field('Is Published'));
  held.faqs = [stock, odd, makeFaq({ name: 'Orders' })];
  await user.click(button('Create'));
  await screen.findByText('Success! FAQ has been Created.');
  expect(bodies).toEqual([
    {
      name: 'Orders',
      code: 'ORD',
      overview: '<p>All about <strong>orders</strong>.</p>',
      module: 'Rx',
      isActive: true,
      published: false,
      publishAtUtc: new Date('2027-01-31T08:15').toISOString(),
      publishUntilUtc: null,
      createdBy: signedIn().id,
    },
  ]);
  await screen.findByText('Displaying 3 of 3 results');
  await dialogClosed();
  expect(document.activeElement).toBe(button('Create FAQ'));
});

test('a moment without its time is refused at its field, and nothing is sent [§5]', async () => {
  const { user } = renderFaqsPage();
  await findRow('Stock counts');
  await user.click(button('Create FAQ'));
  await findDialog('Create FAQ');
  const bodies = keepBodies(faqRoutes.create, 'Success! FAQ has been Created.');
  fill('FAQ Name', 'Orders');
  fill('FAQ Code', 'ORD');
  const moment = field('Publish At');
  const validity = (badInput: boolean) =>
    Object.defineProperty(moment, 'validity', { value: { badInput }, configurable: true });
  validity(true);
  await user.click(button('Create'));
  const refusal = 'The date or time is incomplete or does not exist: complete it, or clear it';
  expect(document.getElementById(moment.getAttribute('aria-describedby')?.split(' ')[0] ?? '')?.textContent).toBe(
    refusal,
  );
  expect(document.activeElement).toBe(moment);
  expect(bodies).toEqual([]);
  validity(false);
  fill('Publish At', '2027-01-31T08:15');
  expect(screen.queryByText(refusal)).toBeNull();
  await user.click(button('Create'));
  await screen.findByText('Success! FAQ has been Created.');
  expect(bodies).toMatchObject([{ publishAtUtc: new Date('2027-01-31T08:15').toISOString() }]);
});

test('a moment in a year of five digits is refused at its field [§5]', async () => {
  const { user } = renderFaqsPage();
  await findRow('Stock counts');
  await user.click(button('Create FAQ'));
  await findDialog('Create FAQ');
  const bodies = keepBodies(faqRoutes.create, 'Success! FAQ has been Created.');
  fill('FAQ Name', 'Orders');
  fill('FAQ Code', 'ORD');
  fill('Publish At', '20266-01-31T08:15');
  await user.click(button('Create'));
  await screen.findByText(/^Publish At must be a moment/);
  expect(field('Publish At').max).toBe('9999-12-31T23:59');
  expect(bodies).toEqual([]);
});

test('a missing value is reported at its field [§5]', async () => {
  const { user } = renderFaqsPage();
  await findRow('Stock counts');
  await user.click(button('Create FAQ'));
  await user.click(await screen.findByRole('button', { name: 'Create' }));
  await screen.findByText('FAQ Name is Required');
  screen.getByText('FAQ Code is Required');
});

test('a refusal that names a field is shown there alone; another one by a toast [§8]', async () => {
  const message = 'An FAQ with this code exists already.';
  server.use(onRoute(faqRoutes.create, () => failed(409, message, { code: [message] })));
  const { user } = renderFaqsPage();
  await findRow('Stock counts');
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
  expect((await screen.findByRole('alert')).textContent).toContain('The database cannot be reached.');
});

test('an edit starts with the stored values, is not dirty, and keeps fields that it does not show [§4]', async () => {
  const { user } = renderFaqsPage();
  await findRow('Stock counts');
  await user.click(button('Edit FAQ: Stock counts'));
  await findDialog('Edit FAQ');
  expect((await findEditor('Overview')).textContent).toBe('On counting.');
  await user.click(button('Cancel'));
  await dialogClosed();
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
      module: null,
      ...ALWAYS,
      version: 3,
      updatedBy: signedIn().id,
    },
  ]);
});

test('closing asks before typed text is lost [§4]', async () => {
  const { user } = renderFaqsPage();
  await findRow('Stock counts');
  await user.click(button('Create FAQ'));
  await pasteHtml('Overview', '<p>much</p>');
  await user.click(button('Cancel'));
  screen.getByText('Discard changes?');
});

test('a link that is typed and not applied is neither saved over nor lost unasked [§4]', async () => {
  const { user } = renderFaqsPage();
  await findRow('Stock counts');
  await user.click(button('Edit FAQ: Stock counts'));
  const bodies = keepBodies(faqRoutes.edit, 'Success! FAQ has been Updated.');
  await findEditor('Overview');
  fill('FAQ Name', 'Counts');
  await user.click(button('Link'));
  const address = screen.getByRole('textbox', { name: 'Address of the link' });
  await user.type(address, 'https://a.test/');
  await user.click(button('Edit'));
  await screen.findByText('This is not in the text yet: press Apply or Cancel first.');
  expect(document.activeElement).toBe(address);
  await user.click(button('Apply'));
  await user.click(button('Edit'));
  await screen.findByText('Success! FAQ has been Updated.');
  expect(bodies).toEqual([expect.objectContaining({ overview: expect.stringContaining('href="https://a.test/"') })]);
});

test('closing asks before a link that is not applied is lost [§4]', async () => {
  const { user } = renderFaqsPage();
  await findRow('Stock counts');
  await user.click(button('Edit FAQ: Stock counts'));
  await findEditor('Overview');
  await user.click(button('Link'));
  await user.click(button('Close'));
  expect(screen.queryByText('Discard changes?')).toBeNull();
  await user.click(button('Edit FAQ: Stock counts'));
  await findEditor('Overview');
  await user.click(button('Link'));
  await user.type(screen.getByRole('textbox', { name: 'Address of the link' }), 'a');
  await user.click(button('Close'));
  screen.getByText('Discard changes?');
});

test('an edit of an FAQ that another user has changed shows the change in words [DECISIONS §11]', async () => {
  const { user } = renderFaqsPage();
  await findRow('Stock counts');
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

test('a second click while saving sends nothing [§2.20]', async () => {
  let calls = 0;
  server.use(
    onRoute(faqRoutes.create, () => {
      calls += 1;
      return new Promise<HttpResponse<null>>(() => {});
    }),
  );
  const { user } = renderFaqsPage();
  await findRow('Stock counts');
  await user.click(button('Create FAQ'));
  await findField('FAQ Name');
  fill('FAQ Name', 'Orders');
  fill('FAQ Code', 'ORD');
  await user.click(button('Create'));
  await screen.findByText('Saving');
  await user.click(button('Create'));
  expect(calls).toBe(1);
});
