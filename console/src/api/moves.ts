import { moveRoutes } from '@apotheca/contract/moves';
import { answerFor, api, reloadsWhenGone, unlessFailed } from './http/client.ts';
import { operationFor } from './operations.ts';

const movesApi = api.injectEndpoints({
  endpoints: (build) => ({
    // True for one moment only, so it is not cached; the message is shown too.
    planMove: build.query({ ...answerFor(moveRoutes.planMove), keepUnusedDataFor: 0, ...reloadsWhenGone('Databases') }),
    moveDatabase: build.mutation({
      ...operationFor(moveRoutes.move),
      invalidatesTags: unlessFailed('Databases', 'Tenants', 'Databaseservers'),
    }),
  }),
});

export const { usePlanMoveQuery } = movesApi;

/** For `useOperation`. */
export const { moveDatabase } = movesApi.endpoints;
