import { accountRoutes } from '@apotheca/contract/account';
import { anonymizationRoutes } from '@apotheca/contract/anonymization';
import { anonymizedCloneRoutes } from '@apotheca/contract/anonymized-clones';
import { apiKeyRoutes } from '@apotheca/contract/api-keys';
import { auditRoutes } from '@apotheca/contract/audit';
import { authRoutes } from '@apotheca/contract/auth';
import { backupRoutes } from '@apotheca/contract/backups';
import { dashboardRoutes } from '@apotheca/contract/dashboard';
import { databaseRoutes } from '@apotheca/contract/databases';
import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { faqRevisionRoutes } from '@apotheca/contract/faq-revisions';
import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { faqRoutes } from '@apotheca/contract/faqs';
import { menuRoutes } from '@apotheca/contract/menus';
import { momentRoutes } from '@apotheca/contract/moments';
import { moveRoutes } from '@apotheca/contract/moves';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { purgeRoutes } from '@apotheca/contract/purges';
import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import { roleRoutes } from '@apotheca/contract/roles';
import { roleFactorRoutes } from '@apotheca/contract/second-factors';
import { tenantPermissionRoutes } from '@apotheca/contract/tenant-permissions';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userRoutes } from '@apotheca/contract/users';
import { webhookRoutes } from '@apotheca/contract/webhooks';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { makeApiKey } from './api-keys.ts';
import { makeAuditPage, makeEntry, makeVerification } from './audit.ts';
import {
  makeAnonymizedClone,
  makeBackup,
  makeClone,
  makeDatabase,
  makeDetails,
  makeMovePlan,
  makePlan,
  makeRefreshPlan,
  makeRestorePlan,
} from './databases.ts';
import { makeDatabaseServer } from './databaseservers.ts';
import { makeComparison, makeFaq, makeQuestion, makeRevision, makeSection, withFaqName } from './faqs.ts';
import { fill, findField } from './fields.ts';
import { AVAILABLE_IDS, listedMenus, makeMenu, makePermission } from './permissions.ts';
import { makeRole } from './roles.ts';
import { needsProof, ok, onRoute } from './server.ts';
import { signedIn } from './session.ts';
import { makeSession } from './sessions.ts';
import { makeAnonymizationPlan, makePurge, makePurgePlan } from './tenant-data.ts';
import { EMRS, makeTenant, STATUSES, TIMEZONES } from './tenants.ts';
import { makeService, makeUser, USER_OPTIONS } from './users.ts';
import { makeDelivery, makeWebhook } from './webhooks.ts';

const tenant = makeTenant({ code: 'CEDARVA', customerCode: 'Cedar' });
const user = makeUser({ userName: 'grace', hasSecondFactor: true });
const service = makeService({ userName: 'robot' });
const database = makeDatabase({ databaseName: 'TRAINING' });
const staging = makeClone({ databaseName: 'STAGING', refreshedOnUtc: '2026-03-04T09:30:00.000Z' });
const backup = makeBackup({ databaseName: 'TRAINING' });
const permission = makePermission({ name: 'Counting' });
const menus = [makeMenu('Stock')];
const faq = makeFaq({ name: 'Stocks' });
const section = makeSection(faq.id, { name: 'Shelves' });
const question = makeQuestion(section, { question: 'Why?' });
const plan = makePlan({ databaseName: 'TRAINING' });
const finding = {
  kind: 'role-without-database',
  subject: 'tenant_0007',
  explanation: 'The role belongs to no database.',
  fix: 'drop-role',
};
const { id, username, email, firstName, lastName, phone, role } = signedIn();

