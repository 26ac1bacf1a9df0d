import { join, resolve } from 'node:path';
import { PASSWORD_MAX, passwordProblem } from '@apotheca/contract/auth';
import { isWrittenUnder } from './audit/audit.service.ts';
import { backgroundWork } from './background-work.ts';
import { type Config, StartError } from './config.ts';
import { openConnections } from './connections.ts';
import type { Context } from './context.ts';
import { HOME_SERVER } from './db/clusters.ts';
import { describeHosts } from './db/connections/connection-string.ts';
import { refusePooler } from './db/connections/pooler.ts';
import { openPostgresMonitor } from './db/connections/postgres-monitor.ts';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './db/embedded/embedded-postgres.ts';
import { reasonOf } from './db/errors/connection-problems.ts';
import { refusalOf } from './db/errors/postgres-refusals.ts';
import { ensureDatabase, ensureTenantTemplate, refuseUnfitServer } from './db/migrate.ts';
import { migrateQueue } from './db/operation-queue.ts';
import { openPlatform } from './db/platform.ts';
import { migratePlatform } from './db/platform-migrations.ts';
import { findServerTools } from './db/server-tools.ts';
import { trustClock } from './db/trusted-clock.ts';
import { startAuditUpkeep } from './features/audit/audit-upkeep.ts';
import { startInstallationBackups } from './features/databases/backups/installation/installation-backups.ts';
import { refuseUnusableStores } from './features/databases/backups/stores/copies.service.ts';
import { startCopying } from './features/databases/backups/stores/copy-worker.ts';
import { settleDatabases } from './features/databases/database-settling.ts';
import { startClusterBackups } from './features/databases/point-in-time/cluster-backups.ts';
import { tidyAfterCrash } from './features/databases/reconciliation/reconciliation.service.ts';
import { startHealthWatch } from './features/databaseservers/health-watch.ts';
import { tenantsAsOwner } from './features/tenants/tenants.service.ts';
import { startEvents } from './features/webhooks/event-worker.ts';
import { startMailing } from './mail/mail-worker.ts';
import { operationKinds } from './operation-kinds.ts';
import { makeEngine } from './operations/engine.ts';
import type { OperationsContext } from './operations/operation-kind.ts';
import { deriveKeys, type Keys, loadStoredSecrets, type StoredSecrets } from './secrets.ts';
import { seedPlatform } from './seed.ts';
import { settingsToKeep } from './settings.ts';
import type { Worker } from './worker.ts';

export interface Installation {
  context: OperationsContext;
  /** A line for the terminal: how to sign in. Empty where nobody signs in at this process. */
  signInHint: string;
  /** Starts operations only. For a recovery, which nobody calls. */
  startOperations(onError: (error: unknown) => void): Promise<void>;
  /**
   * Starts operations, demo data and the regular settling of interrupted work. For when the server is ready. Where the process
   * only answers callers, others do all that, and this takes the listener of errors only.
   * @param onAnchor is given each anchor of the audit trail as a line, to be kept outside of the database
   */
  startBackgroundWork(onError: (error: unknown) => void, onAnchor?: (line: string) => void): Promise<void>;
  /** Whether this process takes operations now; absent where it is to take none. */
  isWorking?: () => boolean;
  close(): Promise<void>;
}

/**
 * Opens the control database of a configuration: starts the embedded PostgreSQL if none is configured, migrates, seeds, and settles
 * what a crash left.
 * @param signal ends the waits for an embedded PostgreSQL that is starting or stopping, and for others that keep this process from migrating
 * @param settles false: databases stay as they are. For who has to find out first what servers have done that the control database
 * does not know.
 * @param refusesOtherSecret whether a trail that was written with another secret is refused; else that is reported. Absent: unless APOTHECA_SECRET is
 * set and the data folder has another one, too, as whoever has lost the secret sets a new one
 * @throws StartError with one line for the terminal
 */
