import type { BodyInput, ContractRoute, QueryInput, ResultOf } from '@apotheca/contract/route';
import type { Dispatch } from '@reduxjs/toolkit';
import { createApi } from '@reduxjs/toolkit/query/react';
import { isRecord } from '../../lib/is-record.ts';
import { isApiError } from '../../transport/api-error.ts';
import { shapeOf } from '../../transport/shape.ts';
import type { Call, Reply } from '../../transport/transport.ts';
import { baseQuery } from './base-query.ts';

const TAGS = [
  'Tenants',
  'Users',
  'Sessions',
  'Permissions',
  'TenantPermissions',
  'Menus',
  'Faqs',
  'Lookups',
  'Dashboard',
  'Databases',
  'Backups',
  'Purges',
  'Operations',
  'Reconciliation',
] as const;
type Tag = (typeof TAGS)[number];

/** The console's one API: each feature injects its endpoints, taken from the contract's routes. */
export const api = createApi({
  reducerPath: 'api',
  baseQuery,
  // A call that waits for its operation is pending for minutes: the default would hold every list's reload back until then.
  invalidationBehavior: 'immediately',
  tagTypes: TAGS,
  endpoints: () => ({}),
});

/**
 * Reloads what a call has changed; a failed call has changed nothing, unless it found that its row is gone.
 * @example deleteTenant: build.mutation({ ...mutationFor(tenantRoutes.delete), invalidatesTags: unlessFailed('Tenants') })
 */
export const unlessFailed =
  <Name extends Tag>(...tags: Name[]) =>
  (_result: unknown, error: unknown): Name[] =>
    error === undefined || isGone(error) ? tags : [];

/**
 * Reloads the lists that still show a row when a look at it is answered 404. For queries that are no list themselves.
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

/** What RTK Query hands to `onQueryStarted`, as far as it is needed. */
interface StartedQuery {
  dispatch: Dispatch;
  queryFulfilled: PromiseLike<unknown>;
}

const isGone = (error: unknown): boolean => isApiError(error) && error.status === 404;

/** What an endpoint takes: the route's query or its body, `{ query, body }` where it has both, nothing where neither. */
export type ArgOf<Route> =
  QueryInput<Route> extends undefined
    ? BodyInput<Route> extends undefined
      ? // biome-ignore lint/suspicious/noConfusingVoidType: RTK Query's word for 'no argument', which lets hooks be called without one.
        void
      : BodyInput<Route>
    : BodyInput<Route> extends undefined
      ? QueryInput<Route>
      : { query: QueryInput<Route>; body: BodyInput<Route> };

/**
 * The endpoint of a reading route; its data is the answer's `result`. A result of another shape is a failure of the call,
 * as nothing can be shown of it.
 * @example listTenants: build.query({ ...queryFor(tenantRoutes.list), providesTags: ['Tenants'] })
 */
export const queryFor = <const Route extends ContractRoute>(route: Route) => ({
  query: (arg: ArgOf<Route>): Call => ({ ...callOf(route, arg), needs: route.result }),
  transformResponse: (reply: Reply<ResultOf<Route>>): ResultOf<Route> => reply.result,
});

/**
 * As `queryFor`, where the answer's message is to be shown too; its data is `{ status, message, result }`.
 * @example planPurge: build.query({ ...answerFor(purgeRoutes.planPurge), keepUnusedDataFor: 0 })
 */
export const answerFor = <const Route extends ContractRoute>(route: Route) => ({
  query: (arg: ArgOf<Route>): Call => ({ ...callOf(route, arg), needs: route.result }),
  transformResponse: (reply: Reply<ResultOf<Route>>): Reply<ResultOf<Route>> => reply,
});

/**
 * The endpoint of a changing route; its data is `{ status, message, result }`, the message being what to show. What was
 * changed is changed: a result that is missing, or of another shape, is left out.
 * @example createTenant: build.mutation({ ...mutationFor(tenantRoutes.create), invalidatesTags: ['Tenants'] })
 */
export const mutationFor = <const Route extends ContractRoute>(route: Route) => ({
  query: (arg: ArgOf<Route>): Call => callOf(route, arg),
  transformResponse: (reply: Reply): Reply<ResultOf<Route> | undefined> => usable(route, reply),
});

/** @returns the answer, with its result if that can be used */
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
