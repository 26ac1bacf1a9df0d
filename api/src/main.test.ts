import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { SERVER_FLAGS } from '../../scripts/setup.mjs';
import { databaseNameOf, withDatabaseName } from './db/connections/connection-string.ts';
import { newestPlatformMigration } from './db/migrate.ts';
import { ADMINISTRATOR } from './testing/administrator.ts';
import { tenantInput } from './testing/builders.ts';
import { choosePort } from './testing/chosen-port.ts';
import { createEmptyDatabase, createPlatformDatabase, withClient } from './testing/databases.ts';
import { IS_LONG_RUN } from './testing/long-run.ts';
import { callServer, MAIN, runServer, signInToServer, startServer, withDataDir } from './testing/server-process.ts';

/** Milliseconds in which a server begins to heed signals, at the latest. */
const LONGEST_START = 240_000;
/** Milliseconds in which it has ended, with PostgreSQL. */
const LONGEST_STOP = 240_000;

describe('a start that cannot succeed', () => {
  const refused = async (environment: Record<string, string>) => {
    const { code, output } = await withDataDir((APOTHECA_DATA_DIR) => runServer({ APOTHECA_DATA_DIR, ...environment }));
    expect(output.trim().split('\n')).toHaveLength(1);
    return { code, line: output.trim() };
  };

  it('names a wrong setting in one line [§7]', async () => {
    expect(await refused({ PORT: 'http' })).toEqual({
      code: 1,
      line: 'Apotheca cannot start: PORT must be a number from 0 to 65535',
    });
  });

  it('names a taken port in one line, and leaves no database running [§7]', async () => {
    const occupant = createServer();
    await new Promise<void>((fulfil) => occupant.listen(0, '127.0.0.1', fulfil));
    const address = occupant.address();
    const port = typeof address === 'object' && address ? String(address.port) : '';
    expect(await refused({ PORT: port })).toEqual({
      code: 1,
      line: `Apotheca cannot start: Port ${port} on 127.0.0.1 is taken: stop what uses it, or set PORT.`,
    });
    occupant.close();
  });

  it('names a server that cannot be reached, without its password [§7]', async () => {
    const { code, line } = await refused({ PORT: '0', DATABASE_URL: 'postgresql://someone:hush@127.0.0.1:1/apotheca' });
    expect({ code, line }).toEqual({
      code: 1,
      line: 'Apotheca cannot start: DATABASE_URL (127.0.0.1:1) cannot be used: connect ECONNREFUSED 127.0.0.1:1',
    });
  });

  it('names a wrong password of the server in one line [§7]', async () => {
    const url = new URL(inject('postgresUrl'));
    url.password = 'wrong';
    const { code, line } = await refused({ PORT: '0', DATABASE_URL: url.href });
    expect({ code, line }).toEqual({ code: 1, line: expect.stringContaining('password authentication failed') });
  });

  it('names a PostgreSQL without ICU in one line [DECISIONS §2]', async () => {
    const database = await createEmptyDatabase();
    // As in one that is built without it, for the database that is named.
    await withClient(database.url, (client) => client.query("delete from pg_collation where collprovider = 'i'"));
    const { code, line } = await refused({ PORT: '0', DATABASE_URL: database.url });
    expect({ code, line }).toEqual({
      code: 1,
      line: expect.stringMatching(
        /^Apotheca cannot start: DATABASE_URL \(127\.0\.0\.1:\d+\) cannot be used: it has no ICU collations; Apotheca needs a PostgreSQL that is built with ICU$/,
      ),
    });
    // Nothing was made in the database.
    const tables = await withClient(database.url, (client) =>
      client.query("select from pg_tables where schemaname = 'public'"),
    );
    expect(tables.rowCount).toBe(0);
    await database.drop();
  });

  it.each(['LATIN1', 'SQL_ASCII'] as const)(
    'names a database that cannot hold every text in one line: %s [DECISIONS §2]',
    async (encoding) => {
      const database = await createEmptyDatabase(encoding);
      const name = databaseNameOf(database.url);
      const { code, line } = await refused({ PORT: '0', DATABASE_URL: database.url });
      expect({ code, line }).toEqual({
        code: 1,
        line: expect.stringMatching(
          `^Apotheca cannot start: DATABASE_URL \\(127\\.0\\.0\\.1:\\d+\\) cannot be used: its database ${name} has the encoding ${encoding}; Apotheca needs UTF8$`,
        ),
      });
      // Nothing was made in the database.
      const tables = await withClient(database.url, (client) =>
        client.query("select from pg_tables where schemaname = 'public'"),
      );
      expect(tables.rowCount).toBe(0);
      await database.drop();
    },
  );
});

