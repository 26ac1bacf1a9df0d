import type { z } from 'zod';
import type { Feature } from './features.ts';
import type { PermissionIdentifier } from './permission-catalogue.ts';

/** The two API bases of /config.json (SPEC §7) and the paths that the server mounts them on. */
export const BASE_PATHS = { identity: '/identity', api: '/api' } as const;

export type Base = keyof typeof BASE_PATHS;

/**
 * One call of the API. The server registers it, the console derives its endpoint from it and the OpenAPI page shows it;
 * nothing about a call is written a second time.
 */
export interface ContractRoute<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Result extends z.ZodType = z.ZodType,
> {
  feature: Feature;
  summary: string;
  base: Base;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the base, with a leading slash. */
  path: `/${string}`;
  /** What the caller must hold; `public` needs no token, `signed-in` any valid one. */
  permission: PermissionIdentifier | 'public' | 'signed-in';
  query?: Query;
  body?: Body;
  /** Shape of `result` in the answer. */
  result: Result;
  /** `result` is built as JSON text by PostgreSQL and passed on unparsed (HOUSE rule 4); tests check it against the schema. */
  list?: true;
  /** A GET of the spec that changes something (DECISIONS §3). */
  mutates?: true;
}

/** Keeps the literal types of a route declaration. */
export const route = <Query extends z.ZodType, Body extends z.ZodType, Result extends z.ZodType>(
  definition: ContractRoute<Query, Body, Result>,
): ContractRoute<Query, Body, Result> => definition;

export type QueryOf<R> = R extends ContractRoute<infer Query, z.ZodType, z.ZodType> ? z.output<Query> : never;
export type BodyOf<R> = R extends ContractRoute<z.ZodType, infer Body, z.ZodType> ? z.output<Body> : never;
export type ResultOf<R> = R extends ContractRoute<z.ZodType, z.ZodType, infer Result> ? z.output<Result> : never;
/** What a caller may send, before defaults are filled in. */
export type QueryInput<R> = R extends ContractRoute<infer Query, z.ZodType, z.ZodType> ? z.input<Query> : never;
export type BodyInput<R> = R extends ContractRoute<z.ZodType, infer Body, z.ZodType> ? z.input<Body> : never;
