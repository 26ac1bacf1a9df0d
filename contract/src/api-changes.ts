import { z } from 'zod';
import type { OpenApiDocument } from './openapi.ts';
import type { JsonSchema } from './openapi-examples.ts';
import { successReply } from './reply.ts';

/** What callers of a call rely on, in short. */
export interface PublishedCall {
  name: string;
  /** Method and path. */
  address: string;
  permission: string;
  isFresh: boolean;
  security: string[];
  query: Record<string, { required: boolean; schema: JsonSchema }>;
  /** By media type. */
  body: Record<string, JsonSchema>;
  /** Of each status of success the result by media type. Errors may come and go. */
  answers: Record<string, Record<string, JsonSchema>>;
}

/** The API as its callers rely on it. */
export interface PublishedApi {
  version: string;
  calls: PublishedCall[];
  schemas: Record<string, JsonSchema>;
}

interface Content {
  content?: Record<string, { schema: JsonSchema }>;
}

interface Described {
  operationId: string;
  'x-permission': string;
  'x-fresh-proof'?: true;
  security: object[];
  parameters?: { name: string; in: string; required: boolean; schema: JsonSchema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

/** What of a document callers rely on. */
export function publishedApi({ info, paths, components }: OpenApiDocument): PublishedApi {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) =>
      publishedCall(`${method.toUpperCase()} ${path}`, call as Described),
    ),
  );
  const schemas = { ...(components.schemas as Record<string, JsonSchema>), Success: SUCCESS };
  return { version: info.version, calls: calls.toSorted((one, other) => (one.name < other.name ? -1 : 1)), schemas };
}

/** What every success is, around its result. */
const { $schema: _, ...SUCCESS } = z.toJSONSchema(successReply(z.unknown()), { io: 'output' }) as JsonSchema;
/** The named schemas that every call may answer. */
const EVERYWHERE = ['Success', 'Failure'];

function publishedCall(address: string, call: Described): PublishedCall {
  const { operationId: name, parameters = [], requestBody, responses } = call;
  const query = parameters.filter((parameter) => parameter.in === 'query');
  return {
    name,
    address,
    permission: call['x-permission'],
    isFresh: call['x-fresh-proof'] === true,
    security: call.security.flatMap(Object.keys),
    query: Object.fromEntries(query.map((each) => [each.name, { required: each.required, schema: each.schema }])),
    body: schemasOf(requestBody),
    answers: Object.fromEntries(
      Object.entries(responses)
        .filter(([status]) => Number(status) < 400)
        .map(([status, answer]) => [status, resultsOf(answer)]),
    ),
  };
}

const schemasOf = ({ content = {} }: Content = {}) =>
  Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, schema]));

/** The results in answers, whose envelope is the same everywhere. */
const resultsOf = (content: Content) =>
  Object.fromEntries(
    Object.entries(schemasOf(content)).map(([type, schema]) => [type, schema.properties?.result ?? schema]),
  );

/** What of an older API its callers cannot rely on any more; what was added is no matter. */
export function breakingChanges(older: PublishedApi, newer: PublishedApi): string[] {
  const byName = new Map(newer.calls.map((call) => [call.name, call]));
  const taken = new Comparison(older.schemas, newer.schemas, true);
  const answered = new Comparison(newer.schemas, older.schemas, false);
  const everywhere = EVERYWHERE.flatMap((name) =>
    answered.within(newer.schemas[name] ?? {}, older.schemas[name] ?? {}, name),
  );
  const changes = older.calls.flatMap((call) => {
    const now = byName.get(call.name);
    if (!now) return [`${call.name} is gone`];
    const found = [
      ...changesOfCall(call, now),
      ...changesOfInput(taken, call, now),
      ...changesOfAnswers(answered, call, now),
    ];
    return found.map((change) => `${call.name}: ${change}`);
  });
  return [...everywhere, ...changes];
}

function changesOfCall(was: PublishedCall, is: PublishedCall): string[] {
  const lost = was.security.filter((scheme) => !is.security.includes(scheme));
  return [
    ...(is.address === was.address ? [] : [`${was.address} has become ${is.address}`]),
    ...(is.permission === was.permission ? [] : [`needs ${is.permission} and not ${was.permission}`]),
    ...(is.isFresh && !was.isFresh ? ['wants a fresh proof'] : []),
    // A call that has become public takes every caller.
    ...(is.permission === 'public' ? [] : lost.map((scheme) => `is not made by ${scheme} any more`)),
  ];
}

function changesOfInput(taken: Comparison, was: PublishedCall, is: PublishedCall): string[] {
  const gone = Object.keys(was.query).filter((name) => !(name in is.query));
  const asked = Object.entries(is.query).flatMap(([name, { required, schema }]) => {
    const before = was.query[name];
    if (required && !before?.required) return [`query ${name} is required`];
    return before ? taken.within(before.schema, schema, `query ${name}`) : [];
  });
  const bodies = Object.entries(was.body).flatMap(([type, schema]) => {
    const now = is.body[type];
    return now ? taken.within(schema, now, 'body') : [`takes no ${type}`];
  });
  const isNew = Object.keys(was.body).length === 0 && Object.keys(is.body).length > 0;
  return [...gone.map((name) => `query ${name} is gone`), ...asked, ...bodies, ...(isNew ? ['wants a body'] : [])];
}

