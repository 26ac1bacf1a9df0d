import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { faqRoutes } from '@apotheca/contract/faqs';
import { permissionRoutes } from '@apotheca/contract/permissions';
import type { ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userRoutes } from '@apotheca/contract/users';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { DIALOGS, oneOfEach, openDialog } from '../testing/every-dialog.ts';
import { field, fill } from '../testing/fields.ts';
import { IS_LONG_RUN } from '../testing/long-run.ts';
import { renderInRoot } from '../testing/render-in-root.tsx';
import { pasteHtml, stubLayout } from '../testing/rich-text.ts';
import { failed, mockServer, ok, onRoute, server } from '../testing/server.ts';
import { ROLE_IDS } from '../testing/users.ts';
import { AppRoutes } from './router.tsx';

mockServer(...oneOfEach);
beforeEach(stubLayout);

const AWAY = 'The database cannot be reached. Please try again.';
const STILL_AWAY = 'The database still cannot be reached. Please try again.';

/** Fills in fields by their labels, and waits for choices that are still loaded. */
const filled = (fields: Record<string, string>) => async () => {
  for (const [label, value] of Object.entries(fields)) {
    await waitFor(() => {
      fill(label, value);
      expect(field(label).value).toBe(value);
    });
  }
};

type Attempt = [title: string, button: string, ContractRoute, complete?: () => Promise<unknown>];
/** The dialogs that begin something: their button and its call, and what fills in what else the form needs. */
const ATTEMPTS: Attempt[] = [
  [
    'Create Tenant',
    'Create',
    tenantRoutes.create,
    filled({
      'Customer Name/Code': 'Silver Lake',
      'Tenant Code': 'SILVERLAKE',
      'First Name': 'Ines',
      'Last Name': 'Moreau',
      Email: 'ines@silverlake.test',
      Phone: '(425) 555-0100',
      EMR: 'epic',
      'Time Zone': 'UTC',
    }),
  ],
  [
    'Create User',
    'Create',
    userRoutes.create,
    filled({
      'User Name': 'ines',
      Password: 'correct horse',
      'Confirm Password': 'correct horse',
      'Last Name': 'Moreau',
      Credentials: 'MD',
      'Clinical Role': 'physician',
      'Access Role': ROLE_IDS.viewer,
    }),
  ],
  [
    'Restore Database',
    'Restore as COPY',
    backupRoutes.restore,
    async () => fireEvent.click(await screen.findByRole('radio', { name: /TRAINING/ })),
  ],
  ['Create Permission', 'Create', permissionRoutes.create, filled({ 'Permission Module': 'Inventory' })],
  ['Create Menu', 'Create', permissionRoutes.create, filled({ 'Menu Icon': 'pill' })],
  ['Create FAQ', 'Create', faqRoutes.create, filled({ 'FAQ Code': 'FRIDGE' })],
  ['Create Section', 'Create', faqSectionRoutes.create, filled({ 'Section Code': 'FRIDGE' })],
  [
    'Create Question & Answer',
    'Create',
    faqQuestionRoutes.create,
    () => pasteHtml('Answer', '<p>In the storeroom</p>'),
  ],
  ['Edit Tenant', 'Save', tenantRoutes.edit],
  ['Duplicate Tenant', 'Duplicate CEDARVA', databaseRoutes.copy],
  ['Edit User', 'Save', userRoutes.edit],
  ['Duplicate User', 'Duplicate grace', userRoutes.duplicate],
  ['Delete User', 'Delete grace', userRoutes.delete],
  ['Rename Database', 'Rename TRAINING', databaseRoutes.rename],
  ['Clone Database', 'Clone TRAINING', databaseRoutes.copy],
  ['Back Up Database', 'Back up TRAINING', backupRoutes.create],
  ['Edit Permission', 'Save', permissionRoutes.edit],
  ['Delete Permission', 'Delete permission', permissionRoutes.delete],
  ['Edit Menu', 'Save', permissionRoutes.edit],
  ['Delete Menu', 'Delete menu', permissionRoutes.delete],
  ['Edit FAQ', 'Edit', faqRoutes.edit],
  ['Delete FAQ', 'Delete FAQ', faqRoutes.delete],
  ['Edit Section', 'Edit', faqSectionRoutes.edit],
  ['Delete FAQ Section', 'Delete FAQ Section', faqSectionRoutes.delete],
  ['Edit Question & Answer', 'Edit', faqQuestionRoutes.edit],
  ['Delete Q&A', 'Delete Q&A', faqQuestionRoutes.delete],
];

