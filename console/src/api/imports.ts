import { faqImportRoutes } from '@apotheca/contract/faq-import';
import type { ImportPlan, ImportRoutes } from '@apotheca/contract/imports';
import { tenantImportRoutes } from '@apotheca/contract/tenant-import';
import { userImportRoutes } from '@apotheca/contract/user-import';
import type { BaseQueryApi } from '@reduxjs/toolkit/query';
import { api, queryFor } from './http/client.ts';
import { type Upload, upload } from './http/upload.ts';
import { operationFor } from './operations.ts';

/** A file is sent to be planned. */
const planFor = ({ plan: route }: ImportRoutes) => ({
  async queryFn(file: Upload, context: BaseQueryApi) {
    const { data, error } = await upload({ route, needs: route.result }, file, context);
    return error ? { error } : { data: route.result.parse(data.result) as ImportPlan };
  },
});

// A report goes on to change while its import runs.
const fresh = { keepUnusedDataFor: 0 } as const;

const importsApi = api.injectEndpoints({
  endpoints: (build) => ({
    planTenantsImport: build.mutation(planFor(tenantImportRoutes)),
    // After a failure too: the rows before it are written.
    importTenants: build.mutation({
      ...operationFor(tenantImportRoutes.start),
      invalidatesTags: ['Tenants', 'Databases', 'Dashboard'],
    }),
    getTenantsImport: build.query({ ...queryFor(tenantImportRoutes.report), ...fresh }),
    planUsersImport: build.mutation(planFor(userImportRoutes)),
    importUsers: build.mutation({
      ...operationFor(userImportRoutes.start),
      invalidatesTags: ['Users', 'Sessions', 'Dashboard'],
    }),
    getUsersImport: build.query({ ...queryFor(userImportRoutes.report), ...fresh }),
    planFaqsImport: build.mutation(planFor(faqImportRoutes)),
    importFaqs: build.mutation({ ...operationFor(faqImportRoutes.start), invalidatesTags: ['Faqs'] }),
    getFaqsImport: build.query({ ...queryFor(faqImportRoutes.report), ...fresh }),
  }),
});

const { endpoints } = importsApi;

/** The calls that import the records of each feature. */
export const IMPORT_CALLS = {
  tenants: { plan: endpoints.planTenantsImport, start: endpoints.importTenants, report: endpoints.getTenantsImport },
  users: { plan: endpoints.planUsersImport, start: endpoints.importUsers, report: endpoints.getUsersImport },
  faqs: { plan: endpoints.planFaqsImport, start: endpoints.importFaqs, report: endpoints.getFaqsImport },
};
export type Imported = keyof typeof IMPORT_CALLS;
