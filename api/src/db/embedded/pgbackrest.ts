import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { childEnvironment } from '../client-programs/confinement.ts';
import { lineCutter } from '../client-programs/program-output.ts';
import { type Account, tiedToServer } from './cluster-account.ts';

/** pgBackRest's word for the cluster that an archive belongs to. */
const STANZA = 'apotheca';
/** How many lines of pgBackRest's errors a message holds. */
const MOST_LINES = 3;

/** pgBackRest failed. The message is what it printed. */
export class PgBackRestError extends Error {}

export interface PgBackRestOptions {
  /** Path of the program. */
  program: string;
  /** Folder of its configuration and its locks. */
  home: string;
  /** Folder of the cluster. */
  clusterDir: string;
  /** Folder of the archive. Apotheca makes one of its own below. */
  folder: string;
  /** Of how many days moments can be chosen. */
  days: number;
  passphrase: string;
  account: Account | undefined;
}

/** A backup of the whole cluster. */
export interface ClusterBackup {
  label: string;
  isFull: boolean;
  startedAt: Date;
  endedAt: Date;
}

const info = z.array(
  z.object({
    backup: z.array(
      z.object({
        label: z.string(),
        type: z.enum(['full', 'diff', 'incr']),
        timestamp: z.object({ start: z.number(), stop: z.number() }),
        'database-ref': z.array(z.object({ name: z.string(), oid: z.number() })).optional(),
      }),
    ),
    // 0 to 3: it has backups, no folder yet, none yet, a folder without anything. Else it cannot be read.
    status: z.object({ code: z.number(), message: z.string() }),
  }),
);
const READABLE = 3;

/** The program that keeps WAL and backups of the embedded PostgreSQL, always run as the account that owns the cluster. */
export class PgBackRest {
  readonly #options: PgBackRestOptions;

  constructor(options: PgBackRestOptions) {
    this.#options = options;
  }

