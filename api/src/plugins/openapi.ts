import { readFileSync } from 'node:fs';
import { failureReply, successReply } from '@apotheca/contract/reply';
import { BASE_PATHS, type ContractRoute } from '@apotheca/contract/route';
import { ROUTES } from '@apotheca/contract/routes';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyError, FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { replyError } from './error-reply.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** Serves /openapi.json and its page /docs, both derived from the contract. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  const document = openApiDocument();
  const text = JSON.stringify(document);
  // A path that leads out of the page's folder is a 404.
  app.setErrorHandler<FastifyError>((error, request, reply) =>
    replyError(error.statusCode === 403 ? new AppError('no-route') : error, request, reply),
  );
  await app.register(swagger, { mode: 'static', specification: { document } });
  // The page has no policy of its own: it works under the server's, which is stricter.
  await app.register(swaggerUi, { routePrefix: '/docs' });
  app.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(text));
}

/** The contract as an OpenAPI 3.1 document (spec.openapis.org/oas/v3.1.0). */
function openApiDocument() {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of ROUTES) {
    const path = BASE_PATHS[route.base] + route.path;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0' as const,
    info: { title: 'Apotheca', version: String(version) },
    paths,
    components: { securitySchemes: SECURITY_SCHEMES },
  };
}

/** Both are sent as `Authorization: Bearer …`. */
const SECURITY_SCHEMES = {
  bearer: {
    type: 'http' as const,
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a sign-in, or a token of /auth/generate-token, which can only read.',
  },
  apiKey: {
    type: 'http' as const,
    scheme: 'bearer',
    bearerFormat: 'apk_…',
    description:
      'An API key of a person or a service account. It needs the scope of the permission that the call names.',
  },
};

/** Which of them a call takes. */
function securityOf({ permission, byKey }: ContractRoute) {
  if (permission === 'public') return {};
  const isForKeys = permission !== 'signed-in' || byKey === true;
  return { security: [{ bearer: [] }, ...(isForKeys ? [{ apiKey: [] }] : [])] };
}

function operation(route: ContractRoute): object {
  return {
    tags: [route.feature],
    summary: route.summary,
    description: descriptionOf(route),
    ...securityOf(route),
    ...(route.query && { parameters: queryParameters(route.query) }),
    ...(route.body && { requestBody: { required: true, content: jsonContent(route.body, 'input') } }),
    responses: {
      200: { description: 'Success', content: jsonContent(successReply(route.result), 'output') },
      default: { description: 'Failure', content: jsonContent(failureReply, 'output') },
    },
  };
}

function descriptionOf({ permission, mutates, fresh }: ContractRoute): string {
  return [
    `Permission: ${permission}`,
    ...(mutates ? ['Changes data though it is a GET'] : []),
    ...(fresh ? ['Wants a proof of who calls that is not older than 15 minutes (POST /auth/prove)'] : []),
  ].join('. ');
}

const jsonContent = (schema: z.ZodType, io: 'input' | 'output') => ({
  'application/json': { schema: toJsonSchema(schema, io) },
});

const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any' });

function queryParameters(query: z.ZodType): object[] {
  const { properties = {}, required = [] } = toJsonSchema(query, 'input');
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}