/** Answers of a server with one record of each kind. */
export const oneOfEach = [
  onRoute(authRoutes.me, () => ok({ id, username, email, firstName, lastName, phone, role })),
  onRoute(authRoutes.logout, () => ok(null)),
  onRoute(accountRoutes.proofWays, () => ok({ password: true, code: false, passkeys: false, provider: null })),
  onRoute(authRoutes.listSessions, () => ok([makeSession({ isCurrent: true })])),
  onRoute(authRoutes.listUserSessions, () => ok([makeSession()])),
  onRoute(dashboardRoutes.getCounts, () => ok([{ users: 1, tenants: 1, databases: 1 }])),
  onRoute(tenantRoutes.list, () => ok([tenant])),
  onRoute(tenantRoutes.listStatuses, () => ok(STATUSES)),
  onRoute(tenantRoutes.listTimezones, () => ok(TIMEZONES)),
  onRoute(tenantRoutes.listEmrs, () => ok(EMRS)),
  onRoute(tenantRoutes.planDeletion, () => ok(plan, 'Nobody works with it.')),
  onRoute(purgeRoutes.listPurges, () => ok([makePurge()])),
  onRoute(purgeRoutes.planPurge, () => ok(makePurgePlan(['shots']), 'They can be put back.')),
  onRoute(anonymizationRoutes.planAnonymization, () => ok(makeAnonymizationPlan(), 'It cannot be undone.')),
  onRoute(userRoutes.list, () => ok([user, service])),
  onRoute(apiKeyRoutes.list, () => ok({ keys: [makeApiKey({ name: 'nightly' })], scopes: ['tenants.read'] })),
  onRoute(userRoutes.options, () => ok(USER_OPTIONS)),
  onRoute(userRoutes.delete, needsProof),
  onRoute(databaseRoutes.list, () => ok([database, staging])),
  onRoute(anonymizedCloneRoutes.get, () => ok(makeAnonymizedClone())),
  onRoute(anonymizedCloneRoutes.planRefresh, () => ok(makeRefreshPlan(), 'Every row of STAGING goes.')),
  onRoute(databaseRoutes.details, () => ok(makeDetails({ tables: [{ name: 'shots', rows: 10, sizeBytes: 8192 }] }))),
  onRoute(databaseRoutes.planDeletion, () => ok(plan, 'Nobody works with it.')),
  onRoute(backupRoutes.list, () => ok([backup])),
  onRoute(backupRoutes.planRestore, () => ok(makeRestorePlan(), 'A new database will be made.')),
  onRoute(momentRoutes.range, () =>
    ok({
      earliestOnUtc: '2026-03-01T09:30:00.000Z',
      latestOnUtc: '2026-03-04T09:30:00.000Z',
      missing: '',
      warning: '',
    }),
  ),
  onRoute(moveRoutes.planMove, () => ok(makeMovePlan(), 'Its programs then connect to South.')),
  onRoute(reconciliationRoutes.reconcile, () =>
    ok({ checkedOnUtc: '2026-03-04T09:30:00.000Z', serversAway: [], databases: 1, findings: [finding] }),
  ),
  onRoute(permissionRoutes.list, () => ok({ permissions: [permission, ...listedMenus(menus)] })),
  onRoute(permissionRoutes.listAvailableIds, () => ok(AVAILABLE_IDS)),
  onRoute(tenantPermissionRoutes.list, () => ok([{ ...permission, isActive: true }])),
  onRoute(roleRoutes.list, () => ok([makeRole({ roleName: 'Stock' })])),
  onRoute(roleFactorRoutes.planRequired, () => ok({ without: [], sessions: 0 })),
  onRoute(menuRoutes.tree, () => ok(menus)),
  onRoute(faqRoutes.list, () => ok([faq])),
  onRoute(faqRoutes.tree, () => ok([])),
  onRoute(faqRoutes.planDeletion, () => ok({ sections: 0, questions: 0, digest: 'digest-1' }, 'Nothing goes along.')),
  onRoute(faqSectionRoutes.list, () => ok([section])),
  onRoute(faqSectionRoutes.find, () => ok(withFaqName(section, faq.name))),
  onRoute(faqSectionRoutes.planDeletion, () =>
    ok({ sections: 0, questions: 0, digest: 'digest-1' }, 'Nothing goes along.'),
  ),
  onRoute(faqQuestionRoutes.list, () => ok([question])),
  onRoute(faqRevisionRoutes.list, () => ok([makeRevision({ revision: 2 }), makeRevision({ revision: 1 })])),
  onRoute(faqRevisionRoutes.compare, () => ok(makeComparison({ published: false }))),
  onRoute(auditRoutes.list, () => ok([makeEntry()])),
  onRoute(auditRoutes.search, () => ok(makeAuditPage([makeEntry()]))),
  onRoute(auditRoutes.verification, () => ok(makeVerification())),
  onRoute(databaseServerRoutes.list, () => ok([makeDatabaseServer({ name: 'North' })])),
  onRoute(databaseServerRoutes.check, () =>
    ok({ id: 's1', points: [{ point: 'reached', passed: true, detail: 'PostgreSQL 15.18 answers' }] }),
  ),
  onRoute(webhookRoutes.list, () => ok([makeWebhook({ name: 'Pager' })])),
  onRoute(webhookRoutes.deliveries, () => ok([makeDelivery()])),
];

