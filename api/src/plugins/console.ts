import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RuntimeConfig } from '@apotheca/contract/config';
import { BASE_PATHS } from '@apotheca/contract/route';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { isTracing } from '../tracing/tracing.ts';
import { replyNoRoute } from './error-reply.ts';

const CONSOLE = fileURLToPath(new URL('../../../console/dist/', import.meta.url));
const YEAR = 365 * 24 * 3600;

/** Serves the built console, /config.json, and index.html for the console's own routes. */
export async function registerConsole(
  app: FastifyInstance,
  { oidcProviders, onlyLocalAccount, passwordMin, mail, publicUrl, publicFaq, suspension }: Context,
  { analyticsId }: { analyticsId: string | undefined },
): Promise<void> {
  const config = (): RuntimeConfig => ({
    appApiBaseUrl: BASE_PATHS.api,
    authApiBaseUrl: BASE_PATHS.identity,
    ...(analyticsId && { analyticsId }),
    passwordMin,
    suspension,
    passwordRecovery: mail !== undefined,
    ...(publicUrl && { publicUrl }),
    ...(publicFaq && { publicFaqs: true }),
    ...(oidcProviders.length > 0 && { signInProviders: oidcProviders.map(({ id, name }) => ({ id, name })) }),
    ...(onlyLocalAccount !== undefined && { passwordsAreOff: true }),
    ...(isTracing() && { traces: true }),
  });
  app.get('/config.json', async (_request, reply) => reply.header('cache-control', 'no-cache').send(config()));
  const isBuilt = existsSync(CONSOLE);
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: CONSOLE,
      preCompressed: true,
      wildcard: false,
      setHeaders: (reply, path) => {
        // Built assets have a digest in their names. Other files may change with the next build.
        const isAsset = path.includes('/assets/');
        reply.header('cache-control', isAsset ? `public, max-age=${YEAR}, immutable` : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    if (isBuilt && isConsoleRoute(request)) return reply.sendFile('index.html');
    return replyNoRoute(app, request, reply);
  });
}

/**
 * The address for the router, which refuses paths that cannot be decoded. No route has such a path: with its percent signs encoded
 * it comes to the not-found handler, with all headers and the console's own page.
 * @param url path and query of a request
 */
export function decodable(url: string): string {
  const [path = '', ...query] = url.split('?');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

/** Whether a browser opens or reloads a page of the console: React Router knows its path, the server does not. */
function isConsoleRoute({ method, url, headers }: FastifyRequest): boolean {
  const isOwn =
    Object.values(BASE_PATHS).some((base) => url === base || url.startsWith(`${base}/`)) || url.startsWith('/assets/');
  return method === 'GET' && !isOwn && /text\/html/.test(headers.accept ?? '');
}
