import { DATABASE_SORT_COLUMNS, databaseRoutes } from '@apotheca/contract/databases';
import { api, mutationFor, queryFor, reloadsWhenGone, unlessFailed, unlessGone } from './http/client.ts';
import { operationFor } from './operations.ts';

const reloadCounts = unlessFailed('Databases', 'Dashboard');

const whenGone = reloadsWhenGone('Databases', 'Tenants');

/** Statuses with which an answer of copydatabase says that nothing was copied (SPEC §7.3, §8). */
const FAILED: readonly number[] = [400, 409, 500];

const copy = operationFor(databaseRoutes.copy);
/** Such an answer comes with status 200, and is made a failure here. */
async function copyOrFail(...args: Parameters<typeof copy.queryFn>): ReturnType<typeof copy.queryFn> {
  const finished = await copy.queryFn(...args);
  if ('error' in finished || !FAILED.includes(finished.data.status)) return finished;
  const { status, message } = finished.data;
  return { error: { status, message } };
}

const databasesApi = api.injectEndpoints({
  endpoints: (build) => ({
    listDatabases: build.query({ ...queryFor(databaseRoutes.list), providesTags: ['Databases'] }),
    // True for one moment only, so no dialog takes the answer of an earlier one.
    getDatabaseDetails: build.query({
      ...queryFor(databaseRoutes.details),
      keepUnusedDataFor: 0,
      ...whenGone,
      // A purge changes rows and size.
      providesTags: unlessGone('Databases', 'Purges'),
    }),
    getDatabaseSizes: build.query({
      ...queryFor(databaseRoutes.sizes),
      ...whenGone,
      providesTags: unlessGone('Databases'),
    }),
    // The answer's message is shown too: it says what the deletion destroys.
    planDatabaseDeletion: build.query({
      ...mutationFor(databaseRoutes.planDeletion),
      keepUnusedDataFor: 0,
      ...whenGone,
    }),
    deleteDatabase: build.mutation({ ...operationFor(databaseRoutes.delete), invalidatesTags: reloadCounts }),
    renameDatabase: build.mutation({
      ...operationFor(databaseRoutes.rename),
      invalidatesTags: unlessFailed('Databases', 'Dashboard', 'Tenants'),
    }),
    copyDatabase: build.mutation({
      queryFn: copyOrFail,
      invalidatesTags: unlessFailed('Databases', 'Dashboard', 'Tenants'),
    }),
  }),
});

export const {
  useListDatabasesQuery,
  useGetDatabaseDetailsQuery,
  useGetDatabaseSizesQuery,
  usePlanDatabaseDeletionQuery,
} = databasesApi;

/** How the list is first asked for: other readers share the answer with its screen. */
export const DATABASES_AS_LISTED = { sortColumn: DATABASE_SORT_COLUMNS[0], sortDirection: 'asc' } as const;

export const { listDatabases } = databasesApi.endpoints;

/** For `useOperation`. */
export const { copyDatabase, deleteDatabase, renameDatabase } = databasesApi.endpoints;