/** In a long run all of them, otherwise every third. */
test.each(ATTEMPTS.filter((_, index) => IS_LONG_RUN || index % 3 === 0))(
  '%s keeps why its last attempt failed, with the server’s next step alone, and Retry makes the same attempt [§8] [DECISIONS §13]',
  async (title, button, route, complete) => {
    const dialog = DIALOGS.find((one) => one.title === title);
    if (!dialog) throw new Error(`There is no dialog ${title}`);
    const attempts: string[] = [];
    const keys: (string | null)[] = [];
    server.use(
      onRoute(route, async ({ request }) => {
        keys.push(request.headers.get('idempotency-key'));
        attempts.push(`${request.method} ${request.url} ${await request.text()}`);
        return failed(503, attempts.length === 1 ? AWAY : STILL_AWAY);
      }),
    );
    renderInRoot(<AppRoutes />, { route: dialog.at });
    await openDialog(dialog);
    await complete?.();
    const shown = within(screen.getByRole('dialog', { name: title }));
    const confirm = shown.getByRole<HTMLButtonElement>('button', { name: button });
    await waitFor(() => expect(confirm.disabled).toBe(false));
    fireEvent.click(confirm);
    const cause = await shown.findByText(AWAY);
    await waitFor(() => expect(confirm.getAttribute('aria-disabled')).not.toBe('true'));
    // The server's text has the next step: none stands beside it.
    expect(cause.parentElement?.textContent?.trim()).toBe(AWAY);

    // A plan may be loaded anew first.
    fireEvent.click(await shown.findByRole('button', { name: 'Retry' }));
    await shown.findByText(STILL_AWAY);
    expect(shown.queryByText(AWAY)).toBeNull();
    expect(attempts).toHaveLength(2);
    expect(attempts[1]).toBe(attempts[0]);
    // The first one may have been done all the same.
    expect(keys).toEqual(route.keyed ? [expect.any(String), keys[0]] : [null, null]);
  },
);

test('Retry leaves the focus in the dialog, and has it again when it fails again [§2.7] [§8]', async () => {
  const dialog = DIALOGS.find((one) => one.title === 'Delete User');
  if (!dialog) throw new Error('There is no such dialog');
  server.use(onRoute(userRoutes.delete, () => failed(503, AWAY)));
  const { user } = renderInRoot(<AppRoutes />, { route: dialog.at });
  await openDialog(dialog);
  const box = screen.getByRole('dialog', { name: dialog.title });
  const shown = within(box);
  fireEvent.click(shown.getByRole('button', { name: 'Delete grace' }));
  const retry = await shown.findByRole('button', { name: 'Retry' });
  const answer = Promise.withResolvers<void>();
  server.use(
    onRoute(userRoutes.delete, async () => {
      await answer.promise;
      return failed(503, STILL_AWAY);
    }),
  );
  retry.focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(retry.isConnected).toBe(false));
  expect(document.activeElement).toBe(box);
  answer.resolve();
  await shown.findByText(STILL_AWAY);
  expect(document.activeElement).toBe(shown.getByRole('button', { name: 'Retry' }));
});

test('a retry that succeeds closes the dialog; what can never succeed offers none [§8] [DECISIONS §13]', async () => {
  const dialog = DIALOGS.find((one) => one.title === 'Delete User');
  if (!dialog) throw new Error('There is no such dialog');
  server.use(onRoute(userRoutes.delete, () => failed(503, AWAY)));
  renderInRoot(<AppRoutes />, { route: dialog.at });
  await openDialog(dialog);
  const shown = within(screen.getByRole('dialog', { name: dialog.title }));
  fireEvent.click(shown.getByRole('button', { name: 'Delete grace' }));
  await shown.findByText(AWAY);
  server.use(onRoute(userRoutes.delete, () => failed(404, 'There is no such record.')));
  fireEvent.click(shown.getByRole('button', { name: 'Retry' }));
  await shown.findByText('There is no such record.');
  expect(shown.getByText(/it may have been deleted meanwhile/)).toBeDefined();
  expect(shown.queryByRole('button', { name: 'Retry' })).toBeNull();

  server.use(onRoute(userRoutes.delete, () => failed(503, AWAY)));
  fireEvent.click(shown.getByRole('button', { name: 'Delete grace' }));
  await shown.findByText(AWAY);
  server.use(onRoute(userRoutes.delete, () => ok({ id: '1' }, 'Success!')));
  fireEvent.click(shown.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