function changesOfAnswers(answered: Comparison, was: PublishedCall, is: PublishedCall): string[] {
  const added = Object.keys(is.answers).filter((status) => !(status in was.answers));
  const changed = Object.entries(was.answers).flatMap(([status, content]) => {
    const now = is.answers[status];
    if (!now) return [`is not answered ${status} any more`];
    const others = Object.keys(now).filter((type) => !(type in content));
    const lost = Object.entries(content).flatMap(([type, schema]) => {
      const answer = now[type];
      return answer ? answered.within(answer, schema, `answer ${status}`) : [`does not answer ${type}`];
    });
    return [...others.map((type) => `may answer ${type}`), ...lost];
  });
  return [...added.map((status) => `may be answered ${status}`), ...changed];
}

type Schemas = Record<string, JsonSchema>;

/**
 * Finds what of a narrow schema a wide one does not take: what callers send must be taken still, so of input the older schema is the narrow
 * one; what they are answered must be no more than they know, so of answers it is the wide one.
 */
class Comparison {
  readonly #narrow: Schemas;
  readonly #wide: Schemas;
  readonly #isInput: boolean;
  /** Pairs of named schemas that are being compared, as a schema may name itself. */
  readonly #open = new Set<string>();

  /** The named schemas of both sides. */
  constructor(narrow: Schemas, wide: Schemas, isInput: boolean) {
    this.#narrow = narrow;
    this.#wide = wide;
    this.#isInput = isInput;
  }

  /** In how far a value of the narrow schema may be none of the wide one. */
  within(narrow: JsonSchema, wide: JsonSchema, at: string): string[] {
    const pair = `${narrow.$ref} ${wide.$ref}`;
    if (this.#open.has(pair)) return [];
    const isNamed = narrow.$ref !== undefined && wide.$ref !== undefined;
    if (isNamed) this.#open.add(pair);
    const others = alternativesOf(named(wide, this.#wide));
    const found = alternativesOf(named(narrow, this.#narrow)).flatMap((one) =>
      others
        .map((other) => this.#compare(one, other, at))
        .reduce((least, each) => (each.length < least.length ? each : least)),
    );
    if (isNamed) this.#open.delete(pair);
    return found;
  }

  #compare(narrow: JsonSchema, wide: JsonSchema, at: string): string[] {
    if (narrow.$ref || wide.$ref) return this.within(narrow, wide, at);
    const isKnown = wide.type === undefined || narrow.type === wide.type;
    if (!isKnown && !(narrow.type === 'integer' && wide.type === 'number')) {
      return [`${at} is ${this.#isInput ? wide.type : (narrow.type ?? 'anything')}`];
    }
    return [
      ...this.#values(narrow, wide, at),
      ...limits(narrow, wide, at),
      ...this.#fields(narrow, wide, at),
      ...(wide.items ? this.within(narrow.items ?? {}, wide.items, `${at}[]`) : []),
    ];
  }

  #values(narrow: JsonSchema, wide: JsonSchema, at: string): string[] {
    const [values, known] = [valuesOf(narrow), valuesOf(wide)];
    if (!known) return [];
    const others = values?.filter((value) => !known.includes(value)) ?? ['any value'];
    return others.map((value) => `${at} ${this.#isInput ? 'does not take' : 'may be'} ${value}`);
  }

  #fields(narrow: JsonSchema, wide: JsonSchema, at: string): string[] {
    const [was, is] = this.#isInput ? [narrow, wide] : [wide, narrow];
    const gone = Object.keys(was.properties ?? {}).filter((name) => !(name in (is.properties ?? {})));
    const missing = (wide.required ?? []).filter((name) => !narrow.required?.includes(name) && !gone.includes(name));
    const changed = Object.entries(narrow.properties ?? {}).flatMap(([name, field]) => {
      const other = wide.properties?.[name];
      return other ? this.within(field, other, `${at}.${name}`) : [];
    });
    return [
      ...gone.map((name) => `${at}.${name} is gone`),
      ...missing.map((name) => `${at}.${name} ${this.#isInput ? 'is required' : 'may be missing'}`),
      ...changed,
    ];
  }
}

const named = (schema: JsonSchema, schemas: Schemas): JsonSchema =>
  schema.$ref ? (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;

function alternativesOf(schema: JsonSchema): JsonSchema[] {
  const listed = schema.anyOf ?? schema.oneOf;
  if (listed) return listed.flatMap(alternativesOf);
  return Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [schema];
}

const valuesOf = (schema: JsonSchema): unknown[] | undefined =>
  schema.const === undefined ? schema.enum : [schema.const];

/** Limits that grow when they are loosened, and those that shrink. */
const LIMITS = {
  maxLength: 1,
  maximum: 1,
  maxItems: 1,
  minLength: -1,
  minimum: -1,
  minItems: -1,
  exclusiveMinimum: -1,
};
const WORDS = ['pattern', 'format'];

function limits(narrow: JsonSchema, wide: JsonSchema, at: string): string[] {
  const crossed = Object.entries(LIMITS).filter(([limit, sign]) => {
    const [own, most] = [narrow[limit], wide[limit]] as [number | undefined, number | undefined];
    return most !== undefined && (own === undefined || (own - most) * sign > 0);
  });
  const words = WORDS.filter((word) => wide[word] !== undefined && wide[word] !== narrow[word]);
  return [
    ...crossed.map(([limit]) => `${at}: ${limit} is ${wide[limit]}`),
    ...words.map((word) => `${at}: ${word} is ${wide[word]}`),
  ];
}
