import { type Language, type Preferences, preferenceRoutes } from '@apotheca/contract/preferences';
import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { type ArgOf, api, callOf, mutationFor, queryFor } from './http/client.ts';

const preferencesApi = api.injectEndpoints({
  endpoints: (build) => ({
    getPreferences: build.query(queryFor(preferenceRoutes.get)),
    putListLayout: build.mutation({
      ...mutationFor(preferenceRoutes.put),
      // The last one is sent while the page is left.
      query: (arg: ArgOf<typeof preferenceRoutes.put>) => ({
        ...callOf(preferenceRoutes.put, arg),
        outlivesPage: true,
      }),
      // At once: what is kept of the answer would put the list back with the next preference that is stored.
      onQueryStarted({ list, layout }, { dispatch }) {
        dispatch(
          preferencesApi.util.updateQueryData('getPreferences', undefined, (kept) => ({
            ...kept,
            lists: { ...kept.lists, [list]: layout },
          })),
        );
      },
    }),
    putLanguage: build.mutation({
      ...mutationFor(preferenceRoutes.putLanguage),
      async onQueryStarted({ language }, { dispatch, queryFulfilled }) {
        const isStored = await queryFulfilled.then(
          () => true,
          () => false,
        );
        if (isStored) dispatch(keepLanguage(language));
      },
    }),
  }),
});

type PreferencesRoot = ReturnType<Parameters<ReturnType<typeof preferencesApi.util.updateQueryData>>[1]>;
/** Dispatches `keepLanguage` and `keepLists`. */
export type PreferencesDispatch = ThunkDispatch<PreferencesRoot, unknown, UnknownAction>;

/** What a language that was stored changes of the preferences that are here. */
export const keepLanguage = (language: Language) =>
  preferencesApi.util.updateQueryData('getPreferences', undefined, (kept) => ({ ...kept, language }));

/** The same for the lists that another tab has arranged. */
export const keepLists = (lists: Preferences['lists']) =>
  preferencesApi.util.updateQueryData('getPreferences', undefined, (kept) => ({ ...kept, lists }));

export const { putLanguage } = preferencesApi.endpoints;
export const { useGetPreferencesQuery, usePutLanguageMutation, usePutListLayoutMutation } = preferencesApi;
