import { mkdir, mkdtemp, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentialRoutes } from '@apotheca/contract/credentials';
import { databaseRoutes } from '@apotheca/contract/databases';
import type { ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pgBouncerRoleName } from './db/cluster/pgbouncer-role.ts';
import { withDatabaseName } from './db/connections/connection-string.ts';
import { migratePlatform } from './db/platform-migrations.ts';
import { noteVerifiers } from './features/databases/logins/login-repairs.ts';
import { readPassword } from './pooling/pgbouncer-files.ts';
import { useTestApp } from './testing/app.ts';
import { tenantInput } from './testing/builders.ts';
import { runCommand } from './testing/commands.ts';
import { createPlatformDatabase, runOnCluster, withClient } from './testing/databases.ts';
import { operationsEnded } from './testing/operations.ts';
import { type RunningPgBouncer, startPgBouncer } from './testing/pgbouncer.ts';
import { usePresent } from './testing/present.ts';
import { runServer, withDataDir } from './testing/server-process.ts';
import { timedWithoutStalls } from './testing/stalls.ts';

/** Within which time PgBouncer follows, in milliseconds. */
const FOLLOWED = 5_000;

/** Waits until PgBouncer has followed, within that time. */
async function followed(wait: () => Promise<void>): Promise<void> {
  const { took } = await timedWithoutStalls(wait);
  expect(took).toBeLessThan(FOLLOWED);
}

const test = useTestApp();
const { call } = usePresent(test);
let pooler: RunningPgBouncer;

beforeAll(async () => {
  // Closes the control database, as each start does; a copy of it is open.
  await migratePlatform(test.databaseUrl);
  pooler = await startPgBouncer(async (folder, port) => {
    const { code, errors } = await runCommand(test, 'pgbouncer.ts', { args: [folder, '--port', String(port)] });
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
  });
});
afterAll(() => pooler.stop());

interface Credentials {
  connectionString: string;
  password: string;
  role: string;
}

async function makeTenant(code: string) {
  const { id } = await call(tenantRoutes.create, { body: tenantInput(code) });
  return { id: id as string, credentials: await reveal(id) };
}
const reveal = async (id: string, access = 'write'): Promise<Credentials> =>
  call(credentialRoutes.reveal, { query: { id, access } });
const pooled = ({ connectionString }: Credentials): string => {
  const url = new URL(connectionString);
  url.port = String(pooler.port);
  return url.href;
};
const whoAmI = (url: string) =>
  withClient(url, async (client) => (await client.query('select session_user::text as name')).rows[0].name as string);
/** How a program is let in: its own name, or why not. */
const tried = (credentials: Credentials) => whoAmI(pooled(credentials)).catch((error: Error) => error.message);
const served = (program: pg.Client) =>
  program.query('select 1').then(
    () => 'served',
    () => 'refused',
  );
const change = async (route: ContractRoute, query: Record<string, string>) => {
  await call(route, { query });
  await operationsEnded(test.databaseUrl);
};

