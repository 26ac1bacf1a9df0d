import type { BodyInput, ContractRoute, QueryInput, ResultOf } from '@apotheca/contract/route';
import { createApi } from '@reduxjs/toolkit/query/react';
import { isRecord } from '../lib/is-record.ts';
import { isApiError } from './api-error.ts';
import { baseQuery } from './base-query.ts';
import type { Call, Reply } from './transport.ts';

/** The console's one API: each feature injects its endpoints, taken from the contract's routes. */
export const api = createApi({
  reducerPath: 'api',
  baseQuery,
  // A call that waits for its operation is pending for minutes: the default would hold every list's reload back until then.
  invalidationBehavior: 'immediately',
  tagTypes: [
    'Tenants',
    'Users',
    'Sessions',
    'Permissions',
    'Menus',
    'Faqs',
    'Lookups',
    'Dashboard',
    'Databases',
    'Backups',
    'Purges',
    'Operations',
    'Reconciliation',
  ],
  endpoints: () => ({}),
});

/**
 * Reloads what a call has changed; a failed call has changed nothing, unless it found that its row is gone.
 * @example deleteTenant: build.mutation({ ...mutationFor(tenantRoutes.delete), invalidatesTags: unlessFailed('Tenants') })
 */
export const unlessFailed =
  <Tag extends string>(...tags: Tag[]) =>
  (_result: unknown, error: unknown): Tag[] =>
    error === undefined || isGone(error) ? tags : [];

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
 * The endpoint of a reading route; its data is the answer's `result`.
 * @example listTenants: build.query({ ...queryFor(tenantRoutes.list), providesTags: ['Tenants'] })
 */
export const queryFor = <const Route extends ContractRoute>(route: Route) => ({
  query: (arg: ArgOf<Route>): Call => callOf(route, arg),
  transformResponse: (reply: Reply<ResultOf<Route>>): ResultOf<Route> => reply.result,
});

/**
 * The endpoint of a changing route; its data is `{ status, message, result }`, the message being what to show.
 * @example createTenant: build.mutation({ ...mutationFor(tenantRoutes.create), invalidatesTags: ['Tenants'] })
 */
export const mutationFor = <const Route extends ContractRoute>(route: Route) => ({
  query: (arg: ArgOf<Route>): Call => callOf(route, arg),
  transformResponse: (reply: Reply<ResultOf<Route>>): Reply<ResultOf<Route>> => reply,
});

export function callOf(route: ContractRoute, arg: unknown): Call {
  if (route.query && route.body && isRecord(arg)) return { route, query: recordOf(arg.query), body: arg.body };
  if (route.query) return { route, query: recordOf(arg) };
  return { route, body: arg };
}

const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
