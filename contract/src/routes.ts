import { authRoutes } from './auth.ts';
import { dashboardRoutes } from './dashboard.ts';
import { databaseRoutes } from './databases.ts';
import type { ContractRoute } from './route.ts';
import { tenantRoutes } from './tenants.ts';

/** Every call of the API, for the tests about shape and for whoever walks them all. */
export const ROUTES: readonly ContractRoute[] = [authRoutes, dashboardRoutes, tenantRoutes, databaseRoutes].flatMap(
  (routes) => Object.values<ContractRoute>(routes),
);
