import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { backupRoutes } from '@apotheca/contract/backups';
import { credentialRoutes } from '@apotheca/contract/credentials';
import { databaseRoutes } from '@apotheca/contract/databases';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { expect, it } from 'vitest';
import { withDatabaseName } from './db/connections/connection-string.ts';
import { ADMINISTRATOR } from './testing/administrator.ts';
import { tenantInput } from './testing/builders.ts';
import { withClient } from './testing/databases.ts';
import { callServer, runServer, signInToServer, startServer, withDataDir } from './testing/server-process.ts';
import { useTlsServer } from './testing/tls-server.ts';

const server = useTlsServer();

it('all of a server goes over verified TLS, by the variables of libpq alone [DECISIONS §2]', async () => {
  await withDataDir(async (APOTHECA_DATA_DIR) => {
    const running = await startServer({
      APOTHECA_DATA_DIR,
      APOTHECA_ADMIN_PASSWORD: ADMINISTRATOR.password,
      DATABASE_URL: server.url,
      PGSSLMODE: 'verify-full',
      PGSSLROOTCERT: server.caFile,
    });
    const token = await signInToServer(running.url);
    const call = (route: Parameters<typeof callServer>[1], options: object) =>
      callServer(running.url, route, { token, ...options });
    const made = await call(tenantRoutes.create, { body: tenantInput('SEALED') });
    expect(made).toMatchObject({ success: true });
    // pg_dump and pg_restore, which run as another account and with another library.
    const backup = await call(backupRoutes.create, { query: { databaseName: 'SEALED' } });
    expect(backup).toMatchObject({ success: true });
    const query = { id: backup.result.id, databaseName: 'OPENED' };
    expect(await call(backupRoutes.restore, { query })).toMatchObject({ success: true });
    expect(await call(databaseRoutes.list, {})).toMatchObject({ result: { length: 2 } });

    // PostgreSQL takes no others; these are the pools, the queue, the monitor.
    const sessions = await server.ask(`
      select s.ssl, count(*)::int as count from pg_stat_activity a join pg_stat_ssl s using (pid)
      where usename <> 'postgres' group by s.ssl`);
    expect(sessions).toEqual([{ ssl: true, count: expect.any(Number) }]);

    const { result } = await call(credentialRoutes.reveal, { query: { id: made.result.id, access: 'write' } });
    expect(result.sslmode).toBe('verify-full');
    const program = new URL(result.connectionString);
    program.searchParams.set('sslrootcert', server.caFile);
    const { rowCount } = await withClient(program.href, (client) => client.query('select'));
    expect(rowCount).toBe(1);
    expect(await running.interrupt()).toBe(0);
  });
});

it('a start with another CA is refused in one line that says so, and nothing is made [DECISIONS §2]', async () => {
  await withDataDir(async (APOTHECA_DATA_DIR) => {
    const sslrootcert = join(APOTHECA_DATA_DIR, 'other-ca.pem');
    await writeFile(sslrootcert, server.otherCa);
    const url = new URL(withDatabaseName(server.url, 'never_made'));
    url.search = String(new URLSearchParams({ sslmode: 'verify-full', sslrootcert }));
    const { code, output } = await runServer({ APOTHECA_DATA_DIR, PORT: '0', DATABASE_URL: url.href });
    const line = `Apotheca cannot start: DATABASE_URL (${url.host}) cannot be used: its certificate is not issued by a trusted CA`;
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(`^${line.replace(/[()]/g, '\\$&')} \\([A-Z_]+\\)\n$`),
    });
    expect(await server.ask("select from pg_database where datname = 'never_made'")).toEqual([]);
  });
});
