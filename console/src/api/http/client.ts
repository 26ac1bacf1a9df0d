import { FEATURES, type Feature } from '@apotheca/contract/features';
import type { BodyInput, ContractRoute, QueryInput, ResultOf } from '@apotheca/contract/route';
import type { Dispatch } from '@reduxjs/toolkit';
import { createApi } from '@reduxjs/toolkit/query/react';
import { isRecord } from '../../lib/is-record.ts';
import type { SessionThunk } from '../../session/session-slice.ts';
import { isApiError, isUnsure } from '../../transport/api-error.ts';
import { shapeOf } from '../../transport/shape.ts';
import type { Call, Reply } from '../../transport/transport.ts';
import { forgetAttempts } from './attempt-keys.ts';
import { baseQuery } from './base-query.ts';
import { API_PATH, changeCountOf } from './change-count.ts';
import { forgetLists } from './known-lists.ts';

/** How long an unused list is kept, in seconds, so that its screen shows it at once when it is opened again. */
const LIST_KEPT_SECONDS = 600;

/** What is loaded again after a change: the lists of a feature, and those that a feature has besides. */
export const TAGS = [
  ...FEATURES.map(capitalize),
  ...([
    'Sessions',
    'ApiKeys',
    'Credentials',
    'Factors',
    'TenantPermissions',
    'Lookups',
    'Backups',
    'Purges',
    'DataPlans',
    'Operations',
    'Reconciliation',
    'Alerts',
    'Findings',
  ] as const),
];
type Tag = (typeof TAGS)[number];

function capitalize(feature: Feature): Capitalize<Feature> {
  return (feature.charAt(0).toUpperCase() + feature.slice(1)) as Capitalize<Feature>;
}

/**
 * Makes a call. What is read is asked for again if something was changed meanwhile: the answer may be older than the change, and RTK
 * Query does not reload what is still being loaded.
 */
const upToDate: typeof baseQuery = async (call, context, options) => {
  for (;;) {
    const before = changeCountOf(context.getState());
    const outcome = await baseQuery(call, context, options);
    const isOutdated = context.type === 'query' && changeCountOf(context.getState()) !== before;
    if (outcome.error || !isOutdated) return outcome;
  }
};

/** The console's one API: each file of `api/` adds its endpoints, taken from the contract's routes. */
export const api = createApi({
  reducerPath: API_PATH,
  baseQuery: upToDate,
  // A call that waits for its operation is pending for minutes: with the default every list would wait as long to
  // reload.
  invalidationBehavior: 'immediately',
  tagTypes: TAGS,
  endpoints: () => ({}),
});

/** Drops all that was read: its user is gone. */
export const dropAnswers = (): SessionThunk<void> => (dispatch) => {
  dispatch(forgetLists());
  dispatch(forgetAttempts());
  dispatch(api.util.resetApiState());
};

/**
 * Reloads what a call has changed. A failed call has changed nothing, unless it was answered 404: then its row is gone; or its answer
 * was lost: then it may have been done.
 * @example deleteTenant: build.mutation({ ...mutationFor(tenantRoutes.delete), invalidatesTags: unlessFailed('Tenants') })
 */
export const unlessFailed =
  <Name extends Tag>(...tags: Name[]) =>
  (_result: unknown, error: unknown): Name[] =>
    error === undefined || isGone(error) || (isApiError(error) && isUnsure(error)) ? tags : [];

/**
 * Reloads the lists that still show a row when a query about that row is answered 404. For queries that answer no list.
 * @example planTenantDeletion: build.query({ ...mutationFor(tenantRoutes.planDeletion), ...reloadsWhenGone('Tenants') })
 */
export const reloadsWhenGone = (...tags: Tag[]) => ({
  async onQueryStarted(_arg: unknown, { dispatch, queryFulfilled }: StartedQuery): Promise<void> {
    const error: unknown = await queryFulfilled.then(
      () => undefined,
      (reason: { error?: unknown }) => reason.error,
    );
    if (isGone(error)) dispatch(api.util.invalidateTags(tags));
  },
});

