import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Feature } from './features.ts';
import type { PermissionIdentifier } from './permission-catalogue.ts';

/** The two API bases of /config.json (SPEC §7) and the paths that the server mounts them on. */
export const BASE_PATHS = { identity: '/identity', api: '/api' } as const;

export type Base = keyof typeof BASE_PATHS;

/**
 * One call of the API. The server registers it, the console derives its endpoint from it and the OpenAPI page shows it;
 * nothing about a call is written a second time.
 */
export interface ContractRoute {
  feature: Feature;
  summary: string;
  base: Base;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the base, with a leading slash. */
  path: `/${string}`;
  /** What the caller must hold; `public` needs no token, `signed-in` any valid one. */
  permission: PermissionIdentifier | 'public' | 'signed-in';
  /** An API key may make this call, though it needs no permission. Without it a call that is `signed-in` is refused to keys. */
  byKey?: true;
  /** Only who has signed in may make this call: an API token is refused, though it only reads. */
  bySession?: true;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Shape of `result` in the answer. */
  result: z.ZodType;
  /** What it is refused with, beyond what follows from the rest of the definition (contract/refusals). */
  errors?: readonly ErrorCode[];
  /** `result` is JSON text that PostgreSQL builds and the server passes on unparsed; tests check it against the schema. */
  list?: true;
  /** Wants a fresh proof of who the caller is, not older than 15 minutes (decision 045). */
  fresh?: true;
  /** The answer holds a token: it is never compressed, so that its length tells nothing of it (BREACH). */
  secret?: true;
  /** The answer carries an `ETag` of its bytes; an If-None-Match that names it is answered with 304. */
  tagged?: true;
  /** Changes nothing, though it is no GET: what it is asked about may be too long for an address. */
  plans?: true;
  /** A GET of the spec that changes something (DECISIONS §3). */
  mutates?: true;
  /**
   * Starts a durable operation (DECISIONS §8). The call waits for its end and answers with its result; where that takes longer, or
   * the caller sends `Prefer: respond-async` (RFC 7240), it answers 202 with contract/operations `accepted`.
   */
  operation?: true;
  /** Makes something, or adds to it: with a header `Idempotency-Key` the same call is done once, however often it is sent (decision 055). */
  keyed?: true;
  /** The body may come as a form, too. */
  form?: true;
  /** The body is one file, streamed as application/octet-stream. */
  upload?: true;
  /** The answer is a file. */
  download?: true;
  /** Media types of that file; absent: any bytes. */
  fileTypes?: readonly string[];
}

/** Keeps the literal types of a route declaration. */
export const route = <const Route extends ContractRoute>(definition: Route): Route => definition;

/** Parsed query and body, as the server's handler gets them. */
export type QueryOf<Route> = Route extends { query: infer Schema extends z.ZodType } ? z.output<Schema> : undefined;
export type BodyOf<Route> = Route extends { body: infer Schema extends z.ZodType } ? z.output<Schema> : undefined;
/** What a caller may send, before defaults are filled in. */
export type QueryInput<Route> = Route extends { query: infer Schema extends z.ZodType } ? z.input<Schema> : undefined;
export type BodyInput<Route> = Route extends { body: infer Schema extends z.ZodType } ? z.input<Schema> : undefined;
export type ResultOf<Route> = Route extends { result: infer Schema extends z.ZodType } ? z.output<Schema> : never;
