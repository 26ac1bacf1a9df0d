import { accountRoutes } from './account.ts';
import { adoptionRoutes } from './adoptions.ts';
import { alertRoutes } from './alerts.ts';
import { anonymizationRoutes } from './anonymization.ts';
import { anonymizedCloneRoutes } from './anonymized-clones.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { auditRoutes } from './audit.ts';
import { authRoutes } from './auth.ts';
import { backupProofRoutes } from './backup-proofs.ts';
import { backupScheduleRoutes } from './backup-schedules.ts';
import { backupRoutes } from './backups.ts';
import { credentialRoutes } from './credentials.ts';
import { dashboardRoutes } from './dashboard.ts';
import { databaseBulkRoutes } from './database-bulks.ts';
import { databaseRoutes } from './databases.ts';
import { databaseServerRoutes } from './databaseservers.ts';
import { faqImageRoutes } from './faq-images.ts';
import { faqImportRoutes } from './faq-import.ts';
import { faqQuestionRoutes } from './faq-questions.ts';
import { faqRevisionRoutes } from './faq-revisions.ts';
import { faqSectionRoutes } from './faq-sections.ts';
import { faqRoutes } from './faqs.ts';
import { findingRoutes } from './findings.ts';
import { hintRoutes } from './hints.ts';
import { menuRoutes } from './menus.ts';
import { momentRoutes } from './moments.ts';
import { moveRoutes } from './moves.ts';
import { openIdConnectRoutes } from './openid-connect.ts';
import { operationRoutes } from './operations.ts';
import { parkedDatabaseRoutes } from './parked-databases.ts';
import { permissionRoutes } from './permissions.ts';
import { preferenceRoutes } from './preferences.ts';
import { purgeRoutes } from './purges.ts';
import { reconciliationRoutes } from './reconciliation.ts';
import { recoveryRoutes } from './recovery.ts';
import { roleRoutes } from './roles.ts';
import type { ContractRoute } from './route.ts';
import { ownFactorRoutes, roleFactorRoutes, secondStepRoutes } from './second-factors.ts';
import { serviceAccountRoutes } from './service-accounts.ts';
import { tenantBulkRoutes, tenantSyncRoutes } from './tenant-bulks.ts';
import { tenantImportRoutes } from './tenant-import.ts';
import { tenantPermissionRoutes } from './tenant-permissions.ts';
import { tenantRoutes } from './tenants.ts';
import { userBulkRoutes } from './user-bulks.ts';
import { userImportRoutes } from './user-import.ts';
import { userRoutes } from './users.ts';
import { viewRoutes } from './views.ts';
import { webhookRoutes } from './webhooks.ts';

/** The calls of each contract file. A call's name in the OpenAPI document is its group and its own: `tenants.create`. */
const GROUPS: Record<string, Record<string, ContractRoute>> = {
  auth: authRoutes,
  openIdConnect: openIdConnectRoutes,
  secondStep: secondStepRoutes,
  factors: ownFactorRoutes,
  roleFactors: roleFactorRoutes,
  account: accountRoutes,
  preferences: preferenceRoutes,
  hints: hintRoutes,
  apiKeys: apiKeyRoutes,
  views: viewRoutes,
  recovery: recoveryRoutes,
  dashboard: dashboardRoutes,
  findings: findingRoutes,
  tenants: tenantRoutes,
  tenantImports: tenantImportRoutes,
  tenantBulks: tenantBulkRoutes,
  tenantSyncs: tenantSyncRoutes,
  credentials: credentialRoutes,
  databases: databaseRoutes,
  databaseBulks: databaseBulkRoutes,
  backups: backupRoutes,
  adoptions: adoptionRoutes,
  backupProofs: backupProofRoutes,
  backupSchedules: backupScheduleRoutes,
  purges: purgeRoutes,
  anonymization: anonymizationRoutes,
  anonymizedClones: anonymizedCloneRoutes,
  moves: moveRoutes,
  reconciliation: reconciliationRoutes,
  parkedDatabases: parkedDatabaseRoutes,
  moments: momentRoutes,
  operations: operationRoutes,
  permissions: permissionRoutes,
  roles: roleRoutes,
  tenantPermissions: tenantPermissionRoutes,
  menus: menuRoutes,
  users: userRoutes,
  userImports: userImportRoutes,
  userBulks: userBulkRoutes,
  serviceAccounts: serviceAccountRoutes,
  faqImages: faqImageRoutes,
  faqs: faqRoutes,
  faqSections: faqSectionRoutes,
  faqQuestions: faqQuestionRoutes,
  faqRevisions: faqRevisionRoutes,
  faqImports: faqImportRoutes,
  audit: auditRoutes,
  webhooks: webhookRoutes,
  databaseServers: databaseServerRoutes,
  alerts: alertRoutes,
};

/** Every call of the API by its name. */
export const CALLS: ReadonlyMap<string, ContractRoute> = new Map(
  Object.entries(GROUPS).flatMap(([group, routes]) =>
    Object.entries(routes).map(([name, route]) => [`${group}.${name}`, route] as const),
  ),
);

/** The same without names, for code and tests that go through all of them. */
export const ROUTES: readonly ContractRoute[] = [...CALLS.values()];
