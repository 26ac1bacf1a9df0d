import { hintRoutes } from '@apotheca/contract/hints';
import { api, mutationFor, queryFor } from './http/client.ts';

const hintsApi = api.injectEndpoints({
  endpoints: (build) => ({
    // What changes these may be what a hint is about.
    getHint: build.query({
      ...queryFor(hintRoutes.get),
      providesTags: ['Tenants', 'Users', 'Databases', 'Backups', 'Factors', 'Alerts'],
    }),
    dismissHint: build.mutation({
      ...mutationFor(hintRoutes.dismiss),
      async onQueryStarted(_dismissed, { dispatch, queryFulfilled }) {
        const answer = await queryFulfilled.catch(() => undefined);
        const next = answer?.data.result;
        if (next) dispatch(hintsApi.util.updateQueryData('getHint', undefined, () => next));
        else if (answer)
          void dispatch(hintsApi.endpoints.getHint.initiate(undefined, { forceRefetch: true, subscribe: false }));
      },
    }),
  }),
});

export const { useGetHintQuery, useDismissHintMutation } = hintsApi;
