import type { CALLS } from './generated/calls.ts';
import type { components, operations } from './generated/schema.ts';

/** The name of a call, such as `tenants.create`. */
export type CallName = keyof typeof CALLS & keyof operations;

/** Records as answers have them. */
export type Schemas = components['schemas'];

/** A durable operation with its result. */
export type Operation = Schemas['OperationDetails'];

/** What an upload takes. A stream is sent as it comes, once. */
type File = Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

type BodyOf<Name extends CallName> = operations[Name] extends { requestBody: { content: infer Content } }
  ? { body: Content extends { 'application/json': infer Body } ? Body : File }
  : { body?: never };

/** What a call takes: its query and its body. */
export type Input<Name extends CallName> = Pick<operations[Name]['parameters'], 'query'> & BodyOf<Name>;

type Success<Name extends CallName> = operations[Name]['responses'] extends { 200: { content: infer Content } }
  ? Content
  : never;

/** What a call answers. */
export type Result<Name extends CallName> =
  Success<Name> extends { 'application/json': { result: infer Value } } ? Value : never;

type NamesWith<Flag extends string> = {
  [Name in CallName]: (typeof CALLS)[Name] extends { [Key in Flag]: true } ? Name : never;
}[CallName];

/** Calls that start a durable operation. */
export type OperationName = NamesWith<'isOperation'>;

/** Calls that answer with a file. */
export type DownloadName = {
  [Name in CallName]: 'application/octet-stream' extends keyof Success<Name>
    ? Name
    : 'text/csv' extends keyof Success<Name>
      ? Name
      : never;
}[CallName];

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Of a call that starts an operation: told its id, with which it can be waited for should this wait fail. */
  onStart?: ((operationId: string) => void) | undefined;
  /** Of a call that starts an operation: told how it is, from when it is queued to its end. */
  onProgress?: ((operation: Operation) => void) | undefined;
  /** Of a call that makes something: the same key twice makes it once. Absent: a new one. */
  idempotencyKey?: string | undefined;
}

/** The arguments after a call's name; the input may be left out where everything in it may. */
export type Arguments<Name extends CallName> =
  Record<never, never> extends Input<Name>
    ? [input?: Input<Name>, options?: CallOptions]
    : [input: Input<Name>, options?: CallOptions];
