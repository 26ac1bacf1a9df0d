// `npm run pgbouncer -- FOLDER`: writes the configuration of a PgBouncer for tenants' programs (decision 075), and the account by which
// it asks for their logins. It asks at each login, so nothing needs to be written again when tenants come, change or go.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig, StartError } from './config.ts';
import { makePgBouncerRole } from './db/cluster/pgbouncer-role.ts';
import { databaseNameOf, hostsOf } from './db/connections/connection-string.ts';

interface Options {
  folder: string;
  /** Address and port that programs connect to. */
  listen: string;
  port: string;
}

async function main(): Promise<void> {
  const { folder, ...options } = readOptions();
  const { databaseUrl, tenantConnections } = readConfig(process.env);
  if (!databaseUrl) throw new StartError('PgBouncer needs a PostgreSQL server of your own: set DATABASE_URL');
  if (hostsOf(databaseUrl).length > 1) {
    throw new StartError(
      'PgBouncer cannot tell which of several hosts takes writes: set DATABASE_URL to an address that leads to the primary',
    );
  }
  const { roleName, password } = await makePgBouncerRole(databaseUrl);
  await mkdir(folder, { recursive: true });
  await writeWhole(join(folder, 'userlist.txt'), `"${roleName}" "${password}"\n`);
  const configuration = configurationOf(new URL(databaseUrl), { ...options, folder, roleName, tenantConnections });
  await writeWhole(join(folder, 'pgbouncer.ini'), configuration);
  process.stdout.write(`Start it with: pgbouncer ${join(folder, 'pgbouncer.ini')}\n`);
}

function readOptions(): Options {
  const { values, positionals } = parseArgs({
    options: { listen: { type: 'string', default: '127.0.0.1' }, port: { type: 'string', default: '6432' } },
    allowPositionals: true,
  });
  const [folder] = positionals;
  if (!folder) throw new StartError('Usage: npm run pgbouncer -- FOLDER [--listen ADDRESS] [--port PORT]');
  return { folder: resolve(folder), ...values };
}

/** Readers find the old file or the new one. Only its owner reads it. */
async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

function configurationOf(
  url: URL,
  { folder, listen, port, roleName, tenantConnections }: Options & { roleName: string; tenantConnections: number },
): string {
  const database = databaseNameOf(url.href);
  const place = `host=${url.hostname.replace(/^\[|\]$/g, '')} port=${url.port || 5432}`;
  const mode = url.searchParams.get('sslmode') ?? 'prefer';
  const root = url.searchParams.get('sslrootcert');
  return `; Written by \`npm run pgbouncer\`. A change of yours is lost when that is given again.
[databases]
; Each database by its own name; who may enter it, PostgreSQL says.
* = ${place} auth_user=${roleName} auth_dbname=${database}

[pgbouncer]
listen_addr = ${listen}
listen_port = ${port}
unix_socket_dir =
pool_mode = transaction
auth_type = scram-sha-256
auth_file = ${join(folder, 'userlist.txt')}
auth_query = select usename, passwd from public.pgbouncer_login($1)
; A pool is of one login in one database: as many sessions as PostgreSQL lets the login have (APOTHECA_TENANT_CONNECTIONS).
default_pool_size = ${tenantConnections}
max_client_conn = 10000
; A session that nobody uses ends after a minute, so that a login that has ended leaves none.
server_idle_timeout = 60
; So a login that PostgreSQL refused, as its database was closed, is tried again soon.
server_login_retry = 1
server_tls_sslmode = ${mode}${root ? `\nserver_tls_ca_file = ${root}` : ''}
ignore_startup_parameters = extra_float_digits,options
`;
}

main().catch((error: Error) => {
  process.stderr.write(`${error instanceof StartError ? error.message : error.stack}\n`);
  process.exit(1);
});