  /** PostgreSQL's `archive_command`. `%` is PostgreSQL's escape there. */
  get archiveCommand(): string {
    const words = [this.#options.program, `--config=${this.#config}`, `--stanza=${STANZA}`, 'archive-push'];
    return `${words.map((word) => quoteForShell(word).replaceAll('%', '%%')).join(' ')} "%p"`;
  }

  get #config(): string {
    return join(this.#options.home, 'pgbackrest.conf');
  }

  /** Writes the configuration, which has the passphrase: only the cluster's account can read it. */
  async configure(): Promise<void> {
    const { home, folder, days, passphrase, clusterDir, account } = this.#options;
    await makeOwned(home, account);
    const lines = [
      '# Written by Apotheca at each start. Whoever has the passphrase can read every row of every tenant.',
      '[global]',
      `repo1-path=${join(folder, 'pgbackrest')}`,
      'repo1-cipher-type=aes-256-cbc',
      `repo1-cipher-pass=${passphrase}`,
      'repo1-bundle=y',
      'repo1-retention-full-type=time',
      `repo1-retention-full=${days}`,
      'compress-type=lz4',
      'start-fast=y',
      `lock-path=${join(home, 'lock')}`,
      `spool-path=${join(home, 'spool')}`,
      'log-level-file=off',
      'log-level-console=off',
      'log-level-stderr=error',
      `[${STANZA}]`,
      `pg1-path=${clusterDir}`,
      '',
    ];
    const draft = `${this.#config}.new`;
    await writeFile(draft, lines.join('\n'), { mode: 0o600 });
    if (account) await chown(draft, account.uid, account.gid);
    await rename(draft, this.#config);
    await this.#makeRepository().catch(() => {});
  }

  /**
   * Makes the archive of the cluster, unless it is there.
   * @throws an error of the system where the folder is away, and PgBackRestError
   */
  async ensureStanza(url: string): Promise<void> {
    await this.#makeRepository();
    await this.#run('stanza-create', [], { url });
  }

  /** Its own folder below the one that is given: that one must be there, as a disk may be away that is mounted there. */
  async #makeRepository(): Promise<void> {
    const { folder, account } = this.#options;
    await stat(folder);
    await makeOwned(join(folder, 'pgbackrest'), account);
  }

  /** Backs the cluster up, and removes what is older than the days that are kept. @param url superuser's connection string */
  async backUp(url: string, type: 'full' | 'diff', signal: AbortSignal): Promise<void> {
    await this.#run('backup', [`--type=${type}`], { url, signal });
  }

  /** The backups, oldest first. */
  async listBackups(): Promise<ClusterBackup[]> {
    const [stanza] = info.parse(JSON.parse(await this.#run('info', ['--output=json'])));
    if (stanza && stanza.status.code > READABLE) {
      throw new PgBackRestError(`The archive cannot be read: ${stanza.status.message}.`);
    }
    return (stanza?.backup ?? []).map(({ label, type, timestamp: { start, stop } }) => ({
      label,
      isFull: type === 'full',
      startedAt: new Date(start * 1_000),
      endedAt: new Date(stop * 1_000),
    }));
  }

  /** The databases that a backup has, with their oids. */
  async listDatabases(label: string): Promise<{ name: string; oid: number }[]> {
    const [stanza] = info.parse(JSON.parse(await this.#run('info', [`--set=${label}`, '--output=json'])));
    return stanza?.backup.at(-1)?.['database-ref'] ?? [];
  }

  /**
   * Restores the files of a backup into an empty folder, and configures PostgreSQL there so that it replays WAL up to a moment.
   * @param only name of the database whose files are wanted; the others become empty. Absent: all
   */
  async restore(
    to: string,
    { label, moment, only }: { label: string; moment: Date; only: string | undefined },
    signal: AbortSignal,
  ): Promise<void> {
    const target = moment.toISOString().replace('T', ' ').replace('Z', '+00');
    const what = [`--set=${label}`, '--type=time', `--target=${target}`, '--target-action=promote'];
    const selection = only === undefined ? [] : [`--db-include=${only}`];
    await makeOwned(to, this.#options.account);
    await this.#run('restore', [`--pg1-path=${to}`, ...what, ...selection], { signal });
  }

  /** @returns what it printed. @throws PgBackRestError; the signal's reason */
  async #run(command: string, args: string[], options: { url?: string; signal?: AbortSignal } = {}): Promise<string> {
    const { program, account } = this.#options;
    const { address, environment } = addressOf(options.url);
    const all = [`--config=${this.#config}`, `--stanza=${STANZA}`, ...address, ...args, command];
    const [tied, tiedArgs, spawning] = tiedToServer(program, all, account, 'KILL');
    options.signal?.throwIfAborted();
    const child = spawn(tied, tiedArgs, {
      ...spawning,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: childEnvironment(environment),
    });
    const end = () => void child.kill();
    options.signal?.addEventListener('abort', end);
    let output = '';
    const errors: string[] = [];
    const take = lineCutter((line) => errors.length < MOST_LINES && errors.push(line.trim()));
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    child.stderr?.on('data', take);
    try {
      // Not before its own children have ended too: they share its output.
      const [code] = await once(child, 'close');
      options.signal?.throwIfAborted();
      take(Buffer.from('\n'));
      if (code !== 0) throw new PgBackRestError(errors.filter(Boolean).join(' ') || `It ended with code ${code}.`);
      return output;
    } finally {
      options.signal?.removeEventListener('abort', end);
    }
  }
}

/** pgBackRest takes the host and the password from libpq's variables: its options have a socket's folder only. */
function addressOf(url: string | undefined): { address: string[]; environment: Record<string, string> } {
  if (url === undefined) return { address: [], environment: {} };
  const { hostname, port, username, password } = new URL(url);
  return {
    address: [`--pg1-port=${port}`, `--pg1-user=${username}`],
    environment: { PGHOST: hostname, PGPASSWORD: decodeURIComponent(password) },
  };
}

/** Makes a folder that only the cluster's account can use. */
async function makeOwned(folder: string, account: Account | undefined): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await chmod(folder, 0o700);
  if (account) await chown(folder, account.uid, account.gid);
}

/** A word of a command line of sh(1). */
export const quoteForShell = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
