import { ERRORS } from '@apotheca/contract/errors';
import { openApiDocument } from '@apotheca/contract/openapi';
import type { JsonSchema } from '@apotheca/contract/openapi-examples';
import { BASE_PATHS, type ContractRoute } from '@apotheca/contract/route';
import { CALLS, ROUTES } from '@apotheca/contract/routes';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { useTestApp } from '../testing/app.ts';

const test = useTestApp();

const urlOf = ({ base, path }: ContractRoute) => BASE_PATHS[base] + path;
const titleOf = (route: ContractRoute) => `${route.method} ${urlOf(route)}`;

/** API keys make calls with a permission, and those that say so. */
function securityOf({ permission, byKey }: ContractRoute) {
  if (permission === 'public') return [];
  return permission !== 'signed-in' || byKey ? [{ bearer: [] }, { apiKey: [] }] : [{ bearer: [] }];
}

const read = async () => (await test.app.inject('/openapi.json')).json();

describe('the OpenAPI document', () => {
  it('is valid by the schema of OpenAPI 3.1 [§7]', async () => {
    const document = await read();
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
    const { openapi: _, ...broken } = document;
    expect(await new Validator().validate(broken)).toMatchObject({ valid: false });
  });

  it('describes every call of the contract and no other, each under a name of its own [§7]', async () => {
    const { openapi, paths } = await read();
    const described = Object.entries<Record<string, { operationId: string }>>(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, `${method.toUpperCase()} ${path}`]),
    );
    expect(openapi).toBe('3.1.0');
    expect(described.toSorted()).toEqual([...CALLS].map(([name, route]) => [name, titleOf(route)]).toSorted());
    expect(CALLS.size).toBe(ROUTES.length);
    expect(CALLS.get('tenants.create')).toBe(tenantRoutes.create);
  });

  it('gives the parameters, the body, the answer and the permission of every call, and whether it wants a fresh proof [§7]', async () => {
    const { paths } = await read();
    for (const route of ROUTES) {
      const operation = paths[urlOf(route)][route.method.toLowerCase()];
      const parameters: { name: string; in: string }[] = operation.parameters ?? [];
      const named = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      expect(named, titleOf(route)).toEqual(fieldsOf(route.query));
      const headers = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
      expect(headers, titleOf(route)).toEqual([
        ...(route.list || route.tagged ? ['If-None-Match'] : []),
        ...(route.operation ? ['Prefer'] : []),
        ...(route.keyed ? ['Idempotency-Key'] : []),
      ]);
      const body = operation.requestBody?.content['application/json']?.schema;
      expect(body !== undefined, titleOf(route)).toBe(route.body !== undefined);
      const file = operation.requestBody?.content['application/octet-stream'];
      expect(file !== undefined, titleOf(route)).toBe(route.upload === true);
      const content = operation.responses[200].content;
      const answer = route.download ? undefined : Object.keys(content['application/json'].schema.properties);
      expect(answer, titleOf(route)).toEqual(route.download ? undefined : ['status', 'success', 'message', 'result']);
      expect(operation.responses[202] !== undefined, titleOf(route)).toBe(route.operation === true);
      expect(operation.responses[304] !== undefined, titleOf(route)).toBe(route.list === true || route.tagged === true);
      expect(operation.security, titleOf(route)).toEqual(securityOf(route));
      expect(operation, titleOf(route)).toMatchObject({
        tags: [route.feature],
        summary: route.summary,
        'x-permission': route.permission,
      });
      expect(operation.description.includes('/auth/prove'), titleOf(route)).toBe(route.fresh === true);
    }
  });

  it('names the errors of each refusal, which answer with the status under which they stand [§7]', async () => {
    const { paths, components } = await read();
    for (const route of ROUTES) {
      const { responses } = paths[urlOf(route)][route.method.toLowerCase()];
      const refusals = Object.entries<{ $ref?: string }>(responses).filter(([, { $ref }]) => $ref);
      expect(refusals.length, titleOf(route)).toBeGreaterThan(2);
      for (const [status, { $ref = '' }] of refusals) {
        const codes: (keyof typeof ERRORS)[] = components.responses[$ref.split('/').at(-1) ?? '']['x-errors'];
        expect(new Set(codes.map((code) => ERRORS[code].status)), $ref).toEqual(new Set([Number(status)]));
      }
    }
  });

  it('tells a stale edit and a changed plan of each call that takes a version or a plan, whichever of its forms has that [§7]', async () => {
    const { paths, components } = await read();
    for (const [name, { method, base, path }] of CALLS) {
      const call = paths[BASE_PATHS[base] + path][method.toLowerCase()];
      const forms = formsOf(call.requestBody?.content['application/json']?.schema ?? {});
      const taken = new Set([
        ...(call.parameters ?? []).map((parameter: { name: string }) => parameter.name),
        ...forms.flatMap(({ properties = {} }) => Object.keys(properties)),
      ]);
      const told = components.responses[call.responses[409]?.$ref.split('/').at(-1)]?.['x-errors'] ?? [];
      for (const [field, code] of Object.entries({
        version: 'stale',
        plan: 'plan-changed',
        databaseName: 'reserved-name',
      })) {
        if (taken.has(field)) expect(told, `${name} takes ${field}`).toContain(code);
      }
    }
  });

  it('lets no field be left out that the call then asks for, but where that depends on another field [§7]', () => {
    const document = openApiDocument('1.0.0');
    const asked = [...CALLS].flatMap(([name, { query, body, method, base, path }]) => {
      const { requestBody, parameters = [] } = documentedAt(document, BASE_PATHS[base] + path, method);
      const { schema, example } = requestBody?.content['application/json'] ?? {};
      const queried = parameters.filter((parameter) => parameter.in === 'query');
      const needed = new Set([
        ...queried.filter(({ required }) => required).map((parameter) => parameter.name),
        ...(schema ? formsOf(schema).flatMap(({ required = [] }) => required) : []),
      ]);
      const examples = {
        ...Object.fromEntries(queried.map((each) => [each.name, each.example])),
        ...(example as object),
      };
      const refused = Object.keys(examples).filter((field) => {
        const { [field]: _, ...rest } = examples as Record<string, unknown>;
        const issues = [query, body].flatMap((input) => input?.safeParse(rest).error?.issues ?? []);
        return issues.some(({ path: [at] }) => at === field);
      });
      return refused.filter((field) => !needed.has(field)).map((field) => `${name} ${field}`);
    });
    expect(asked).toEqual(['credentials.resolve code', 'users.create title', 'users.edit confirmPassword']);
  });

  it('tells the type of each field of an answer, but of those that may be anything [§7]', async () => {
    const { paths } = await read();
    const untyped = [...CALLS].flatMap(([name, { method, base, path }]) => {
      const { content = {} } = paths[BASE_PATHS[base] + path][method.toLowerCase()].responses[200];
      return untypedIn(content['application/json']?.schema ?? { type: 'string' }).map((field) => `${name}${field}`);
    });
    expect(untyped).toEqual(['audit.list.result[].changes{}', 'audit.search.result.entries[].changes{}']);
  });

  it('says that the logout token of a provider comes as a form [§7]', async () => {
    const { content } = (await read()).paths['/identity/authenticate/oidc/backchannel'].post.requestBody;
    expect(Object.keys(content)).toEqual(['application/x-www-form-urlencoded', 'application/json']);
  });

  it('names the headers of answers [§7]', async () => {
    const { paths, components } = await read();
    const headersOf = (path: string, method: string, status: number): string[] => {
      const { $ref, headers = {} } = paths[path][method].responses[status];
      return Object.keys($ref ? (components.responses[$ref.split('/').at(-1)].headers ?? {}) : headers);
    };
    const create = (status: number) => headersOf('/api/tenant/create', 'post', status);
    expect([409, 429, 503].map(create)).toEqual([['Retry-After'], ['Retry-After'], ['Retry-After']]);
    expect(headersOf('/api/tenant/edit', 'put', 409)).toEqual([]);
    expect(create(401)).toEqual(['WWW-Authenticate']);
    expect(headersOf('/api/tenant/delete', 'put', 403)).toEqual(['WWW-Authenticate']);
    expect(headersOf('/api/tenant/delete', 'put', 202)).toEqual(['Location', 'Preference-Applied']);
    expect(headersOf('/api/managedatabase/downloadbackup', 'get', 200)).toEqual(['Content-Disposition']);
  });

  it('has examples that its schemas and the contract take [§7]', async () => {
    const document = openApiDocument('1.0.0');
    const checker = examplesOf(document);
    expect(checker.problems).toEqual([]);
    expect(checker.checked).toBeGreaterThan(2 * ROUTES.length);
    for (const [name, { query, body, method, base, path }] of CALLS) {
      const operation = documentedAt(document, BASE_PATHS[base] + path, method);
      const sent = operation.requestBody?.content['application/json']?.example;
      expect(body?.safeParse(sent).error?.issues ?? [], name).toEqual([]);
      const parameters = operation.parameters?.filter(({ example }) => example !== undefined) ?? [];
      const asked = Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.example]));
      expect(query?.safeParse(asked).error?.issues ?? [], name).toEqual([]);
    }
  });

  it('has examples of failures that the schema of failures takes, which says what is in each of them [§7]', () => {
    const { schemas, responses } = openApiDocument('1.0.0').components;
    const isFailure = new Ajv2020({ strict: false }).compile(schemas.Failure as object);
    const failures = Object.values(responses as Record<string, Failures>).flatMap(({ content }) =>
      Object.values(content['application/json'].examples),
    );
    expect(failures.filter(({ value }) => !isFailure(value))).toEqual([]);
    expect(failures.length).toBeGreaterThan(Object.keys(ERRORS).length);
  });

  it('finds an example that its schema does not take [§7]', () => {
    const path = '/api/tenant/create';
    const document = openApiDocument('1.0.0');
    const { requestBody } = documentedAt(document, path, 'POST');
    Object.assign(requestBody?.content['application/json']?.example as object, { licenseCount: 'many' });
    const alone = { ...document, paths: { [path]: document.paths[path] ?? {} } };
    expect(examplesOf(alone).problems).toEqual([expect.stringContaining('/licenseCount must be integer')]);
  });

  it('has a page at /docs that needs no inline script [§7]', async () => {
    const page = await test.app.inject('/docs');
    expect(page).toMatchObject({ statusCode: 200 });
    expect(page.headers['content-type']).toMatch(/text\/html/);
    expect(page.body).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect((await test.app.inject('/docs/json')).json().paths).toEqual((await read()).paths);
  });
});

