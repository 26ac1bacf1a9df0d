import { accountRoutes } from '@apotheca/contract/account';
import { apiKeyRoutes } from '@apotheca/contract/api-keys';
import { auditRoutes } from '@apotheca/contract/audit';
import { authRoutes } from '@apotheca/contract/auth';
import { backupScheduleRoutes } from '@apotheca/contract/backup-schedules';
import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { faqRoutes } from '@apotheca/contract/faqs';
import { menuRoutes } from '@apotheca/contract/menus';
import { parkedDatabaseRoutes } from '@apotheca/contract/parked-databases';
import { permissionRoutes } from '@apotheca/contract/permissions';
import type { LISTS } from '@apotheca/contract/preferences';
import { roleRoutes } from '@apotheca/contract/roles';
import type { ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userRoutes } from '@apotheca/contract/users';
import { webhookRoutes } from '@apotheca/contract/webhooks';
import { screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiKeysCard } from '../../features/auth/keys/api-keys-card.tsx';
import { SessionsTable } from '../../features/auth/sessions/sessions-table.tsx';
import { BackupsTable } from '../../features/databases/backups/backups-table.tsx';
import { ParkedTable } from '../../features/databases/parking/parked-table.tsx';
import { BackupSchedulesTable } from '../../features/databases/schedules/backup-schedules-table.tsx';
import { DeliveriesModal } from '../../features/webhooks/deliveries-modal.tsx';
import { RightsProvider } from '../../rights/rights.tsx';
import { makeFaq, makeSection, withFaqName } from '../../testing/faqs.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { stubLayout } from '../../testing/rich-text.ts';
import { mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { STATUSES } from '../../testing/tenants.ts';
import { makeWebhook } from '../../testing/webhooks.ts';
import { faqPath, PATHS, ROLES_PATH, sectionPath, WEBHOOKS_PATH } from '../navigation/paths.ts';
import { AuditPage } from './audit-page.tsx';
import { DatabaseServersPage } from './database-servers-page.tsx';
import { DatabasesPage } from './databases-page.tsx';
import { FaqQuestionsPage } from './faq-questions-page.tsx';
import { FaqSectionsPage } from './faq-sections-page.tsx';
import { FaqsPage } from './faqs-page.tsx';
import { LicencesPage } from './licences-page.tsx';
import { MenusPage } from './menus-page.tsx';
import { PermissionsPage } from './permissions-page.tsx';
import { TenantsPage } from './tenants-page.tsx';
import { UsersPage } from './users-page.tsx';

beforeAll(stubLayout);

const stock = makeFaq({ name: 'Stock', code: 'STOCK' });
const counting = makeSection(stock.id, { name: 'Counting', code: 'COUNT' });

interface EmptyList {
  ui: ReactNode;
  call: ContractRoute;
  result?: unknown;
  route?: string;
  path?: string;
  says: string;
  hint: RegExp;
  /** The button that makes the first row; absent: nobody makes one here. */
  offers?: string;
  /** Part of the permission that a Viewer lacks for it; absent: everybody may. */
  needs?: string;
}

const EMPTY: Record<(typeof LISTS)[number] | 'menus', EmptyList> = {
  tenants: {
    ui: <TenantsPage />,
    call: tenantRoutes.list,
    says: 'No tenants yet',
    hint: /customer organisation/,
    offers: 'Create',
    needs: 'Create and edit tenants',
  },
  users: {
    ui: <UsersPage />,
    call: userRoutes.list,
    says: 'No users yet',
    hint: /sign in here/,
    offers: 'Create',
    needs: 'Create and edit users',
  },
  sessions: { ui: <SessionsTable />, call: authRoutes.listSessions, says: 'No open sessions', hint: /can be ended/ },
  'api-keys': {
    ui: <ApiKeysCard owner={{ name: 'ada', isService: false }} />,
    call: apiKeyRoutes.list,
    result: { keys: [], scopes: [] },
    says: 'No API keys yet',
    hint: /nobody signs in/,
    offers: 'Create API Key',
  },
  databases: {
    ui: <DatabasesPage />,
    call: databaseRoutes.list,
    says: 'No databases yet: every tenant comes with one',
    hint: /from a database elsewhere/,
    offers: 'Restore Database',
    needs: 'Restore databases',
  },
  backups: {
    ui: <BackupsTable onRestore={() => undefined} />,
    call: backupRoutes.list,
    says: 'No backups yet',
    hint: /at one moment/,
  },
  'backup-schedules': {
    ui: <BackupSchedulesTable />,
    call: backupScheduleRoutes.list,
    says: 'No databases yet: every tenant comes with one',
    hint: /schedule of its own/,
  },
  'parked-databases': {
    ui: <ParkedTable />,
    call: parkedDatabaseRoutes.listParked,
    says: 'No database is parked',
    hint: /put back/,
  },
  licences: {
    ui: <LicencesPage />,
    call: tenantRoutes.list,
    says: 'No licences yet: they come with tenants',
    hint: /subscribed/,
    offers: 'Create the first tenant',
    needs: 'Create and edit tenants',
  },
  permissions: {
    ui: <PermissionsPage />,
    call: permissionRoutes.list,
    result: { permissions: [] },
    says: 'No permissions found!',
    hint: /allowed to do/,
    offers: 'Create Permission',
    needs: 'Change permissions',
  },
  roles: {
    ui: <PermissionsPage />,
    call: roleRoutes.list,
    route: ROLES_PATH,
    says: 'No roles found!',
    hint: /may do/,
    offers: 'Create Role',
    needs: 'Change permissions',
  },
  faqs: {
    ui: <FaqsPage />,
    call: faqRoutes.list,
    says: 'No FAQs found!',
    hint: /questions and answers/,
    offers: 'Create FAQ',
    needs: 'Create and edit FAQs',
  },
  sections: {
    ui: <FaqSectionsPage />,
    call: faqSectionRoutes.list,
    route: faqPath({ faqName: 'Stock', faqId: stock.id }),
    path: PATHS.faq,
    says: 'No sections found!',
    hint: /chapter/,
    offers: 'Create Section',
    needs: 'Create and edit FAQs',
  },
  questions: {
    ui: <FaqQuestionsPage />,
    call: faqQuestionRoutes.list,
    route: sectionPath({ faqName: 'Stock', sectionName: 'Counting', sectionId: counting.id }),
    path: PATHS.section,
    says: 'No questions found!',
    hint: /with its answer/,
    offers: 'Create Q&A',
    needs: 'Create and edit FAQs',
  },
  audit: {
    ui: <AuditPage />,
    call: auditRoutes.search,
    result: { entries: [], further: null },
    says: 'Nothing has been done yet',
    hint: /from where/,
  },
  'database-servers': {
    ui: <DatabaseServersPage />,
    call: databaseServerRoutes.list,
    says: 'No database servers found!',
    hint: /PostgreSQL servers/,
    offers: 'Create Database Server',
    needs: 'Add, change and retire database servers',
  },
  webhooks: {
    ui: <AuditPage />,
    call: webhookRoutes.list,
    route: WEBHOOKS_PATH,
    says: 'No webhooks found!',
    hint: /what happens here/,
    offers: 'Create Webhook',
    needs: 'Change webhooks',
  },
  deliveries: {
    ui: <DeliveriesModal show webhook={makeWebhook()} onClose={() => undefined} />,
    call: webhookRoutes.deliveries,
    says: 'Nothing sent yet.',
    hint: /receiver.s answer/,
  },
  menus: {
    ui: <MenusPage />,
    call: menuRoutes.tree,
    says: 'No Data Found!',
    hint: /programs of tenants/,
    offers: 'Create',
    needs: 'Change permissions',
  },
};

mockServer(
  onRoute(tenantRoutes.listStatuses, () => ok(STATUSES)),
  onRoute(faqRoutes.list, () => ok([stock])),
  onRoute(faqSectionRoutes.find, () => ok(withFaqName(counting, stock.name))),
  onRoute(auditRoutes.verification, () =>
    ok({ isUnderWay: false, checked: 0, entries: 0, endedOnUtc: null, verified: 0, problem: '' }),
  ),
);

async function openEmpty({ ui, call, result = [], route, path, says }: EmptyList) {
  server.use(onRoute(call, () => ok(result)));
  renderWithStore(<RightsProvider>{ui}</RightsProvider>, { ...(route && { route }), ...(path && { path }) });
  const text = await screen.findByText(says);
  const box = text.closest<HTMLElement>('.empty-state');
  if (!box) throw new Error(`'${says}' stands in no empty state`);
  return box;
}

describe.each(Object.entries(EMPTY))('the empty list of %s', (_name, list) => {
  it('says what it is for, and offers what makes its first row [§2.29]', async () => {
    const box = await openEmpty(list);
    expect(box.textContent).toMatch(list.hint);
    const buttons = within(box).queryAllByRole('button');
    expect(buttons.map(({ textContent }) => textContent)).toEqual(list.offers === undefined ? [] : [list.offers]);
    for (const button of buttons) await waitFor(() => expect(button.getAttribute('aria-disabled')).not.toBe('true'));
  });

  if (list.needs !== undefined) {
    const { needs } = list;
    it('says to who may not which permission is missing [§2.29]', async () => {
      server.use(onRoute(accountRoutes.rights, () => ok({ permissions: [], grantedBy: ['Administrator'] })));
      const box = await openEmpty(list);
      const button = within(box).getByRole('button');
      await waitFor(() => expect(button.dataset.refusal).toContain(needs));
      expect(button.getAttribute('aria-disabled')).toBe('true');
    });
  }
});

it('a list of deliveries that its state narrows says so, and can show all again [§2.29]', async () => {
  const asked: string[] = [];
  server.use(
    onRoute(webhookRoutes.deliveries, ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('state') ?? '');
      return ok([]);
    }),
  );
  const { user } = renderWithStore(<DeliveriesModal show webhook={makeWebhook()} onClose={() => undefined} />);
  await screen.findByText('Nothing sent yet.');
  await user.selectOptions(screen.getByLabelText('State'), 'Given up');
  await screen.findByText('No deliveries are in this state.');
  await user.click(screen.getByRole('button', { name: 'Clear filter' }));
  await screen.findByText('Nothing sent yet.');
  expect(asked).toEqual(['', 'failed', '']);
});
