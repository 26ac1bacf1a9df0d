import { type AuditFilters, auditRoutes } from '@apotheca/contract/audit';
import { api, mutationFor, queryFor, TAGS } from './http/client.ts';
import { download } from './http/download.ts';

/** What is exported: the shown filter as CSV or JSON, or the whole trail. */
interface AuditExport extends AuditFilters {
  format: 'csv' | 'json' | 'trail';
  fileName: string;
}

const auditApi = api.injectEndpoints({
  endpoints: (build) => ({
    searchAudit: build.query({ ...queryFor(auditRoutes.search), providesTags: ['Audit'] }),
    // Whatever is changed is in the trail of a record.
    listAuditTrail: build.query({ ...queryFor(auditRoutes.list), providesTags: TAGS }),
    getVerification: build.query({ ...queryFor(auditRoutes.verification), providesTags: ['Audit'] }),
    verifyAudit: build.mutation({ ...mutationFor(auditRoutes.verify), invalidatesTags: ['Audit'] }),
    exportAudit: build.mutation<null, AuditExport>({
      queryFn: ({ fileName, ...query }, context) => download({ route: auditRoutes.export, query }, fileName, context),
      // It is in the trail itself.
      invalidatesTags: ['Audit'],
    }),
  }),
});

export const {
  useSearchAuditQuery,
  useListAuditTrailQuery,
  useGetVerificationQuery,
  useVerifyAuditMutation,
  useExportAuditMutation,
} = auditApi;