/**
 * What a query about one row provides. Once it is answered 404 nothing reloads it any more: it would be reloaded with the lists that it
 * reloads then, without end.
 * @example getDatabaseSizes: build.query({ ...queryFor(databaseRoutes.sizes), providesTags: unlessGone('Databases') })
 */
export const unlessGone =
  <Name extends Tag>(...tags: Name[]) =>
  (_result: unknown, error: unknown): Name[] =>
    isGone(error) ? [] : tags;

/** The part of RTK Query's `onQueryStarted` argument that is used here. */
interface StartedQuery {
  dispatch: Dispatch;
  queryFulfilled: PromiseLike<unknown>;
}

const isGone = (error: unknown): boolean => isApiError(error) && error.status === 404;

/**
 * The argument of an endpoint: the route's query or its body, `{ query, body }` where it has both, nothing where it has
 * neither.
 */
export type ArgOf<Route> =
  QueryInput<Route> extends undefined
    ? BodyInput<Route> extends undefined
      ? // biome-ignore lint/suspicious/noConfusingVoidType: RTK Query's word for 'no argument', which lets hooks be called without one.
        void
      : BodyInput<Route>
    : BodyInput<Route> extends undefined
      ? QueryInput<Route>
      : { query: QueryInput<Route>; body: BodyInput<Route> };

/** A list is kept for longer, and asked for anew by all who start to use it: unchanged, it is not sent again. */
const KEPT_LIST = {
  keepUnusedDataFor: LIST_KEPT_SECONDS,
  forceRefetch: () => true,
  // `sendOrRecall` keeps the rows that are equal, by their ids.
  structuralSharing: false,
};

/**
 * The endpoint of a route that reads; its data is the answer's `result`. A result of another shape fails the call, as
 * nothing of it can be shown.
 * @example listTenants: build.query({ ...queryFor(tenantRoutes.list), providesTags: ['Tenants'] })
 */
export const queryFor = <const Route extends ContractRoute>(route: Route) => ({
  ...(route.list && KEPT_LIST),
  query: (arg: ArgOf<Route>): Call => ({ ...callOf(route, arg), needs: route.result }),
  transformResponse: (reply: Reply<ResultOf<Route>>): ResultOf<Route> => reply.result,
});

/**
 * Like `queryFor`, for an answer whose message is shown too; its data is `{ status, message, result }`.
 * @example planPurge: build.query({ ...answerFor(purgeRoutes.planPurge), keepUnusedDataFor: 0 })
 */
export const answerFor = <const Route extends ContractRoute>(route: Route) => ({
  query: (arg: ArgOf<Route>): Call => ({ ...callOf(route, arg), needs: route.result }),
  transformResponse: (reply: Reply<ResultOf<Route>>): Reply<ResultOf<Route>> => reply,
});

/**
 * The endpoint of a route that changes something; its data is `{ status, message, result }`, and the message is what to
 * show. A result that is missing or of another shape is left out and fails nothing, as the change is made.
 * @example createTenant: build.mutation({ ...mutationFor(tenantRoutes.create), invalidatesTags: ['Tenants'] })
 */
export const mutationFor = <const Route extends ContractRoute>(route: Route) => ({
  query: (arg: ArgOf<Route>): Call => callOf(route, arg),
  transformResponse: (reply: Reply): Reply<ResultOf<Route> | undefined> => usable(route, reply),
});

/** @returns the answer, with its result if that fits the schema */
export function usable<Route extends ContractRoute>(route: Route, reply: Reply): Reply<ResultOf<Route> | undefined> {
  const fits = (result: unknown): result is ResultOf<Route> => shapeOf(route.result)(result);
  return { ...reply, result: fits(reply.result) ? reply.result : undefined };
}

export function callOf(route: ContractRoute, arg: unknown): Call {
  if (route.query && route.body && isRecord(arg)) return { route, query: recordOf(arg.query), body: arg.body };
  if (route.query) return { route, query: recordOf(arg) };
  return { route, body: arg };
}

const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