describe('a start with a misspelt setting', () => {
  it('says so, with the setting that was meant [§7]', async () => {
    const { output } = await runServer({ PORT: 'http', APOTHECA_BACKUP_RECIPIENTS: 'age1qqq' });
    expect(output.split('\n')).toContain(
      'APOTHECA_BACKUP_RECIPIENTS is unknown and ignored: perhaps you meant APOTHECA_BACKUP_RECIPIENT',
    );
  });
});

describe('a first start', () => {
  it('with the embedded PostgreSQL prints how to sign in, keeps its data over a restart, and stops the database at its end [§2.3]', async () => {
    await withDataDir(async (dataDir) => {
      const environment = { APOTHECA_DATA_DIR: dataDir, APOTHECA_DEMO: 'off' };
      const first = await startServer(environment);
      const [, password = ''] = /with the password (\S+) \(kept in/.exec(first.output()) ?? [];
      expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600);
      const token = await signInToServer(first.url, password);
      await callServer(first.url, tenantRoutes.create, { token, body: tenantInput('STAYS') });
      expect(await first.interrupt()).toBe(0);
      await expect(readFile(join(dataDir, 'postgres/postmaster.pid'))).rejects.toMatchObject({ code: 'ENOENT' });

      const second = await startServer(environment);
      expect(second.output()).toContain("Sign in as 'admin'.");
      const list = await callServer(second.url, tenantRoutes.list, {
        token: await signInToServer(second.url, password),
      });
      expect(list.result).toMatchObject([{ code: 'STAYS' }]);
      expect(await second.interrupt()).toBe(0);
    });
  });

  it('joins the embedded PostgreSQL that a killed server left running [§2.3]', async () => {
    await withDataDir(async (dataDir) => {
      const environment = { APOTHECA_DATA_DIR: dataDir, APOTHECA_DEMO: 'off' };
      const killed = await startServer(environment);
      await killed.kill();
      const [pid] = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n');
      const next = await startServer(environment);
      expect((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]).toBe(pid);
      expect(await next.interrupt()).toBe(0);
    });
  });

  it('ends at a signal while it waits for an embedded PostgreSQL that is starting [§2.3]', async () => {
    await withDataDir(async (dataDir) => {
      const environment = { APOTHECA_DATA_DIR: dataDir, APOTHECA_DEMO: 'off' };
      await (await startServer(environment)).kill();
      const file = join(dataDir, 'postgres/postmaster.pid');
      const running = await readFile(file, 'utf8');
      await writeFile(file, running.replace('ready   ', 'starting'));
      // A start removes it when it heeds signals, before it looks for PostgreSQL.
      const draft = join(dataDir, 'secrets.json.0123456789abcdef');
      await writeFile(draft, '');
      const begun = vi.waitFor(() => expect(stat(draft)).rejects.toMatchObject({ code: 'ENOENT' }), LONGEST_START);
      expect(await runServer({ ...environment, PORT: '0' }, begun)).toEqual({
        code: 1,
        output: `Apotheca cannot start: it was stopped while the embedded PostgreSQL was starting or stopping (${file})\n`,
      });
      await writeFile(file, running);
      expect(await (await startServer(environment)).interrupt()).toBe(0);
    });
  });

  it('ends at a signal while it waits for another process that migrates the control database [§2.3]', async () => {
    const { url, drop } = await createPlatformDatabase();
    onTestFinished(drop);
    await withClient(url, async (other) => {
      await other.query('delete from kysely_migration where name = $1', [newestPlatformMigration()]);
      await other.query("select pg_advisory_lock(hashtextextended('platform-migrations', 0))");
      const asking = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and query like '%advisory_lock(hashtextextended(%'`;
      const isAsking = async () => expect((await other.query(asking)).rowCount).toBeGreaterThan(0);
      const environment = { DATABASE_URL: url, PORT: '0' };
      const ended = withDataDir((APOTHECA_DATA_DIR) =>
        runServer({ ...environment, APOTHECA_DATA_DIR }, vi.waitFor(isAsking, LONGEST_START)),
      );
      expect(await ended).toEqual({
        code: 1,
        output: 'Apotheca cannot start: it was stopped while it waited to migrate the control database\n',
      });
    });
  });

  it('at once with another one on a new data folder shares its embedded PostgreSQL, and leaves nothing behind [§2.3]', async () => {
    await withDataDir(async (dataDir) => {
      const environment = { APOTHECA_DATA_DIR: dataDir, APOTHECA_DEMO: 'off', APOTHECA_DRAIN_SECONDS: '0' };
      // Of one that was killed.
      await mkdir(join(dataDir, 'postgres.newABCDEF'));
      const starts = [startServer(environment), startServer(environment)];
      const servers = (await Promise.allSettled(starts)).flatMap((start) =>
        start.status === 'fulfilled' ? [start.value] : [],
      );
      const left = await readdir(dataDir);
      expect(await Promise.all(servers.map((server) => server.interrupt()))).toEqual([0, 0]);
      expect(left.filter((name) => name.startsWith('postgres'))).toEqual(['postgres']);
    });
  });

  it('ends as at Ctrl-C when its terminal is closed, though that takes no more of its log [§2.3]', async () => {
    await withDataDir(async (dataDir) => {
      const environment = { APOTHECA_DATA_DIR: dataDir, APOTHECA_DEMO: 'off', LOG_LEVEL: 'info' };
      // script(1) gives it a terminal, which ends with it.
      const command = ['--quiet', '--command', `exec ${process.execPath} ${MAIN}`, '/dev/null'];
      const terminal = await startServer(environment, ['script', ...command]);
      await terminal.kill();
      const pidFile = join(dataDir, 'postgres/postmaster.pid');
      await vi.waitFor(() => expect(stat(pidFile)).rejects.toMatchObject({ code: 'ENOENT' }), LONGEST_STOP);
    });
  });

  it('answers and ends as ever while the disk under its log is full [§8]', async () => {
    const database = await createEmptyDatabase();
    await withDataDir(async (APOTHECA_DATA_DIR) => {
      const PORT = String(await choosePort());
      const environment = { DATABASE_URL: database.url, APOTHECA_DATA_DIR, PORT, APOTHECA_REQUEST_LOG: 'on' };
      // timeout(1) ends what hangs.
      const command = `exec timeout --foreground --signal=KILL 280 ${process.execPath} ${MAIN} >/dev/full`;
      const isHealthy = async () =>
        (await fetch(`http://127.0.0.1:${PORT}/healthz`, { signal: AbortSignal.timeout(60_000) })).ok;
      const served: boolean[] = [];
      const begun = vi
        .waitFor(async () => served.push(await isHealthy()), LONGEST_START)
        .then(async () => {
          for (let turn = 0; turn < 3; turn += 1) served.push(await isHealthy().catch(() => false));
        });
      const { code } = await runServer(environment, begun, ['sh', '-c', command]);
      expect({ code, served }).toEqual({ code: 0, served: [true, true, true, true] });
    });
    await database.drop();
  });

  it('ends when the reader of its log has taken every line [§7]', async () => {
    const database = await createEmptyDatabase();
    await withDataDir(async (APOTHECA_DATA_DIR) => {
      const environment = { DATABASE_URL: database.url, APOTHECA_DATA_DIR, APOTHECA_REQUEST_LOG: 'on' };
      // The reader takes what is said at the start, and the rest when there is a file: more than a pipe holds waits for it.
      const go = join(APOTHECA_DATA_DIR, 'go');
      const reader = `sed --unbuffered '/Ctrl-C/q'; until [ -e ${go} ]; do sleep 0.1; done; cat`;
      const command = `exec ${process.execPath} ${MAIN} > >(${reader})`;
      const server = await startServer(environment, ['bash', '-c', command]);
      const requests = 1_000;
      for (let request = 0; request < requests; request += 1) await (await fetch(`${server.url}/healthz`)).text();
      const ended = server.terminate();
      await vi.waitFor(() => expect(fetch(server.url)).rejects.toThrow(), LONGEST_STOP);
      await writeFile(go, '');
      expect(await ended).toBe(0);
      const lines = () => server.output().match(/"route":"\/healthz"/g)?.length;
      await vi.waitFor(() => expect(lines()).toBe(requests), LONGEST_STOP);
    });
    await database.drop();
  });

  it('leaves the embedded PostgreSQL to a second server that still uses it [§2.3]', async () => {
    await withDataDir(async (dataDir) => {
      // Nothing waits for those who ask whether a server is ready.
      const environment = { APOTHECA_DATA_DIR: dataDir, APOTHECA_DEMO: 'off', APOTHECA_DRAIN_SECONDS: '0' };
      const [first, second] = [await startServer(environment), await startServer(environment)];
      expect(await first.interrupt()).toBe(0);
      expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
      expect(await second.interrupt()).toBe(0);
      await expect(readFile(join(dataDir, 'postgres/postmaster.pid'))).rejects.toMatchObject({ code: 'ENOENT' });
    });
  });

  it('with DATABASE_URL makes the database that it names, closed to PUBLIC, with the configured administrator [§2.3]', async () => {
    const { url, drop } = await createEmptyDatabase();
    await drop();
    await withDataDir(async (dataDir) => {
      const server = await startServer({
        DATABASE_URL: url,
        APOTHECA_DATA_DIR: dataDir,
        APOTHECA_ADMIN_USERNAME: ADMINISTRATOR.userName,
        APOTHECA_ADMIN_PASSWORD: ADMINISTRATOR.password,
      });
      expect(await signInToServer(server.url)).toMatch(/^ey/);
      expect(server.output()).not.toContain(ADMINISTRATOR.password);
      const { rows } = await withClient(url, (client) =>
        client.query(
          "select has_database_privilege('public', current_database(), 'connect') as open, (select count(*)::int from tenants) as tenants",
        ),
      );
      expect(rows).toEqual([{ open: false, tenants: 0 }]);
      expect(await server.interrupt()).toBe(0);
    });
    await withClient(withDatabaseName(url, 'postgres'), (client) =>
      client.query(`drop database "${new URL(url).pathname.slice(1)}"`),
    );
  });
});

