import { accountRoutes } from './account.ts';
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
import { databaseRoutes } from './databases.ts';
import { faqQuestionRoutes } from './faq-questions.ts';
import { faqSectionRoutes } from './faq-sections.ts';
import { faqRoutes } from './faqs.ts';
import { menuRoutes } from './menus.ts';
import { momentRoutes } from './moments.ts';
import { openIdConnectRoutes } from './openid-connect.ts';
import { operationRoutes } from './operations.ts';
import { parkedDatabaseRoutes } from './parked-databases.ts';
import { permissionRoutes } from './permissions.ts';
import { purgeRoutes } from './purges.ts';
import { reconciliationRoutes } from './reconciliation.ts';
import { recoveryRoutes } from './recovery.ts';
import { roleRoutes } from './roles.ts';
import type { ContractRoute } from './route.ts';
import { ownFactorRoutes, roleFactorRoutes, secondStepRoutes } from './second-factors.ts';
import { serviceAccountRoutes } from './service-accounts.ts';
import { tenantPermissionRoutes } from './tenant-permissions.ts';
import { tenantRoutes } from './tenants.ts';
import { userRoutes } from './users.ts';

/** Every call of the API, for code and tests that go through all of them. */
export const ROUTES: readonly ContractRoute[] = [
  authRoutes,
  openIdConnectRoutes,
  secondStepRoutes,
  ownFactorRoutes,
  roleFactorRoutes,
  accountRoutes,
  apiKeyRoutes,
  recoveryRoutes,
  dashboardRoutes,
  tenantRoutes,
  credentialRoutes,
  databaseRoutes,
  backupRoutes,
  backupProofRoutes,
  backupScheduleRoutes,
  purgeRoutes,
  anonymizationRoutes,
  anonymizedCloneRoutes,
  reconciliationRoutes,
  parkedDatabaseRoutes,
  momentRoutes,
  operationRoutes,
  permissionRoutes,
  roleRoutes,
  tenantPermissionRoutes,
  menuRoutes,
  userRoutes,
  serviceAccountRoutes,
  faqRoutes,
  faqSectionRoutes,
  faqQuestionRoutes,
  auditRoutes,
].flatMap((routes) => Object.values<ContractRoute>(routes));
