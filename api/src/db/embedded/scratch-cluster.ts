import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '../client-programs/confinement.ts';
import { lineCutter } from '../client-programs/program-output.ts';
import { type Account, tiedToServer } from './cluster-account.ts';
import { freePort } from './free-port.ts';

/** What PostgreSQL logs when it has replayed the WAL that it was to replay. */
const READY = /database system is ready to accept connections/;

/** A second PostgreSQL, beside the embedded one, on files that are thrown away. */
export interface ScratchCluster {
  port: number;
  /** Ends it at once. Nothing in it needs to be saved. */
  close(): Promise<void>;
}

/** A page of a table or an index that a change is for, but that is not there or empty. */
const INVALID_PAGE = /page \d+ of relation (\S+) /;
/** The oid of the database in the path of a relation's file. */
const DATABASE_OID = /^(?:base|pg_tblspc\/\d+\/[^/]+)\/(\d+)\//;

/** Restored files of a cluster. */
export interface ScratchFiles {
  dataDir: string;
  /** Oids of the databases whose files are empty: what is replayed there does not matter. */
  emptied: ReadonlySet<number>;
}

/** Settings that do not come from the files, which have those of the cluster that was backed up. */
const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // It must not add to the archive that it is made from, and nobody needs its files after a crash.
  archive_mode: 'off',
  fsync: 'off',
  full_page_writes: 'off',
  hot_standby: 'off',
  autovacuum: 'off',
  // A change that marks a page as visible to all comes without that page. In an emptied file it is invalid, which would end the replay.
  ignore_invalid_pages: 'on',
  // A subscription of a database would go on here.
  max_logical_replication_workers: '0',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_min_messages: 'warning',
  lc_messages: 'C',
};

/**
 * Starts PostgreSQL on restored files and waits until it has replayed WAL up to its target. The system ends it when this server process
 * is gone. An invalid page is an error, unless it is one of an emptied database.
 * @param onReplay is called with each file of WAL that was replayed
 * @throws Error with PostgreSQL's reason; the signal's reason
 */
export async function openScratchCluster(
  options: ScratchFiles & { postgres: string; account: Account | undefined; superuser: string },
  signal: AbortSignal,
  onReplay: () => void,
): Promise<ScratchCluster> {
  const { dataDir, emptied, postgres, account, superuser } = options;
  // Roles of tenants are there too, with their passwords.
  await writeFile(join(dataDir, 'pg_hba.conf'), `host all ${superuser} 127.0.0.1/32 scram-sha-256\n`);
  const port = await freePort();
  const settings = Object.entries({ ...SETTINGS, hba_file: join(dataDir, 'pg_hba.conf') });
  const args = ['-D', dataDir, '-p', String(port), ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const [command, tiedArgs, spawning] = tiedToServer(postgres, args, account, 'QUIT');
  signal.throwIfAborted();
  const child = spawn(command, tiedArgs, { ...spawning, stdio: ['ignore', 'ignore', 'pipe'], env: childEnvironment() });
  const ended = new Promise<void>((fulfil) => child.once('close', () => fulfil()));
  const close = () => {
    child.kill('SIGQUIT');
    return ended;
  };
  const ready = Promise.withResolvers<void>();
  let reason = 'it ended without a reason';
  const onLine = (line: string) => {
    if (isInvalid(line, emptied)) ready.reject(new Error(`the changes do not fit the restored files: ${line}`));
    if (READY.test(line)) ready.resolve();
    if (line.includes('restored log file')) onReplay();
    reason = /(?:FATAL|PANIC): +(.*)/.exec(line)?.[1] ?? reason;
  };
  child.stderr?.on('data', lineCutter(onLine));
  child.once('error', ready.reject);
  void ended.then(() => ready.reject(new Error(reason)));
  const abort = () => ready.reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    await ready.promise;
    return { port, close };
  } catch (error) {
    await close();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function isInvalid(line: string, emptied: ReadonlySet<number>): boolean {
  const [, path] = INVALID_PAGE.exec(line) ?? [];
  return path !== undefined && !emptied.has(Number(DATABASE_OID.exec(path)?.[1]));
}
