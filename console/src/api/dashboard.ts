import { dashboardRoutes } from '@apotheca/contract/dashboard';
import { api, queryFor } from './http/client.ts';

const dashboardApi = api.injectEndpoints({
  endpoints: (build) => ({
    getCounts: build.query({ ...queryFor(dashboardRoutes.getCounts), providesTags: ['Dashboard'] }),
  }),
});

export const { useGetCountsQuery } = dashboardApi;
