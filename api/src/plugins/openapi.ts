import { openApiDocument } from '@apotheca/contract/openapi';
import swagger, { type SwaggerTransformObject } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyError, FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';
import { PRODUCT_VERSION } from '../product-version.ts';
import { replyError } from './error-reply.ts';

/** Serves /openapi.json and its page /docs, both derived from the contract. It takes a tenth of a start to make, so whoever asks first waits for it. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  // A path that leads out of the page's folder is a 404.
  app.setErrorHandler<FastifyError>((error, request, reply) =>
    replyError(error.statusCode === 403 ? new AppError('no-route') : error, request, reply),
  );
  const fromContract = (() => openApiDocument(PRODUCT_VERSION)) as unknown as SwaggerTransformObject;
  await app.register(swagger, { openapi: {}, transformObject: fromContract });
  // The page has no policy of its own: it works under the server's, which is stricter.
  await app.register(swaggerUi, { routePrefix: '/docs' });
  let text: string | undefined;
  app.get('/openapi.json', async (_request, reply) => {
    text ??= JSON.stringify(app.swagger());
    return reply.type('application/json; charset=utf-8').send(text);
  });
}