describe('PgBouncer, as `npm run pgbouncer` configures it', () => {
  it('lets a new tenant in, with both logins, and has no password of a tenant in its files [DECISIONS §13]', async () => {
    const { id, credentials } = await makeTenant('POOLED');
    const reader = await reveal(id, 'read');
    expect(await tried(credentials)).toBe(credentials.role);
    expect(await tried(reader)).toBe(reader.role);
    const wrong = {
      ...credentials,
      connectionString: credentials.connectionString.replace(credentials.password, 'wrong'),
    };
    expect(await tried(wrong)).toMatch(/authentication failed/);
    const files = await pooler.files();
    expect(files).toContain('pool_mode = transaction');
    for (const { password, role } of [credentials, reader]) {
      expect(files).not.toContain(password);
      expect(files).not.toContain(role);
    }
  });

  it('keeps tenants apart, and lets nobody into the control database [DECISIONS §13]', async () => {
    const [one, other] = [await makeTenant('APART'), await makeTenant('ASIDE')];
    const elsewhere = new URL(pooled(one.credentials));
    elsewhere.pathname = new URL(other.credentials.connectionString).pathname;
    await expect(whoAmI(elsewhere.href)).rejects.toThrow(/permission denied for database/);
    elsewhere.pathname = new URL(test.databaseUrl).pathname;
    await expect(whoAmI(elsewhere.href)).rejects.toThrow(/permission denied for database/);
  });

  it('is not configured before several hosts, which it cannot tell apart [DECISIONS §13]', async () => {
    const settings = { DATABASE_URL: 'postgresql://apotheca@one,two/apotheca' };
    const { code, errors } = await runCommand(test, 'pgbouncer.ts', { args: ['nowhere'], settings });
    expect({ code, errors }).toEqual({
      code: 1,
      errors: expect.stringContaining('an address that leads to the primary'),
    });
  });

  it.each([
    [[]],
    [['nowhere', '--port', '']],
    [['nowhere', '--port', '65536']],
    [['nowhere', '--listen', '']],
    [['nowhere', '--follow', '--host', '']],
    [['nowhere', 'elsewhere']],
  ])('is not configured by %j, and says how it is used [DECISIONS §13]', async (args) => {
    const refused = await runCommand(test, 'pgbouncer.ts', {
      args,
      settings: { DATABASE_URL: 'postgresql://a@127.0.0.1:9/a' },
    });
    expect(refused).toEqual({
      code: 1,
      output: '',
      errors: expect.stringMatching(/^Usage: npm run pgbouncer -- FOLDER/),
    });
  });

  it('shares sessions of PostgreSQL among programs [DECISIONS §13]', async () => {
    const { credentials } = await makeTenant('SHARED');
    const clients = Array.from({ length: 30 }, () => new pg.Client(pooled(credentials)));
    await Promise.all(clients.map((client) => client.connect()));
    for (const client of clients) await client.query('select 1');
    const { rows } = await withClient(test.databaseUrl, (client) =>
      client.query('select count(*)::int as n from pg_stat_activity where usename = $1', [credentials.role]),
    );
    await Promise.all(clients.map((client) => client.end()));
    expect(rows[0].n).toBeLessThan(5);
  });

  it('follows rotations, renames and clones [DECISIONS §13]', async () => {
    const { id, credentials } = await makeTenant('TURNED');
    const program = new pg.Client(pooled(credentials));
    program.on('error', () => {});
    await program.connect();
    await program.query('select 1');
    await call(credentialRoutes.rotate, { body: { id, overlapMinutes: 0 } });
    const next = await reveal(id);
    await followed(() => expect.poll(() => tried(next)).toBe(next.role));
    await followed(() =>
      expect.poll(() => tried(credentials)).toMatch(/authentication failed|password authentication/),
    );
    // Who is connected is refused with the next statement.
    await followed(() => expect.poll(() => served(program)).toBe('refused'));
    await program.end().catch(() => {});
    await change(databaseRoutes.rename, { databaseName: 'TURNED', newName: 'TURNED2' });
    await followed(() => expect.poll(() => tried(next)).toBe(next.role));
  });

  it('follows suspensions, also for who is connected, and their end [DECISIONS §13]', async () => {
    const { id, credentials } = await makeTenant('PAUSED');
    const program = new pg.Client(pooled(credentials));
    program.on('error', () => {});
    await program.connect();
    await program.query('select 1');
    await change(tenantRoutes.deactivate, { id });
    await followed(() =>
      expect.poll(() => tried(credentials)).toMatch(/authentication failed|not permitted to log in/),
    );
    await followed(() => expect.poll(() => served(program)).toBe('refused'));
    await program.end().catch(() => {});
    await change(tenantRoutes.activate, { id });
    await followed(() => expect.poll(() => tried(credentials)).toBe(credentials.role));
  });

  it('lets in logins of a version before, once their verifiers are noted [DECISIONS §13]', async () => {
    const { credentials } = await makeTenant('EARLIER');
    await withClient(test.databaseUrl, (client) =>
      client.query('update database_logins set scram_verifier = null where role_name = $1', [credentials.role]),
    );
    expect(await tried(credentials)).toMatch(/authentication failed/);
    await noteVerifiers(test.context);
    expect(await tried(credentials)).toBe(credentials.role);
  });
});

