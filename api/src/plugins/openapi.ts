import { readFileSync } from 'node:fs';
import { openApiDocument } from '@apotheca/contract/openapi';
import swagger, { type StaticDocumentSpec } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyError, FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';
import { replyError } from './error-reply.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** Serves /openapi.json and its page /docs, both derived from the contract. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  const document = openApiDocument(version);
  const text = JSON.stringify(document);
  // A path that leads out of the page's folder is a 404.
  app.setErrorHandler<FastifyError>((error, request, reply) =>
    replyError(error.statusCode === 403 ? new AppError('no-route') : error, request, reply),
  );
  await app.register(swagger, { mode: 'static', specification: { document } as StaticDocumentSpec });
  // The page has no policy of its own: it works under the server's, which is stricter.
  await app.register(swaggerUi, { routePrefix: '/docs' });
  app.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(text));
}