describe('a server that has settled', () => {
  it('gives back the memory that only its start took [§7]', async () => {
    const database = await createEmptyDatabase();
    await withDataDir(async (APOTHECA_DATA_DIR) => {
      const command: [string, ...string[]] = [process.execPath, ...SERVER_FLAGS, '--trace-gc', MAIN];
      const server = await startServer({ DATABASE_URL: database.url, APOTHECA_DATA_DIR }, command);
      // V8 says 'reduce' of a collection that gives memory back, and 'testing' where it was asked for it.
      await vi.waitFor(() => expect(server.output()).toMatch(/Mark-Compact \(reduce\) .* testing/), LONGEST_START);
      expect(await server.interrupt()).toBe(0);
    });
    await database.drop();
  });
});

/** How often two servers stop at the same time. */
const ROUNDS = IS_LONG_RUN ? 10 : 1;

describe('two servers that share the embedded PostgreSQL', () => {
  it('stop it without any message when they are stopped at the same time [DECISIONS §2]', async () => {
    await withDataDir(async (dataDir) => {
      const environment = { APOTHECA_DATA_DIR: dataDir, APOTHECA_DEMO: 'off' };
      for (let round = 0; round < ROUNDS; round += 1) {
        const first = await startServer(environment);
        const second = await startServer(environment);
        expect(await Promise.all([first.terminate(), second.terminate()])).toEqual([0, 0]);
        expect(first.output() + second.output()).not.toContain('While stopping');
        await expect(readFile(join(dataDir, 'postgres/postmaster.pid'))).rejects.toMatchObject({ code: 'ENOENT' });
      }
    });
  });
});