describe('the account that asks for logins', () => {
  /** Runs the command in a folder and on a control database of their own. */
  const withFolder = async (
    work: (folder: string, run: (...args: string[]) => ReturnType<typeof runCommand>, url: string) => Promise<void>,
  ) => {
    const database = await createPlatformDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'apotheca-pgbouncer-'));
    const settings = { DATABASE_URL: database.url };
    try {
      await work(
        folder,
        (...args) => runCommand(test, 'pgbouncer.ts', { args: [folder, ...args], settings }),
        database.url,
      );
    } finally {
      await rm(folder, { recursive: true });
      await database.drop();
    }
  };
  const passwordIn = async (folder: string, url: string) => (await readPassword(folder, pgBouncerRoleName(url))) ?? '';
  /** The account that a password of a folder logs in as. */
  const loggedIn = async (folder: string, url: string) => {
    const asked = new URL(url);
    asked.username = pgBouncerRoleName(url);
    asked.password = await passwordIn(folder, url);
    return whoAmI(asked.href);
  };

  it('keeps its password when the command is given again, as a PgBouncer that runs has read it [DECISIONS §13]', async () => {
    await withFolder(async (folder, run, url) => {
      expect(await run()).toMatchObject({ code: 0, errors: '' });
      const before = await passwordIn(folder, url);
      expect(await run('--port', '7000')).toMatchObject({ code: 0, errors: '' });
      expect(await passwordIn(folder, url)).toBe(before);
      expect(await loggedIn(folder, url)).toBe(pgBouncerRoleName(url));
    });
  });

  it('is made for a control database of any name [DECISIONS §13]', async () => {
    const name = "Apotheca-prod it's";
    const control = new URL(withDatabaseName(test.databaseUrl, name));
    await runOnCluster(`create database "${name}" template apotheca`);
    let folder = '';
    const own = await startPgBouncer(async (made, port) => {
      folder = made;
      const settings = { DATABASE_URL: control.href };
      const end = await runCommand(test, 'pgbouncer.ts', { args: [folder, '--port', String(port)], settings });
      expect(end).toMatchObject({ code: 0, errors: '' });
    });
    try {
      expect(await loggedIn(folder, control.href)).toMatch(/^pgbouncer_[0-9a-f]{12}_apotheca_prod_it_s$/);
      control.port = String(own.port);
      control.username = 'nobody';
      await expect(whoAmI(control.href)).rejects.toThrow('no such user');
      // It has asked there.
      expect(own.log()).toMatch(/: Apotheca-prod it's\/pgbouncer_\w+@\S+ new connection to server/);
    } finally {
      await own.stop();
      await runOnCluster(`drop database "${name}" with (force)`);
    }
  });

  it('gets another password only once that is in the file [DECISIONS §13]', async () => {
    await withFolder(async (folder, run, url) => {
      expect(await run()).toMatchObject({ code: 0, errors: '' });
      const before = await passwordIn(folder, url);
      // As in a folder that may not be written; who runs as root may write any.
      const inTheWay = join(folder, 'userlist.txt.new');
      await mkdir(inTheWay);
      expect(await run('--new-password')).toMatchObject({ code: 1, errors: expect.stringMatching(/^EISDIR.*\n$/) });
      expect(await passwordIn(folder, url)).toBe(before);
      expect(await loggedIn(folder, url)).toBe(pgBouncerRoleName(url));
      await rmdir(inTheWay);
      expect(await run('--new-password')).toMatchObject({ code: 0, errors: '' });
      expect(await passwordIn(folder, url)).not.toBe(before);
      expect(await loggedIn(folder, url)).toBe(pgBouncerRoleName(url));
    });
  });

  it('keeps its password while the command follows moves [DECISIONS §13]', async () => {
    const { code, errors } = await runCommand(test, 'pgbouncer.ts', {
      args: ['nowhere', '--follow', '--new-password'],
    });
    expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining('Usage: ') });
  });
});

describe('a DATABASE_URL that leads to a pooler', () => {
  /** A server of PostgreSQL through PgBouncer, for the superuser, with settings of PgBouncer. */
  const through = async (...settings: string[]) => {
    const database = await createPlatformDatabase();
    const target = new URL(database.url);
    const inner = await startPgBouncer(async (folder, port) => {
      await writeFile(join(folder, 'users.txt'), `"${target.username}" "${decodeURIComponent(target.password)}"\n`);
      const lines = [
        '[databases]',
        `* = host=${target.hostname} port=${target.port}`,
        '[pgbouncer]',
        'listen_addr = 127.0.0.1',
        `listen_port = ${port}`,
        'unix_socket_dir =',
        'auth_type = scram-sha-256',
        `auth_file = ${join(folder, 'users.txt')}`,
        ...settings,
      ];
      await writeFile(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
    });
    target.port = String(inner.port);
    const end = await withDataDir((APOTHECA_DATA_DIR) =>
      runServer({ PORT: '0', APOTHECA_DATA_DIR, DATABASE_URL: target.href }),
    );
    await inner.stop();
    await database.drop();
    return end;
  };

  it.each([
    ['transactions share sessions', ['pool_mode = transaction', 'ignore_startup_parameters = options']],
    [
      'there is one session only',
      ['pool_mode = transaction', 'default_pool_size = 1', 'ignore_startup_parameters = options'],
    ],
    ['settings of sessions are left out', ['pool_mode = session', 'ignore_startup_parameters = options']],
    ['settings of sessions are refused', ['pool_mode = session']],
  ])('stops the start with one line: %s [DECISIONS §13]', async (_what, settings) => {
    const { code, output } = await through(...settings);
    expect(code).toBe(1);
    expect(output.trim()).toMatch(
      /^Apotheca cannot start: DATABASE_URL \(.*\) cannot be used: a pooler stands before PostgreSQL .*$/,
    );
  });
});
