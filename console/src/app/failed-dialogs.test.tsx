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
import { renderInRoot } from '../testing/render-in-root.tsx';
import { stubLayout } from '../testing/rich-text.ts';
import { failed, mockServer, onRoute, server } from '../testing/server.ts';
import { AppRoutes } from './router.tsx';

mockServer(...oneOfEach);
beforeEach(stubLayout);

const AWAY = 'The database cannot be reached.';

test.each<[string, string, ContractRoute]>([
  ['Edit Tenant', 'Save', tenantRoutes.edit],
  ['Duplicate Tenant', 'Duplicate', databaseRoutes.copy],
  ['Edit User', 'Save', userRoutes.edit],
  ['Duplicate User', 'Duplicate', userRoutes.duplicate],
  ['Delete User', 'Delete', userRoutes.delete],
  ['Rename Database', 'Rename', databaseRoutes.rename],
  ['Clone Database', 'Clone', databaseRoutes.copy],
  ['Back up Database', 'Back up', backupRoutes.create],
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
])('%s that failed says why, for as long as it stands there [§8]', async (title, button, route) => {
  const dialog = DIALOGS.find((one) => one.title === title);
  if (!dialog) throw new Error(`There is no dialog ${title}`);
  server.use(onRoute(route, () => failed(503, AWAY)));
  renderInRoot(<AppRoutes />, { route: dialog.at });
  await openDialog(dialog);
  const shown = within(screen.getByRole('dialog', { name: title }));
  const confirm = shown.getByRole<HTMLButtonElement>('button', { name: button });
  await waitFor(() => expect(confirm.disabled).toBe(false));
  fireEvent.click(confirm);
  await shown.findByText(AWAY);
  await waitFor(() => expect(confirm.getAttribute('aria-disabled')).not.toBe('true'));
});