interface DialogOfPage {
  /** The title of the dialog. */
  title: string;
  /** Address of its page. */
  at: string;
  /** Names of the buttons, tabs, checkboxes and menu items that lead to it, in order. */
  by: readonly (string | RegExp)[];
  /** A field to type in; absent: the dialog has no text that could be lost. */
  types?: { label: string; text: string };
}

const SECTIONS = `/faq/Stocks/${faq.id}`;
const QUESTIONS = `/section/Stocks/Shelves/${section.id}`;
const ROLES_PATH = '/permission?view=roles';
const WEBHOOKS_PATH = '/audit?view=webhooks';
const SERVERS_PATH = '/database-servers';
const TO_COPY = { label: 'Duplicate Database Name', text: 'COPY' };
const MANAGE_DATA = ['Manage Cedar', 'Delete Transaction Data & Reseed'];
const OWN_SESSIONS = [/^User menu/, 'Sessions'];

/** Every dialog of the console, and the way to it on {@link oneOfEach}. */
export const DIALOGS: readonly DialogOfPage[] = [
  { title: 'Create Tenant', at: '/tenants?q=Ced', by: ['Create'], types: { label: 'City', text: 'Aspen' } },
  { title: 'Edit Tenant', at: '/tenants', by: ['Edit Cedar'], types: { label: 'City', text: 'Aspen' } },
  { title: 'View Tenant', at: '/tenants', by: ['View Cedar'] },
  { title: 'Manage Tenant', at: '/tenants', by: ['Manage Cedar'] },
  {
    title: 'Duplicate Tenant',
    at: '/tenants',
    by: ['More actions for Cedar', 'Duplicate Cedar'],
    types: { label: 'New Tenant Code', text: 'COPY' },
  },
  { title: 'Delete Tenant CEDARVA', at: '/tenants', by: ['More actions for Cedar', 'Delete Cedar'] },
  { title: 'Import Tenants', at: '/tenants', by: ['Import'] },
  { title: 'Import Users', at: '/users', by: ['Import'] },
  { title: 'Import FAQs', at: '/faqs', by: ['Import'] },
  { title: 'Create User', at: '/users?sort=email', by: ['Create'], types: { label: 'First Name', text: 'Alan' } },
  { title: 'Edit User', at: '/users', by: ['Edit grace'], types: { label: 'First Name', text: 'Alan' } },
  { title: 'View User', at: '/users', by: ['View grace'] },
  {
    title: 'Duplicate User',
    at: '/users',
    by: ['More actions for grace', 'Duplicate grace'],
    types: { label: 'User Name', text: 'alan' },
  },
  { title: 'Delete User', at: '/users', by: ['More actions for grace', 'Delete grace'] },
  {
    title: 'Reset second factor',
    at: '/users',
    by: ['More actions for grace', 'Reset second factor of grace'],
  },
  { title: 'Open sessions', at: '/users', by: ['Sessions of grace'] },
  { title: 'History', at: '/users', by: ['More actions for grace', 'History of grace'] },
  {
    title: 'Create Service Account',
    at: '/users',
    by: ['Create Service Account'],
    types: { label: 'Name', text: 'importer' },
  },
  { title: 'Edit Service Account', at: '/users', by: ['Edit robot'], types: { label: 'Name', text: 'importer' } },
  { title: 'View Service Account', at: '/users', by: ['View robot'] },
  { title: 'API Keys of robot', at: '/users', by: ['API keys of robot'] },
  { title: 'View Database', at: '/database', by: ['View TRAINING'] },
  {
    title: 'Rename Database',
    at: '/database',
    by: ['Rename TRAINING'],
    types: { label: 'Database Name', text: 'COPY' },
  },
  { title: 'Clone Database', at: '/database', by: ['Clone TRAINING'], types: TO_COPY },
  { title: 'Back Up Database', at: '/database', by: ['Back up TRAINING'] },
  { title: 'Delete Database', at: '/database', by: ['More actions for TRAINING', 'Delete TRAINING'] },
  {
    title: 'Restore to a Point in Time',
    at: '/database',
    by: ['More actions for TRAINING', 'Restore TRAINING to a point in time'],
    types: { label: 'New Database Name', text: 'COPY' },
  },
  { title: 'Refresh Anonymized Clone', at: '/database', by: ['More actions for STAGING', 'Refresh STAGING'] },
  {
    title: 'Move to Another Server',
    at: '/database',
    by: ['More actions for TRAINING', 'Move TRAINING to another server'],
  },
  { title: 'History', at: '/database', by: ['More actions for TRAINING', 'History of TRAINING'] },
  { title: 'Backups', at: '/database', by: ['Backups'] },
  {
    title: 'Restore Database',
    at: '/database',
    by: ['Restore Database'],
    types: { label: 'Database Name', text: 'COPY' },
  },
  { title: 'Reconcile', at: '/database', by: ['More for all databases', 'Reconcile'] },
  {
    title: 'Adopt Database',
    at: '/database',
    by: ['More for all databases', 'Adopt Database'],
    types: { label: 'SHA-256 (optional)', text: 'abc' },
  },
  {
    title: 'Create Permission',
    at: '/permission',
    by: ['Create Permission'],
    types: { label: 'Permission Name', text: 'Weighing' },
  },
  {
    title: 'Edit Permission',
    at: '/permission',
    by: ['Edit Counting'],
    types: { label: 'Permission Name', text: 'Weighing' },
  },
  { title: 'Delete Permission', at: '/permission', by: ['More actions for Counting', 'Delete Counting'] },
  { title: 'Sync Permission', at: '/permission', by: ['Sync Permission'] },
  { title: 'Create Role', at: ROLES_PATH, by: ['Create Role'], types: { label: 'Role Name', text: 'Clerks' } },
  {
    title: 'Copy Role',
    at: ROLES_PATH,
    by: ['More actions for Stock', 'Copy Stock'],
    types: { label: 'Role Name', text: 'Clerks' },
  },
  {
    title: 'Rename Role',
    at: ROLES_PATH,
    by: ['More actions for Stock', 'Rename Stock'],
    types: { label: 'Role Name', text: 'Clerks' },
  },
  { title: 'Permissions of a Role', at: ROLES_PATH, by: ['Permissions of Stock'] },
  {
    title: 'Require Second Factor',
    at: ROLES_PATH,
    by: ['More actions for Stock', 'Require a second factor of Stock'],
  },
  { title: 'Delete Role', at: ROLES_PATH, by: ['More actions for Stock', 'Delete Stock'] },
  { title: 'Create Menu', at: '/menus', by: ['Create'], types: { label: 'Menu Name', text: 'Lots' } },
  { title: 'Edit Menu', at: '/menus', by: ['Edit Stock'], types: { label: 'Menu Name', text: 'Lots' } },
  { title: 'Delete Menu', at: '/menus', by: ['More actions for Stock', 'Delete Stock'] },
  { title: 'Create FAQ', at: '/faqs', by: ['Create FAQ'], types: { label: 'FAQ Name', text: 'Fridges' } },
  { title: 'Edit FAQ', at: '/faqs', by: ['Edit FAQ: Stocks'], types: { label: 'FAQ Name', text: 'Fridges' } },
  { title: 'Delete FAQ', at: '/faqs', by: ['More actions for Stocks', 'Delete FAQ: Stocks'] },
  { title: 'History', at: '/faqs', by: ['More actions for Stocks', 'History of Stocks'] },
  { title: 'Entry 7', at: '/audit', by: ['View entry 7'] },
  {
    title: 'Create Database Server',
    at: SERVERS_PATH,
    by: ['Create Database Server'],
    types: { label: 'Name', text: 'South' },
  },
  { title: 'Edit Database Server', at: SERVERS_PATH, by: ['Edit North'], types: { label: 'Region', text: 'South' } },
  { title: 'Check Database Server', at: SERVERS_PATH, by: ['Check North'] },
  { title: 'Drain Database Server', at: SERVERS_PATH, by: ['More actions for North', 'Drain North'] },
  { title: 'Retire Database Server', at: SERVERS_PATH, by: ['More actions for North', 'Retire North'] },
  { title: 'History', at: SERVERS_PATH, by: ['More actions for North', 'History of North'] },
  { title: 'Delete Database Server', at: SERVERS_PATH, by: ['More actions for North', 'Delete North'] },
  { title: 'Create Webhook', at: WEBHOOKS_PATH, by: ['Create Webhook'], types: { label: 'Name', text: 'Night' } },
  {
    title: 'Edit Webhook',
    at: WEBHOOKS_PATH,
    by: ['More actions for Pager', 'Edit Pager'],
    types: { label: 'Name', text: 'Night' },
  },
  { title: 'Rotate Secret', at: WEBHOOKS_PATH, by: ['More actions for Pager', 'Rotate the secret of Pager'] },
  { title: 'History', at: WEBHOOKS_PATH, by: ['More actions for Pager', 'History of Pager'] },
  { title: 'Delete Webhook', at: WEBHOOKS_PATH, by: ['More actions for Pager', 'Delete Pager'] },
  { title: 'Deliveries', at: WEBHOOKS_PATH, by: ['Deliveries of Pager'] },
  { title: 'Preview', at: '/faqs', by: ['Preview'] },
  { title: 'Create Section', at: SECTIONS, by: ['Create Section'], types: { label: 'Section Name', text: 'Fridges' } },
  { title: 'Edit Section', at: SECTIONS, by: ['Edit: Shelves'], types: { label: 'Section Name', text: 'Fridges' } },
  { title: 'Delete FAQ Section', at: SECTIONS, by: ['More actions for Shelves', 'Delete: Shelves'] },
  { title: 'History', at: SECTIONS, by: ['More actions for Shelves', 'History of Shelves'] },
  {
    title: 'Create Question & Answer',
    at: QUESTIONS,
    by: ['Create Q&A'],
    types: { label: 'Question', text: 'How?' },
  },
  { title: 'Edit Question & Answer', at: QUESTIONS, by: ['Edit: Why?'], types: { label: 'Question', text: 'How?' } },
  { title: 'Delete Q&A', at: QUESTIONS, by: ['More actions for Why?', 'Delete: Why?'] },
  { title: 'History', at: QUESTIONS, by: ['More actions for Why?', 'History of Why?'] },
  { title: 'Open sessions', at: '/', by: OWN_SESSIONS },
  // Above another dialog.
  {
    title: 'Delete Transaction Data',
    at: '/tenants',
    by: [...MANAGE_DATA, 'shots', 'Delete data from 1 table'],
  },
  {
    title: 'Anonymize Database',
    at: '/tenants',
    by: [...MANAGE_DATA, 'DB Anonymization', 'Anonymize database'],
  },
  { title: 'Put Rows Back', at: '/tenants', by: [...MANAGE_DATA, /^Put back: /] },
  {
    title: 'Replace Rows',
    at: '/database',
    by: ['More actions for STAGING', 'Refresh STAGING', 'Refresh now'],
  },
  { title: 'Prove Restore', at: '/database', by: ['Backups', /^Prove the restore of the backup of TRAINING/] },
  { title: 'Restore Revision', at: '/faqs', by: ['More actions for Stocks', 'History of Stocks', 'Restore'] },
  { title: 'Delete Backup', at: '/database', by: ['Backups', /^Delete the backup of TRAINING/] },
  {
    title: 'Delete role: tenant_0007',
    at: '/database',
    by: ['More for all databases', 'Reconcile', 'Delete role: tenant_0007'],
  },
  {
    title: 'Confirm it is you',
    at: '/users',
    by: ['More actions for grace', 'Delete grace', 'Delete grace'],
  },
  { title: 'Create API Key', at: '/users', by: ['API keys of robot', 'Create API Key'] },
  { title: 'Rotate API Key', at: '/users', by: ['API keys of robot', 'Rotate nightly'] },
  { title: 'Revoke API Key', at: '/users', by: ['API keys of robot', 'Revoke nightly'] },
  { title: 'Sign out here', at: '/', by: [...OWN_SESSIONS, /^Sign out: /] },
];

/** Waits for a button, tab, checkbox or menu item with that name. */
export const pressable = (name: string | RegExp) =>
  waitFor(() => {
    for (const role of ['button', 'menuitem', 'tab', 'checkbox']) {
      const [first] = screen.queryAllByRole(role, { name });
      if (first && !first.matches(':disabled')) return first;
    }
    throw new Error(`There is no ${name} yet`);
  });

/** Opens a dialog on its page, and types in it. */
export async function openDialog({ by, title, types }: DialogOfPage): Promise<void> {
  for (const name of by) fireEvent.click(await pressable(name));
  await screen.findByRole('dialog', { name: title });
  if (!types) return;
  await findField(types.label);
  fill(types.label, types.text);
}
