import type { ServerOptions } from 'node:http';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { LOOPBACK } from './address-range.ts';
import type { ProcessRole, TlsFiles } from './config.ts';
import type { Context } from './context.ts';
import { registerAccount } from './features/account/account.routes.ts';
import { registerHints } from './features/account/hints.routes.ts';
import { registerPreferences } from './features/account/preferences.routes.ts';
import { registerViews } from './features/account/views.routes.ts';
import { registerAudit } from './features/audit/audit.routes.ts';
import { measureAudit } from './features/audit/audit-figures.ts';
import { registerAuth } from './features/auth/auth.routes.ts';
import { openCallers } from './features/auth/callers.service.ts';
import { registerFactors } from './features/auth/factors/factors.routes.ts';
import { registerApiKeys } from './features/auth/keys/keys.routes.ts';
import { registerOpenIdConnect } from './features/auth/oidc/oidc.routes.ts';
import { registerRecovery } from './features/auth/recovery/recovery.routes.ts';
import { measureSessions } from './features/auth/session-figures.ts';
import { registerDashboard } from './features/dashboard/dashboard.routes.ts';
import { registerFindings } from './features/dashboard/findings.routes.ts';
import { registerAdoption } from './features/databases/adoption/adoption.routes.ts';
import { registerAnonymization } from './features/databases/anonymization/anonymization.routes.ts';
import { measureBackupAges } from './features/databases/backups/backup-figures.ts';
import { registerBackups } from './features/databases/backups/backups.routes.ts';
import { measureInstallationBackups } from './features/databases/backups/installation/installation-figures.ts';
import { measureProofs } from './features/databases/backups/proof/proof-figures.ts';
import { registerBackupProofs } from './features/databases/backups/proof/proofs.routes.ts';
import { registerBackupSchedules } from './features/databases/backups/schedule/backup-schedules.routes.ts';
import { measureSchedules } from './features/databases/backups/schedule/schedule-figures.ts';
import { measureCopies } from './features/databases/backups/stores/copy-figures.ts';
import { registerDatabaseBulks } from './features/databases/bulk/database-bulks.routes.ts';
import { registerDatabases } from './features/databases/databases.routes.ts';
import { registerMoves } from './features/databases/moving/moves.routes.ts';
import { registerParking } from './features/databases/parking/parking.routes.ts';
import { measureWalArchive } from './features/databases/point-in-time/archive-figures.ts';
import { registerMoments } from './features/databases/point-in-time/moments.routes.ts';
import { registerPurges } from './features/databases/purge/purge.routes.ts';
import { registerReconciliation } from './features/databases/reconciliation/reconciliation.routes.ts';
import { registerAnonymizedClones } from './features/databases/staging/anonymized-clones.routes.ts';
import { registerDatabaseServers } from './features/databaseservers/databaseservers.routes.ts';
import { measureDatabaseServers } from './features/databaseservers/server-figures.ts';
import { registerFaqs } from './features/faqs/faqs.routes.ts';
import { registerPublicFaqs } from './features/faqs/public/public-faqs.routes.ts';
import { registerMenus } from './features/menus/menus.routes.ts';
import { registerOperations } from './features/operations/operations.routes.ts';
import { registerPermissions } from './features/permissions/permissions.routes.ts';
import { registerTenantPermissions } from './features/permissions/tenant-permissions.routes.ts';
import { registerRoles } from './features/roles/roles.routes.ts';
import { registerCredentials } from './features/tenants/credentials/credentials.routes.ts';
import { duplicateTenantOperation } from './features/tenants/duplicate-tenant.operation.ts';
import { registerTenants } from './features/tenants/tenants.routes.ts';
import { admitPerson } from './features/users/provider-users.service.ts';
import { registerServiceAccounts } from './features/users/service-accounts/service-accounts.routes.ts';
import { registerUsers } from './features/users/users.routes.ts';
import { registerAlerts } from './features/webhooks/alerts/alerts.routes.ts';
import { measureDeliveries } from './features/webhooks/delivery-figures.ts';
import { registerWebhooks } from './features/webhooks/webhooks.routes.ts';
import { measureMails } from './mail/mail-figures.ts';
import { measureOperations } from './operations/operation-figures.ts';
import type { OperationsContext } from './operations/operation-kind.ts';
import { registerCompression } from './plugins/compression.ts';
import { trackConnections } from './plugins/connections.ts';
import { decodable, registerConsole } from './plugins/console.ts';
import { registerDraining } from './plugins/draining.ts';
import { errorHandler, replyError, replyNoRoute } from './plugins/error-reply.ts';
import { registerHealth } from './plugins/health.ts';
import { registerHosts } from './plugins/hosts.ts';
import { registerJsonBody } from './plugins/json-body.ts';
import { registerLists } from './plugins/list-answers.ts';
import { loggedError } from './plugins/logged-error.ts';
import { measureRequests, registerMetrics } from './plugins/metrics.ts';
import { registerOpenApi } from './plugins/openapi.ts';
import { restrictToOperators } from './plugins/operator-routes.ts';
import { measureParts, partsOf } from './plugins/parts.ts';
import { measurePools } from './plugins/pool-figures.ts';
import { registerRateLimit } from './plugins/rate-limit.ts';
import { registerRequestLog, requestIdOf } from './plugins/request-log.ts';
import { registerSecurity } from './plugins/security.ts';
import { registerSession } from './plugins/session.ts';
import { registerTimeBudget } from './plugins/time-budget.ts';
import { followCertificate, readCertificate } from './plugins/tls.ts';
import { registerTracing } from './plugins/tracing.ts';
import { registerUnreadBody } from './plugins/unread-body.ts';
import { registerUploadBody } from './plugins/upload-body.ts';

