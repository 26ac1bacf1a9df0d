import { faqImportRoutes } from '@apotheca/contract/faq-import';
import type { ImportPlan, ImportRoutes } from '@apotheca/contract/imports';
import { tenantImportRoutes } from '@apotheca/contract/tenant-import';
import { userImportRoutes } from '@apotheca/contract/user-import';
import type { BaseQueryApi } from '@reduxjs/toolkit/query';
import { api } from './http/client.ts';
import { type Upload, upload } from './http/upload.ts';
import { operationFor } from './operations.ts';
import { reportFor } from './reports.ts';

/** A file is sent to be planned. */
const planFor = ({ plan: route }: ImportRoutes) => ({
  async queryFn(file: Upload, context: BaseQueryApi) {
    const { data, error } = await upload({ route, needs: route.result }, file, context);
    return error ? { error } : { data: route.result.parse(data.result) as ImportPlan };
  },
});

const importsApi = api.injectEndpoints({
  endpoints: (build) => ({
    planTenantsImport: build.mutation(planFor(tenantImportRoutes)),
    // After a failure too: the rows before it are written.
    importTenants: build.mutation({
      ...operationFor(tenantImportRoutes.start),
      invalidatesTags: ['Tenants', 'Databases', 'Dashboard'],
    }),
    getTenantsImport: build.query(reportFor(tenantImportRoutes.report)),
    planUsersImport: build.mutation(planFor(userImportRoutes)),
    importUsers: build.mutation({
      ...operationFor(userImportRoutes.start),
      invalidatesTags: ['Users', 'Sessions', 'Dashboard'],
    }),
    getUsersImport: build.query(reportFor(userImportRoutes.report)),
    planFaqsImport: build.mutation(planFor(faqImportRoutes)),
    importFaqs: build.mutation({ ...operationFor(faqImportRoutes.start), invalidatesTags: ['Faqs'] }),
    getFaqsImport: build.query(reportFor(faqImportRoutes.report)),
  }),
});

const { endpoints } = importsApi;

/** The calls that import the records of each feature. */
export const IMPORT_CALLS = {
  tenants: {
    route: tenantImportRoutes.report,
    plan: endpoints.planTenantsImport,
    start: endpoints.importTenants,
    report: endpoints.getTenantsImport,
  },
  users: {
    route: userImportRoutes.report,
    plan: endpoints.planUsersImport,
    start: endpoints.importUsers,
    report: endpoints.getUsersImport,
  },
  faqs: {
    route: faqImportRoutes.report,
    plan: endpoints.planFaqsImport,
    start: endpoints.importFaqs,
    report: endpoints.getFaqsImport,
  },
};
export type Imported = keyof typeof IMPORT_CALLS;
