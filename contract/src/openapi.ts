import { z } from 'zod';
import { backup } from './backups.ts';
import { database, databaseDetails } from './databases.ts';
import { ERRORS, type ErrorCode } from './errors.ts';
import { FEATURES } from './features.ts';
import { GROWING } from './fields.ts';
import { menu } from './menus.ts';
import { exampleOf, hasExample, type JsonSchema } from './openapi-examples.ts';
import { ACCEPTED_HEADERS, FILE_HEADERS, failureHeaders } from './openapi-headers.ts';
import { accepted, operation, operationDetails } from './operations.ts';
import { permission } from './permissions.ts';
import { changes, refusalsOf, takesKeys } from './refusals.ts';
import { failureReply } from './reply.ts';
import { BASE_PATHS, type ContractRoute } from './route.ts';
import { CALLS } from './routes.ts';
import { tenant } from './tenants.ts';
import { user } from './users.ts';

type Json = Record<string, unknown>;
type Direction = 'input' | 'output';

/** The contract as an OpenAPI 3.1 document (spec.openapis.org/oas/v3.1.0). @param version of the server */
export function openApiDocument(version: string) {
  const components = { schemas: {} as Json, responses: {} as Json, securitySchemes: SECURITY_SCHEMES };
  const paths: Record<string, Json> = {};
  for (const [name, route] of CALLS) {
    const path = BASE_PATHS[route.base] + route.path;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(name, route, components) };
  }
  components.schemas.Failure ??= toJsonSchema(failureReply, 'output', components);
  return {
    openapi: '3.1.0' as const,
    info: { title: 'Apotheca', version, description: DESCRIPTION, license: { name: 'UNLICENSED' } },
    servers: [{ url: '/', description: 'The server that answers this document.' }],
    tags: FEATURES.map((name) => ({ name })),
    paths,
    components,
  };
}
export type OpenApiDocument = ReturnType<typeof openApiDocument>;

type Components = OpenApiDocument['components'];

const DESCRIPTION =
  'Every answer but a file is JSON: `{ status, success, message, result }`, or, where a call fails, `{ status, success, message, title }` ' +
  'with `errors` by field where fields are to blame. Messages are English; `messageKeys` and `errorKeys` have the sentences of each by a key, ' +
  'which is the English text with names in place of values, and those values, for showing them in another language. Answers to API keys and API tokens say in `RateLimit` how many more calls they may make, and in `RateLimit-Policy` how many a minute. Each of these answers has the id of its request in `X-Request-Id`. A JSON body must have come within 10 seconds, and a file must go on within them; else the answer is a 408 without a body. Answers may get more fields, and a field with `x-extensible-enum` more values.';

/** Both are sent as `Authorization: Bearer …`. */
const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a sign-in, or a token of /identity/auth/generate-token, which can only read.',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'apk_…',
    description:
      'An API key of a person or a service account. It needs the scope of the permission that the call names; a call that names none takes every key, if this scheme is among its own.',
  },
} as const;

/** Which of them a call takes. */
function securityOf(route: ContractRoute) {
  if (route.permission === 'public') return [];
  return [{ bearer: [] }, ...(takesKeys(route) ? [{ apiKey: [] }] : [])];
}

function describe(operationId: string, route: ContractRoute, components: Components): Json {
  const { feature, summary, permission: needed, fresh } = route;
  const parameters = [...queryParameters(route, components), ...headerParameters(route)];
  return {
    operationId,
    tags: [feature],
    summary,
    description: descriptionOf(route),
    'x-permission': needed,
    ...(fresh && { 'x-fresh-proof': true }),
    ...(route.method === 'GET' && changes(route) && { 'x-mutates': true }),
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(route, components),
    responses: { ...successes(route, components), ...failures(route, components) },
  };
}

function descriptionOf({ permission: needed, mutates, fresh }: ContractRoute): string {
  return [
    `Permission: ${needed}`,
    ...(mutates ? ['Changes data though it is a GET'] : []),
    ...(fresh
      ? [
          'Wants a proof of who calls that is not older than 15 minutes (POST /identity/auth/prove); an API key needs none',
        ]
      : []),
  ].join('. ');
}

/** Where alternatives take different fields, a field is required when all of them require it. */
function queryParameters({ query }: ContractRoute, components: Components): Json[] {
  if (!query) return [];
  const schema = toJsonSchema(query, 'input', components);
  const alternatives = schema.oneOf ?? schema.anyOf ?? [schema];
  const names = new Set(alternatives.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...names].map((name) => {
    const required = alternatives.every((each) => each.required?.includes(name));
    const merged = mergeAlternatives(
      alternatives.flatMap(({ properties = {} }) => (properties[name] ? [properties[name]] : [])),
    );
    const example = { example: exampleOf(merged, components.schemas, name) };
    return { name, in: 'query', required, schema: merged, ...((required || hasExample(name)) && example) };
  });
}

function mergeAlternatives(schemas: JsonSchema[]): JsonSchema {
  const [first = {}, ...others] = schemas;
  if (others.every((other) => JSON.stringify(other) === JSON.stringify(first))) return first;
  const values = schemas.map((schema) => schema.const);
  return values.includes(undefined) ? { anyOf: schemas } : { type: 'string', enum: values };
}

