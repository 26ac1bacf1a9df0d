import { anonymizationRoutes } from './anonymization.ts';
import { auditRoutes } from './audit.ts';
import { authRoutes } from './auth.ts';
import { backupRoutes } from './backups.ts';
import { dashboardRoutes } from './dashboard.ts';
import { databaseRoutes } from './databases.ts';
import { faqQuestionRoutes } from './faq-questions.ts';
import { faqSectionRoutes } from './faq-sections.ts';
import { faqRoutes } from './faqs.ts';
import { menuRoutes } from './menus.ts';
import { operationRoutes } from './operations.ts';
import { permissionRoutes } from './permissions.ts';
import { purgeRoutes } from './purges.ts';
import { reconciliationRoutes } from './reconciliation.ts';
import type { ContractRoute } from './route.ts';
import { tenantPermissionRoutes } from './tenant-permissions.ts';
import { tenantRoutes } from './tenants.ts';
import { userRoutes } from './users.ts';

/** Every call of the API, for code and tests that go through all of them. */
export const ROUTES: readonly ContractRoute[] = [
  authRoutes,
  dashboardRoutes,
  tenantRoutes,
  databaseRoutes,
  backupRoutes,
  purgeRoutes,
  anonymizationRoutes,
  reconciliationRoutes,
  operationRoutes,
  permissionRoutes,
  tenantPermissionRoutes,
  menuRoutes,
  userRoutes,
  faqRoutes,
  faqSectionRoutes,
  faqQuestionRoutes,
  auditRoutes,
].flatMap((routes) => Object.values<ContractRoute>(routes));
