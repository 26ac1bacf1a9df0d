import { menuRoutes } from '@apotheca/contract/menus';
import { api, queryFor } from './http/client.ts';

const menusApi = api.injectEndpoints({
  endpoints: (build) => ({
    getMenuTree: build.query({ ...queryFor(menuRoutes.tree), providesTags: ['Menus'] }),
  }),
});

export const { getMenuTree } = menusApi.endpoints;

export const { useGetMenuTreeQuery } = menusApi;
