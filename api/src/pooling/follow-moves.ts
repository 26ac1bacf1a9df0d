import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { PrimaryClient } from '../db/connections/primary-client.ts';
import { sessionSettings } from '../db/connections/session-settings.ts';
import { listElsewhere } from './databases-elsewhere.repository.ts';
import { type PgBouncerPlace, type Way, writeDatabases } from './pgbouncer-files.ts';

/** How often the control database is asked, in milliseconds. */
const INTERVAL = 1_000;

/** How long an answer may take, in milliseconds. A machine that has gone gives none, and the system waits a quarter of an hour for it. */
const ANSWER_LIMIT = 5_000;

/** PgBouncer's console, which is no PostgreSQL and has no settings of sessions. */
const OF_CONSOLE = { database: 'pgbouncer', connectionTimeoutMillis: ANSWER_LIMIT, query_timeout: ANSWER_LIMIT };

/** How a PgBouncer is told to read its files again. */
export interface PgBouncerConsole {
  host: string;
  port: number;
  user: string;
  password: string;
}

/** Writes the databases of other servers as they are now. @throws PostgreSQL's error */
export async function writeDatabasesOnce(place: PgBouncerPlace): Promise<void> {
  const client = await connect(place);
  try {
    tell((await writeDatabases(place, await listElsewhere(client))).leftOut);
  } finally {
    await client.end();
  }
}

/**
 * Keeps the databases of other servers up to date for as long as the process lives, and has PgBouncer read them. What cannot be asked or
 * told is tried again; it is reported once, and so is that it works again.
 */
export async function followMoves(place: PgBouncerPlace, console: PgBouncerConsole): Promise<never> {
  let client: pg.Client | undefined;
  let isRead = false;
  let told = '';
  for (;;) {
    let state = 'PgBouncer follows.';
    try {
      client ??= await connect(place);
      const { isChanged, ways, leftOut } = await writeDatabases(place, await listElsewhere(client));
      if (isChanged) isRead = false;
      if (!isRead) await reload(console, ways);
      isRead = true;
      if (leftOut.length > 0) state = leftOutText(leftOut);
    } catch (error) {
      state = `PgBouncer does not follow: ${(error as Error).message}`;
      client?.end().catch(() => {});
      client = undefined;
    }
    if (state !== told) process.stdout.write(`${state}\n`);
    told = state;
    await setTimeout(INTERVAL);
  }
}

async function connect({ databaseUrl }: PgBouncerPlace): Promise<pg.Client> {
  return new PrimaryClient({ ...sessionSettings(databaseUrl, 'upkeep'), query_timeout: ANSWER_LIMIT }).connect();
}

/**
 * Has PgBouncer read its files. Of files that it cannot read it says nothing, so it is asked what it has read.
 * @throws Error when a database is not led to where it should be
 * @see https://www.pgbouncer.org/usage.html#process-controlling-commands
 */
async function reload(console: PgBouncerConsole, ways: readonly Way[]): Promise<void> {
  const client = new pg.Client({ ...console, ...OF_CONSOLE });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('reload');
    const { rows } = await client.query<{ name: string; host: string; port: number }>('show databases');
    const read = new Map(rows.map(({ name, host, port }) => [name, `${host}:${port}`]));
    const missing = ways.find(({ physicalName, host, port }) => read.get(physicalName) !== `${host}:${port}`);
    if (missing) throw new Error(`it has not read where ${missing.physicalName} is; its log says why`);
  } finally {
    await client.end().catch(() => {});
  }
}

const tell = (leftOut: readonly string[]): void => {
  if (leftOut.length > 0) process.stdout.write(`${leftOutText(leftOut)}\n`);
};

const leftOutText = (servers: readonly string[]): string =>
  `The databases of ${servers.join(', ')} are left out: PgBouncer has one way of TLS for all servers, that of DATABASE_URL (sslmode, sslrootcert), and theirs is stricter.`;
