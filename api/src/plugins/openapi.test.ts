import { BASE_PATHS, type ContractRoute } from '@apotheca/contract/route';
import { ROUTES } from '@apotheca/contract/routes';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { useTestApp } from '../testing/app.ts';

const test = useTestApp();

const urlOf = ({ base, path }: ContractRoute) => BASE_PATHS[base] + path;
const titleOf = (route: ContractRoute) => `${route.method} ${urlOf(route)}`;

/** API keys make calls with a permission, and those that say so. */
function securityOf({ permission, byKey }: ContractRoute) {
  if (permission === 'public') return undefined;
  return permission !== 'signed-in' || byKey ? [{ bearer: [] }, { apiKey: [] }] : [{ bearer: [] }];
}

describe('the OpenAPI document', () => {
  const read = async () => (await test.app.inject('/openapi.json')).json();

  it('describes every call of the contract and no other [§7]', async () => {
    const { openapi, paths } = await read();
    const described = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(openapi).toBe('3.1.0');
    expect(described.toSorted()).toEqual(ROUTES.map(titleOf).toSorted());
  });

  it('gives the parameters, the body, the answer and the permission of every call, and whether it wants a fresh proof [§7]', async () => {
    const { paths } = await read();
    for (const route of ROUTES) {
      const operation = paths[urlOf(route)][route.method.toLowerCase()];
      const parameters = (operation.parameters ?? []).map(({ name }: { name: string }) => name);
      expect(parameters, titleOf(route)).toEqual(fieldsOf(route.query));
      const body = operation.requestBody?.content['application/json'].schema;
      expect(body !== undefined, titleOf(route)).toBe(route.body !== undefined);
      expect(Object.keys(body?.properties ?? {}), titleOf(route)).toEqual(fieldsOf(route.body));
      const answer = operation.responses[200].content['application/json'].schema;
      expect(Object.keys(answer.properties), titleOf(route)).toEqual(['status', 'success', 'message', 'result']);
      expect(operation.security, titleOf(route)).toEqual(securityOf(route));
      expect(operation, titleOf(route)).toMatchObject({ tags: [route.feature], summary: route.summary });
      expect(operation.description, titleOf(route)).toContain(route.permission);
      expect(operation.description.includes('/auth/prove'), titleOf(route)).toBe(route.fresh === true);
    }
  });

  it('has a page at /docs that needs no inline script [§7]', async () => {
    const page = await test.app.inject('/docs');
    expect(page).toMatchObject({ statusCode: 200 });
    expect(page.headers['content-type']).toMatch(/text\/html/);
    expect(page.body).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect((await test.app.inject('/docs/json')).json().paths).toEqual((await read()).paths);
  });
});

/** Names of an object schema's fields; empty for other schemas, such as a list of names. */
const fieldsOf = (schema: z.ZodType | undefined) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);