const MEBIBYTE = 1024 * 1024;
/** How long a client may take to send its whole request before it is cut off, in milliseconds (DECISIONS §3). */
const REQUEST_TIMEOUT = 10_000;
/** How long a client may read nothing of its answer before it is cut off, in milliseconds. */
const WRITE_TIMEOUT = 30_000;

export interface AppOptions {
  logLevel: string;
  /** A worker serves health and figures only. Absent: all. */
  role?: ProcessRole;
  /** Milliseconds that a client has for its headers, and for its body. */
  requestTimeout?: number;
  /** Milliseconds after which a client that reads nothing of its answer is cut off. */
  writeTimeout?: number;
  analyticsId?: string | undefined;
  /** Host names that the server answers to; absent or empty: any. */
  hosts?: readonly string[];
  /** Addresses and ranges that may read /metrics, /docs and /openapi.json; absent: this machine's. */
  operatorAddresses?: readonly string[];
  /** Addresses and ranges of proxies whose forwarding headers count; absent or empty: none. */
  trustedProxies?: readonly string[];
  /** How many calls a minute each API key and API token may make; absent or 0: any number. */
  callsPerMinute?: number;
  /** Absent: plain HTTP. */
  tls?: TlsFiles | undefined;
  /** Whether each request is logged; absent: no. */
  requestLog?: boolean;
  /** Whether this process takes operations now; absent: it is to take none. */
  isWorking?: (() => boolean) | undefined;
}

/** The whole server over a context: plugins, then the features, unless it is a worker's. It does not listen yet. */
export async function buildApp(context: OperationsContext, options: AppOptions): Promise<FastifyInstance> {
  const { analyticsId, role, tls } = options;
  const app = Fastify({
    logger: {
      level: options.logLevel,
      redact: ['req.headers.authorization'],
      serializers: { err: loggedError },
      // Pino's own stream tries for ever to write to a terminal that was closed, or to a full disk, and the process does nothing else.
      stream: process.stdout,
    },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    bodyLimit: MEBIBYTE,
    // Node's own limit would cut uploads off; registerUploadBody limits the other bodies.
    requestTimeout: 0,
    // None waits for anything: its limit would only end the start on a machine with too much to do.
    pluginTimeout: 0,
    ...serverOptions(options),
    trustProxy: [...(options.trustedProxies ?? [])],
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: true },
    // A client that still has a connection when the server closes gets an answer, which says that the connection ends.
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => decodable(url),
    // What the router refuses fails before any handler or hook.
    frameworkErrors: replyError,
    // The contract validates: Fastify's own compilers of schemas would take 5 MB and load 100 files more.
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
  });
  if (tls) followCertificate(app, tls);
  await registerPlugins(app, context, options);
  if (role === 'worker') {
    app.setNotFoundHandler((request, reply) => replyNoRoute(app, request, reply));
    return app;
  }
  registerFeatures(app, context);
  await registerConsole(app, context, { analyticsId });
  return app;
}