export async function openInstallation(
  config: Config,
  {
    signal,
    settles = true,
    refusesOtherSecret,
  }: { signal?: AbortSignal; settles?: boolean; refusesOtherSecret?: boolean } = {},
): Promise<Installation> {
  await refuseUnusableStores({ stores: config.stores, backupDir: resolve(config.dataDir, 'backups') });
  const secrets = await loadStoredSecrets(config.dataDir);
  const keys = deriveKeys(config.secret ?? secrets.secret);
  const errors = new BackgroundErrors();
  const postgres = await findPostgres(config, secrets, keys, { onAway: errors.report, signal });
  try {
    const tenantTemplate = await prepare(postgres.url, config.databaseUrl !== undefined, signal);
    // A PostgreSQL that runs already goes on archiving under the secret of who started it.
    if (await isOwnTrail(postgres.url, keys)) await postgres.walArchive?.pgBackRest?.configure();
    else {
      if (refusesOtherSecret ?? config.secret === undefined) throw new StartError(`${OTHER_SECRET}: ${WHERE_IT_IS}`);
      // As after a recovery, where the settings of a new installation came with a secret of its own.
      if (refusesOtherSecret === undefined && (await isOwnTrail(postgres.url, deriveKeys(secrets.secret))))
        throw new StartError(`${OTHER_SECRET}: secrets.json has it, so unset APOTHECA_SECRET, or set it to that`);
      errors.report(new Error(`${OTHER_SECRET}: its verification fails from now on`));
    }
    const monitor = openPostgresMonitor(postgres.url);
    const options = { keys, tenantTemplate, onError: errors.report };
    const connections = openConnections(postgres.url, config.maxConnections, monitor, options);
    const context = makeContext(config, postgres, keys, connections);
    const password = () => firstPassword(config, secrets);
    const isFirstStart = await seedPlatform(context.utility, { userName: config.adminUsername, password });
    const engine = makeEngine(context, errors.report);
    const interrupted = await settleAtStart(context, settles);
    const background = backgroundWork(context, config);
    const keptApart = {
      secrets: { ...secrets, ...(config.secret && { secret: config.secret }) },
      settings: settingsToKeep(process.env),
    };
    const workers: Worker[] = [];
    return {
      context,
      signInHint:
        interrupted +
        (isFirstStart || config.role !== 'worker' ? signInHint(config, isFirstStart ? password() : undefined) : ''),
      startOperations: (onError) => {
        errors.listen(onError);
        return engine.start();
      },
      startBackgroundWork: async (onError, onAnchor = () => {}) => {
        errors.listen(onError);
        if (config.role === 'web') return;
        await engine.start();
        background.start(errors.report);
        workers.push(...startWorkers(context, keptApart, errors.report, onAnchor));
      },
      ...(config.role !== 'web' && { isWorking: engine.isWorking }),
      close: async () => {
        await engine.stop();
        await Promise.all([background.stop(), ...workers.map((each) => each.stop())]);
        await context.clusters.close();
        await Promise.all([context.platform.destroy(), context.utility.destroy(), monitor.close()]);
        await postgres.stop();
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** What services work with, of the settings and of what was opened. */
function makeContext(
  config: Config,
  { url, walArchive }: EmbeddedPostgres,
  keys: Keys,
  connections: ReturnType<typeof openConnections>,
): OperationsContext {
  const { dataDir, databaseUrl, pgBinDir } = config;
  const now = () => new Date();
  return {
    ...connections,
    kinds: operationKinds,
    backupDir: join(dataDir, 'backups'),
    stores: config.stores,
    ...(!databaseUrl && { clusterDir: join(dataDir, 'postgres') }),
    tenantConnections: config.tenantConnections,
    publicUrl: config.publicUrl,
    publicFaq: config.publicFaq,
    oidcProviders: config.oidcProviders,
    onlyLocalAccount: config.onlyLocalAccount,
    parkDays: config.parkDays,
    suspension: config.suspension,
    auditDays: config.auditDays,
    proofs: config.proofs,
    walArchive,
    findTools: async (serverId = HOME_SERVER) => findServerTools(await connections.clusters.of(serverId), pgBinDir),
    keys,
    passwordMin: config.passwordMin,
    mail: config.mail,
    webhookHosts: config.webhookHosts,
    adoptionHosts: config.adoptionHosts,
    databaseUrl: url,
    now,
    trustedNow: trustClock(connections.platform, { now }),
  };
}

/** Starts what works beside operations all the time. @param keptApart what a backup of the installation has besides the database */
function startWorkers(
  context: OperationsContext,
  keptApart: Parameters<typeof startInstallationBackups>[1],
  onError: (error: unknown) => void,
  onAnchor: (line: string) => void,
): Worker[] {
  return [
    startCopying(context, onError),
    startInstallationBackups(context, keptApart, onError),
    startClusterBackups(context, onError),
    startMailing(context, onError),
    startEvents(context, onError),
    startHealthWatch(context, onError),
    startAuditUpkeep(context, { onError, onAnchor }),
  ];
}

/** Collects errors of background work until there is a listener for them. */
class BackgroundErrors {
  readonly #early: unknown[] = [];
  #listener: ((error: unknown) => void) | undefined;

  readonly report = (error: unknown): void => {
    if (this.#listener) this.#listener(error);
    else this.#early.push(error);
  };

  listen(listener: (error: unknown) => void): void {
    this.#listener = listener;
    this.#early.splice(0).forEach(listener);
  }
}

/** Failures do not stop the start, as settling is tried again every minute. @returns a line for the terminal for each */
async function settleAtStart(context: Context, settles: boolean): Promise<string> {
  const lines: string[] = [];
  const attempt = (work: Promise<void>) =>
    work.catch((error: unknown) => {
      lines.push(`Interrupted work could not be finished and will be tried again: ${startProblem(error)}\n`);
    });
  if (settles) await attempt(settleDatabases(context, tenantsAsOwner(context), { wait: true }));
  await attempt(tidyAfterCrash(context));
  return lines.join('');
}

async function findPostgres(
  config: Config,
  secrets: StoredSecrets,
  keys: Keys,
  waiting: Pick<EmbeddedPostgresOptions, 'onAway' | 'signal'>,
): Promise<EmbeddedPostgres> {
  if (config.databaseUrl) return { url: config.databaseUrl, walArchive: undefined, stop: async () => {} };
  const dataDir = join(config.dataDir, 'postgres');
  const passphrase = Buffer.from(keys.walArchive).toString('base64url');
  const walArchive = config.walArchive && { ...config.walArchive, passphrase };
  return startEmbeddedPostgres({ dataDir, password: secrets.postgresPassword, walArchive, ...waiting }).catch(
    (error: Error) => {
      throw new StartError(error.message);
    },
  );
}

/** Migrates the control database and makes the tenants' template. @returns the template's physical name */
async function prepare(url: string, isOwnServer: boolean, signal: AbortSignal | undefined): Promise<string> {
  try {
    if (isOwnServer) await refusePooler(url);
    await ensureDatabase(url);
    await refuseUnfitServer(url);
    await migratePlatform(url, signal);
    await migrateQueue(url);
    return await ensureTenantTemplate(url);
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError')
      throw new StartError('it was stopped while it waited to migrate the control database', { cause: error });
    const where = isOwnServer ? `DATABASE_URL (${describeHosts(url)})` : 'The embedded PostgreSQL';
    throw new StartError(`${where} cannot be used: ${startProblem(error)}`, { cause: error });
  }
}

const OTHER_SECRET = 'the audit trail was written with another secret than this one';
const WHERE_IT_IS = 'set APOTHECA_SECRET to that, or APOTHECA_DATA_DIR to the folder whose secrets.json has it';

/** Under another key each entry would break the trail for good, and what is queued would be lost. */
async function isOwnTrail(url: string, { audit }: Keys): Promise<boolean> {
  const { platform } = openPlatform({ url, maxConnections: 1, kind: 'upkeep' });
  return isWrittenUnder(audit, platform).finally(() => platform.destroy());
}

function startProblem(error: unknown): string {
  if (error instanceof AggregateError) return startProblem(error.errors[0]);
  const refusal = refusalOf(error);
  return refusal?.code === 'disk-full' ? refusal.message : reasonOf(error);
}

/**
 * The first administrator's password. Only the operator's own has to keep the minimum of new ones: the generated one cannot be guessed.
 * @throws StartError where it is too short
 */
function firstPassword({ adminPassword, passwordMin }: Config, secrets: StoredSecrets): string {
  if (adminPassword === undefined) return secrets.adminPassword;
  if (passwordProblem(adminPassword, passwordMin) === undefined) return adminPassword;
  throw new StartError(`APOTHECA_ADMIN_PASSWORD must have ${passwordMin} to ${PASSWORD_MAX} characters`);
}

function signInHint(config: Config, firstPassword: string | undefined): string {
  const { adminUsername } = config;
  if (firstPassword === undefined || config.adminPassword) return `Sign in as '${adminUsername}'.`;
  const file = resolve(config.dataDir, 'secrets.json');
  return `Sign in as '${adminUsername}' with the password ${firstPassword} (kept in ${file}).`;
}
