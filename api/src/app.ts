import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { registerAudit } from './audit/audit.routes.ts';
import type { Context } from './context.ts';
import { registerAuth } from './features/auth/auth.routes.ts';
import { registerDashboard } from './features/dashboard/dashboard.routes.ts';
import { registerDatabases } from './features/databases/databases.routes.ts';
import { registerFaqs } from './features/faqs/faqs.routes.ts';
import { registerMenus } from './features/menus/menus.routes.ts';
import { registerPermissions } from './features/permissions/permissions.routes.ts';
import { registerTenants } from './features/tenants/tenants.routes.ts';
import { registerUsers } from './features/users/users.routes.ts';
import { operationKinds } from './operation-kinds.ts';
import { registerOperations } from './operations/operations.routes.ts';
import { registerConsole } from './plugins/console.ts';
import { replyError } from './plugins/error-reply.ts';
import { registerHealth } from './plugins/health.ts';
import { registerJsonBody } from './plugins/json-body.ts';
import { registerOpenApi } from './plugins/openapi.ts';
import { registerSecurity } from './plugins/security.ts';
import { registerUploadBody } from './plugins/upload-body.ts';

const MEBIBYTE = 1024 * 1024;
/** A client that has not sent its whole request after this is cut off, in milliseconds (DECISIONS §3). */
const REQUEST_TIMEOUT = 10_000;

export interface AppOptions {
  logLevel: string;
  /** Milliseconds that a client has for its headers, and for its body. */
  requestTimeout?: number;
  analyticsId?: string | undefined;
}

/** The whole server over a context: plugins, then the features. It does not listen yet. */
export async function buildApp(
  context: Context,
  { logLevel, analyticsId, requestTimeout = REQUEST_TIMEOUT }: AppOptions,
): Promise<FastifyInstance> {
  const app = Fastify({
    logger: { level: logLevel, redact: ['req.headers.authorization'] },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MEBIBYTE,
    // Node's own limit would cut uploads off; registerUploadBody has one for the others.
    requestTimeout: 0,
    http: { headersTimeout: requestTimeout, connectionsCheckingInterval: 1_000 },
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: true },
    forceCloseConnections: 'idle',
    // A URL that cannot be decoded fails before any handler or hook.
    frameworkErrors: replyError,
  });
  app.decorateRequest('caller');
  app.setErrorHandler(replyError);
  registerJsonBody(app);
  registerUploadBody(app, requestTimeout);
  await registerSecurity(app, { analytics: analyticsId !== undefined });
  registerHealth(app, context);
  await registerOpenApi(app);

  registerAuth(app, context);
  registerDashboard(app, context);
  registerTenants(app, context);
  registerDatabases(app, context);
  registerPermissions(app, context);
  registerMenus(app, context);
  registerUsers(app, context);
  registerFaqs(app, context);
  registerAudit(app, context);
  registerOperations(app, context, operationKinds);

  await registerConsole(app, { analyticsId });
  return app;
}