/** The options of Node's server. Fastify's types know two kinds of servers; here only the certificate makes them differ. */
function serverOptions({ tls, requestTimeout = REQUEST_TIMEOUT }: AppOptions): { http: ServerOptions } {
  const http = { headersTimeout: requestTimeout, connectionsCheckingInterval: 1_000 };
  const both = { http, https: tls ? { ...http, ...readCertificate(tls), handshakeTimeout: requestTimeout } : null };
  return both;
}

/** @throws Error where a route has a schema for Fastify */
function refuseSchema(): never {
  throw new Error('A route has a schema for Fastify, but the contract validates what routes take and answer.');
}

/** What every call goes through, and the addresses that no feature serves. */
async function registerPlugins(
  app: FastifyInstance,
  context: Context,
  {
    analyticsId,
    hosts = [],
    isWorking,
    requestLog = false,
    logLevel,
    callsPerMinute = 0,
    operatorAddresses = LOOPBACK,
    role,
    requestTimeout = REQUEST_TIMEOUT,
    writeTimeout = WRITE_TIMEOUT,
  }: AppOptions,
): Promise<void> {
  registerTracing(app);
  registerRequestLog(app, { isOn: requestLog, logLevel });
  registerSession(app, openCallers(context));
  registerRateLimit(app, context, callsPerMinute);
  app.setErrorHandler(errorHandler(context.clusterDir));
  registerTimeBudget(app);
  registerJsonBody(app);
  registerUploadBody(app, requestTimeout);
  registerSecurity(app, { analytics: analyticsId !== undefined });
  registerCompression(app);
  registerUnreadBody(app, requestTimeout);
  registerHosts(app, hosts);
  const draining = registerDraining(app, trackConnections(app.server, writeTimeout));
  const lookAtParts = partsOf(context, isWorking);
  registerHealth(app, lookAtParts, draining);
  const figures = measureRequests(app, registerLists(app), (registry) => {
    measureParts(lookAtParts, registry);
    measurePools(context, registry);
    measureOperations(context, registry);
    measureSessions(context, registry);
    measureMails(context, registry);
    measureBackupAges(context, registry);
    measureCopies(context, registry);
    measureProofs(context, registry);
    measureInstallationBackups(context, registry);
    measureSchedules(context, registry);
    measureWalArchive(context, registry);
    measureAudit(context, registry);
    measureDeliveries(context, registry);
    measureDatabaseServers(context, registry);
  });
  await app.register(async (operatorRoutes) => {
    restrictToOperators(operatorRoutes, operatorAddresses);
    registerMetrics(operatorRoutes, figures);
    if (role !== 'worker') await registerOpenApi(operatorRoutes);
  });
}

function registerFeatures(app: FastifyInstance, context: OperationsContext): void {
  registerAuth(app, context);
  registerFactors(app, context);
  registerApiKeys(app, context);
  registerRecovery(app, context);
  registerOpenIdConnect(app, context, admitPerson);
  registerDashboard(app, context);
  registerFindings(app, context);
  registerTenants(app, context);
  registerCredentials(app, context);
  registerDatabases(app, context, duplicateTenantOperation);
  registerAdoption(app, context);
  registerBackups(app, context);
  registerDatabaseBulks(app, context);
  registerBackupProofs(app, context);
  registerBackupSchedules(app, context);
  registerPurges(app, context);
  registerAnonymization(app, context);
  registerAnonymizedClones(app, context);
  registerMoves(app, context);
  registerReconciliation(app, context);
  registerParking(app, context);
  registerMoments(app, context);
  registerDatabaseServers(app, context);
  registerPermissions(app, context);
  registerTenantPermissions(app, context);
  registerRoles(app, context);
  registerMenus(app, context);
  registerAccount(app, context);
  registerViews(app, context);
  registerPreferences(app, context);
  registerHints(app, context);
  registerUsers(app, context);
  registerServiceAccounts(app, context);
  registerFaqs(app, context);
  registerPublicFaqs(app, context);
  registerAudit(app, context);
  registerWebhooks(app, context);
  registerAlerts(app, context);
  registerOperations(app, context);
}
