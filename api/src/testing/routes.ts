import { BASE_PATHS, type ContractRoute } from '@apotheca/contract/route';
import type { InjectOptions } from 'fastify';
import type { TestApp } from './app.ts';

export const urlOf = ({ base, path }: ContractRoute): string => BASE_PATHS[base] + path;
export const titleOf = (route: ContractRoute): string => `${route.method} ${urlOf(route)}`;

export interface RouteCall {
  token?: string;
  /** Absent: the route's method. */
  method?: string;
  headers?: Record<string, string>;
  /** The body, sent as it is. */
  payload?: string;
}

/** Calls a route without its input. */
function callRoute({ app }: TestApp, route: ContractRoute, call: RouteCall = {}) {
  const { token, method = route.method, headers, payload } = call;
  const authorization = token && { authorization: `Bearer ${token}` };
  return app.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url: urlOf(route),
    headers: { ...authorization, ...headers },
    ...(payload !== undefined && { payload }),
  });
}

export type RouteResponse = Awaited<ReturnType<typeof callRoute>>;

/** Calls routes and gives what `read` returns for each answer by the route's title, so that a failure names the route. */
export async function walkRoutes<T>(
  test: TestApp,
  routes: readonly ContractRoute[],
  callOf: (route: ContractRoute) => RouteCall,
  read: (response: RouteResponse) => T,
): Promise<Record<string, T>> {
  const answers: Record<string, T> = {};
  for (const route of routes) answers[titleOf(route)] = read(await callRoute(test, route, callOf(route)));
  return answers;
}

/** The expected result of {@link walkRoutes}. */
export const forRoutes = <T>(
  routes: readonly ContractRoute[],
  expected: (route: ContractRoute) => T,
): Record<string, T> => Object.fromEntries(routes.map((route) => [titleOf(route), expected(route)]));