function headerParameters(route: ContractRoute): Json[] {
  return [
    ...(isTagged(route)
      ? [header('If-None-Match', 'An `ETag` of an earlier answer: if it still holds, the answer is 304.')]
      : []),
    ...(route.operation
      ? [header('Prefer', '`respond-async`: answer 202 at once, without waiting for the end (RFC 7240).')]
      : []),
    ...(route.keyed ? [header('Idempotency-Key', KEY, { type: 'string', minLength: 1, maxLength: 255 })] : []),
  ];
}

const KEY =
  'A name for this call, such as a UUID, kept for a day: sent again with the same name, the call is done once and answered the same.';

const header = (name: string, description: string, schema: Json = { type: 'string' }): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
});

const isTagged = ({ list, tagged }: ContractRoute): boolean => list === true || tagged === true;

const ANY_BYTES = 'application/octet-stream';

/** A file of one of these media types. */
const file = (types: readonly string[] = [ANY_BYTES]): Json =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]));

function requestBody({ body, upload, form }: ContractRoute, components: Components): Json {
  if (upload) return { requestBody: { required: true, description: 'The file itself.', content: file() } };
  if (!body) return {};
  const schema = toJsonSchema(body, 'input', components);
  const sent = { schema, example: exampleOf(schema, components.schemas) };
  const content = { ...(form && { 'application/x-www-form-urlencoded': sent }), 'application/json': sent };
  return { requestBody: { required: true, content } };
}

/** What a call answers that was done, goes on in the background, or gives what the caller has already. */
function successes(route: ContractRoute, components: Components): Json {
  const { operation: isOperation, download, result } = route;
  return {
    200: download
      ? { description: 'The file', headers: FILE_HEADERS, content: file(route.fileTypes) }
      : { description: 'Success', ...etagHeader(route), content: envelope(result, 200, components) },
    ...(isOperation && {
      202: {
        description: 'The operation goes on in the background: `operations.get` tells how it is and how it ended.',
        headers: ACCEPTED_HEADERS,
        content: envelope(accepted, 202, components),
      },
    }),
    ...(isTagged(route) && { 304: { description: 'What the caller has still holds.', ...etagHeader(route) } }),
  };
}

function etagHeader(route: ContractRoute): Json {
  const ETag = { schema: { type: 'string' }, description: 'For If-None-Match of the next call.' };
  return isTagged(route) ? { headers: { ETag } } : {};
}

function envelope(result: z.ZodType, status: number, components: Components): Json {
  const schema = {
    type: 'object',
    properties: {
      status: { type: 'integer', const: status },
      success: { type: 'boolean', const: true },
      message: { type: 'string' },
      result: toJsonSchema(result, 'output', components),
    },
    required: ['status', 'success', 'message', 'result'],
  } satisfies JsonSchema;
  return { 'application/json': { schema, example: exampleOf(schema, components.schemas) } };
}

/** The answers of refusals by status. Those of the same errors are described once. */
function failures(route: ContractRoute, components: Components): Json {
  const byStatus = Map.groupBy(new Set(refusalsOf(route)), (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const name = codes.join('.');
      components.responses[name] ??= failure(status, codes);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function failure(status: number, codes: ErrorCode[]): Json {
  const titles = [...new Set(codes.map((code) => ERRORS[code].title))];
  const examples = codes.map((code) => {
    const { title, message } = ERRORS[code];
    return [code, { value: { status, success: false, message, title, ...(code === 'invalid' && FIELD_ERRORS) } }];
  });
  return {
    description: titles.join(', or: '),
    'x-errors': codes,
    ...failureHeaders(status, codes),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Failure' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

const FIELD_ERRORS = { errors: { databaseName: ['Database Name is required.'] } };

/** Records that have a name in the document. */
const NAMES = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries({
  Backup: backup,
  Database: database,
  DatabaseDetails: databaseDetails,
  Menu: menu,
  Operation: operation,
  OperationDetails: operationDetails,
  Permission: permission,
  Tenant: tenant,
  User: user,
}))
  NAMES.add(schema, { id });

/** A schema in the words of JSON Schema. Schemas with a name go into the document's components. */
function toJsonSchema(schema: z.ZodType, io: Direction, { schemas }: Components): JsonSchema {
  const {
    $schema: _,
    $defs,
    ...made
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    metadata: NAMES,
    override: ({ zodSchema, jsonSchema }) => loosen(jsonSchema as JsonSchema, io, GROWING.get(zodSchema)?.values),
  });
  const inDocument = <T>(part: T): T =>
    JSON.parse(JSON.stringify(part).replaceAll('"#/$defs/', '"#/components/schemas/'));
  for (const [name, named] of Object.entries($defs ?? {})) {
    const { id: _id, $id: _$id, ...rest } = named as JsonSchema;
    schemas[name] ??= inDocument(rest);
  }
  const { id: name, ...rest } = made as JsonSchema;
  if (typeof name !== 'string') return inDocument(rest);
  schemas[name] ??= inDocument(rest);
  return { $ref: `#/components/schemas/${name}` };
}

/** Takes away what would make every addition a breach: closed objects of answers, and lists of values that grow. @param growing such a list */
function loosen(schema: JsonSchema, io: Direction, growing?: readonly string[]): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  // The format says the same in a word.
  if (schema.format) delete schema.pattern;
  if (io === 'input') return;
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (growing) {
    schema['x-extensible-enum'] = growing;
    delete schema.enum;
  }
}