/** Names of the fields of a query, of all its alternatives; empty where there are none. */
function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (!schema) return [];
  if ('options' in schema) return [...new Set((schema.options as z.ZodType[]).flatMap(fieldsOf))];
  return 'shape' in schema ? Object.keys(schema.shape as object) : [];
}

/** A schema, or its alternatives. */
const formsOf = (schema: JsonSchema): JsonSchema[] => schema.oneOf ?? schema.anyOf ?? [schema];

/** The places of a schema at which anything may stand. */
function untypedIn(schema: JsonSchema, at = ''): string[] {
  if (Object.keys(schema).length === 0) return [at];
  return [
    ...(schema.oneOf ?? schema.anyOf ?? []).flatMap((form) => untypedIn(form, at)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => untypedIn(field, `${at}.${name}`)),
    ...(schema.items ? untypedIn(schema.items, `${at}[]`) : []),
    ...(typeof schema.additionalProperties === 'object' ? untypedIn(schema.additionalProperties, `${at}{}`) : []),
  ];
}

interface Failures {
  content: { 'application/json': { examples: Record<string, { value: object }> } };
}

interface Example {
  schema?: JsonSchema;
  example?: unknown;
}

/** What the document says of a call. */
interface Documented {
  operationId: string;
  parameters?: (Example & { name: string; in: string; required: boolean })[];
  requestBody?: { content: Record<string, Example> };
  responses: Record<string, { content?: Record<string, Example> }>;
}

const documentedAt = ({ paths }: ReturnType<typeof openApiDocument>, path: string, method: string) =>
  paths[path]?.[method.toLowerCase()] as Documented;

/** Compares every example of a document with its schema. */
function examplesOf(document: ReturnType<typeof openApiDocument>): { checked: number; problems: string[] } {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  ajv.addSchema({ $id: 'https://apotheca.test/openapi.json', components: document.components });
  const calls = Object.values(document.paths).flatMap((methods) => Object.values(methods) as Documented[]);
  const examples = calls.flatMap(({ operationId, parameters = [], requestBody, responses }) =>
    [
      ...parameters,
      ...Object.values(requestBody?.content ?? {}),
      ...Object.values(responses).flatMap(({ content = {} }) => Object.values(content)),
    ]
      .filter(({ example }) => example !== undefined)
      .map((each) => ({ operationId, ...each })),
  );
  const problems = examples.flatMap(({ operationId, schema = {}, example }) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"https://apotheca.test/openapi.json#/');
    const isTaken = ajv.compile(JSON.parse(text));
    return isTaken(example) ? [] : [`${operationId}: ${ajv.errorsText(isTaken.errors)}`];
  });
  return { checked: examples.length, problems };
}
