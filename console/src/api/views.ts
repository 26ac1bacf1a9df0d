import { viewRoutes } from '@apotheca/contract/views';
import { api, mutationFor, queryFor, unlessFailed } from './http/client.ts';

const change = unlessFailed('Account');

const viewsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listViews: build.query({ ...queryFor(viewRoutes.list), providesTags: ['Account'] }),
    createView: build.mutation({ ...mutationFor(viewRoutes.create), invalidatesTags: change }),
    editView: build.mutation({ ...mutationFor(viewRoutes.edit), invalidatesTags: change }),
    deleteView: build.mutation({ ...mutationFor(viewRoutes.delete), invalidatesTags: change }),
  }),
});

export const { useListViewsQuery, useCreateViewMutation, useEditViewMutation, useDeleteViewMutation } = viewsApi;
