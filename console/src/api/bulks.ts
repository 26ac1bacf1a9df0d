import { databaseBulkRoutes } from '@apotheca/contract/database-bulks';
import { tenantBulkRoutes, tenantSyncRoutes } from '@apotheca/contract/tenant-bulks';
import { userBulkRoutes } from '@apotheca/contract/user-bulks';
import { answerFor, api } from './http/client.ts';
import { operationFor } from './operations.ts';
import { reportFor } from './reports.ts';

const bulksApi = api.injectEndpoints({
  endpoints: (build) => ({
    planTenantsBulk: build.mutation(answerFor(tenantBulkRoutes.plan)),
    // After a failure too: what comes before it is done.
    bulkTenants: build.mutation({
      ...operationFor(tenantBulkRoutes.start),
      invalidatesTags: ['Tenants', 'Databases', 'Dashboard'],
    }),
    getTenantsBulk: build.query(reportFor(tenantBulkRoutes.report)),
    planTenantSyncs: build.mutation(answerFor(tenantSyncRoutes.plan)),
    syncManyTenants: build.mutation(operationFor(tenantSyncRoutes.start)),
    getTenantSyncs: build.query(reportFor(tenantSyncRoutes.report)),
    planDatabasesBulk: build.mutation(answerFor(databaseBulkRoutes.plan)),
    bulkDatabases: build.mutation({
      ...operationFor(databaseBulkRoutes.start),
      invalidatesTags: ['Databases', 'Backups', 'Dashboard'],
    }),
    getDatabasesBulk: build.query(reportFor(databaseBulkRoutes.report)),
    planUsersBulk: build.mutation(answerFor(userBulkRoutes.plan)),
    bulkUsers: build.mutation({
      ...operationFor(userBulkRoutes.start),
      invalidatesTags: ['Users', 'Sessions', 'Dashboard'],
    }),
    getUsersBulk: build.query(reportFor(userBulkRoutes.report)),
  }),
});

const { endpoints } = bulksApi;

/** The calls by which something is done with many records. */
export const BULK_CALLS = {
  tenants: {
    route: tenantBulkRoutes.plan,
    plan: endpoints.planTenantsBulk,
    start: endpoints.bulkTenants,
    report: endpoints.getTenantsBulk,
  },
  syncs: {
    route: tenantSyncRoutes.plan,
    plan: endpoints.planTenantSyncs,
    start: endpoints.syncManyTenants,
    report: endpoints.getTenantSyncs,
  },
  databases: {
    route: databaseBulkRoutes.plan,
    plan: endpoints.planDatabasesBulk,
    start: endpoints.bulkDatabases,
    report: endpoints.getDatabasesBulk,
  },
  users: {
    route: userBulkRoutes.plan,
    plan: endpoints.planUsersBulk,
    start: endpoints.bulkUsers,
    report: endpoints.getUsersBulk,
  },
};
export type BulkCalls = keyof typeof BULK_CALLS;
