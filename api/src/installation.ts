import { join, resolve } from 'node:path';
import { type Config, StartError } from './config.ts';
import type { Context } from './context.ts';
import { startEmbeddedPostgres } from './db/embedded-postgres.ts';
import { ensureDatabase, ensureTenantTemplate, migratePlatform } from './db/migrate.ts';
import { openPlatform } from './db/platform.ts';
import { makeDemo } from './demo.ts';
import { settleDatabases } from './features/databases/databases.service.ts';
import { tenantsAsOwner } from './features/tenants/tenants.service.ts';
import { deriveKeys, loadStoredSecrets, type StoredSecrets } from './secrets.ts';
import { seedPlatform } from './seed.ts';

/** How often interrupted work of other, killed server processes is looked for, in milliseconds. */
const SETTLE_INTERVAL = 60_000;
/** How long a call waits for PostgreSQL before it is answered 503, in milliseconds. */
const QUERY_TIMEOUT = 15_000;
const UTILITY_CONNECTIONS = 10;

export interface Installation {
  context: Context;
  /** A line for the terminal: how to sign in. */
  signInHint: string;
  /** Demo data and the regular settling of interrupted work; to be started when the server is ready. */
  startBackgroundWork(onError: (error: unknown) => void): void;
  close(): Promise<void>;
}

/**
 * Opens the database of a configuration: starts the embedded PostgreSQL where none is named, migrates, seeds, and makes
 * good what a crash left.
 * @throws StartError with one clear line
 */
export async function openInstallation(config: Config): Promise<Installation> {
  const secrets = await loadStoredSecrets(config.dataDir);
  const postgres = await findPostgres(config, secrets);
  try {
    const tenantTemplate = await prepare(postgres.url, config.databaseUrl !== undefined);
    const { pool, platform } = openPlatform({ url: postgres.url, queryTimeout: QUERY_TIMEOUT });
    const { platform: utility } = openPlatform({ url: postgres.url, maxConnections: UTILITY_CONNECTIONS });
    const context: Context = {
      pool,
      platform,
      utility,
      keys: deriveKeys(config.secret ?? secrets.secret),
      databaseUrl: postgres.url,
      tenantTemplate,
      now: () => new Date(),
    };
    const password = config.adminPassword ?? secrets.adminPassword;
    const isFirstStart = await seedPlatform(platform, { userName: config.adminUsername, password });
    const interrupted = await settleAtStart(context);
    const background = backgroundWork(context, config.demo);
    return {
      context,
      signInHint: interrupted + signInHint(config, isFirstStart ? password : undefined),
      startBackgroundWork: background.start,
      close: async () => {
        await background.stop();
        await Promise.all([platform.destroy(), utility.destroy()]);
        await postgres.stop();
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** What stays unsettled keeps nobody from working; it is tried again every minute. @returns a line for the terminal, or nothing */
async function settleAtStart(context: Context): Promise<string> {
  try {
    await settleDatabases(context, tenantsAsOwner(context), { wait: true });
    return '';
  } catch (error) {
    if (!(error instanceof AggregateError)) throw error;
    return `Interrupted work could not be finished and will be tried again: ${reasonOf(error)}\n`;
  }
}

async function findPostgres(config: Config, secrets: StoredSecrets): Promise<{ url: string; stop(): Promise<void> }> {
  if (config.databaseUrl) return { url: config.databaseUrl, stop: async () => {} };
  const dataDir = join(config.dataDir, 'postgres');
  return startEmbeddedPostgres({ dataDir, password: secrets.postgresPassword }).catch((error: Error) => {
    throw new StartError(error.message);
  });
}

/** Migrates the control database and makes the tenants' template. @returns the template's physical name */
async function prepare(url: string, isOwnServer: boolean): Promise<string> {
  try {
    await ensureDatabase(url);
    await migratePlatform(url);
    return await ensureTenantTemplate(url);
  } catch (error) {
    const where = isOwnServer ? `DATABASE_URL (${new URL(url).host})` : 'The embedded PostgreSQL';
    throw new StartError(`${where} cannot be used: ${reasonOf(error)}`, { cause: error });
  }
}

/** A refused connection is an AggregateError without a message when a host name has several addresses. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

function signInHint(config: Config, firstPassword: string | undefined): string {
  const { adminUsername } = config;
  if (firstPassword === undefined || config.adminPassword) return `Sign in as '${adminUsername}'.`;
  const file = resolve(config.dataDir, 'secrets.json');
  return `Sign in as '${adminUsername}' with the password ${firstPassword} (kept in ${file}).`;
}

function backgroundWork(context: Context, demo: boolean) {
  let timer: NodeJS.Timeout | undefined;
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  return {
    start(onError: (error: unknown) => void): void {
      const settle = () => settleDatabases(context, tenantsAsOwner(context), { wait: false });
      if (demo) running = makeDemo(context, stopping.signal).catch(onError);
      timer = setInterval(() => {
        running = running.then(settle).catch(onError);
      }, SETTLE_INTERVAL);
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
