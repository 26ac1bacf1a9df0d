import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assertIdentifier } from '../db/cluster/names.ts';
import { databaseNameOf } from '../db/connections/connection-string.ts';
import { TLS_MODES } from '../db/connections/tls.ts';
import type { DatabaseElsewhere } from './databases-elsewhere.repository.ts';

/** What the files of a PgBouncer are written from. */
export interface PgBouncerPlace {
  folder: string;
  /** Address and port that programs connect to. */
  listen: string;
  port: number;
  /** Connection string of the administrator, with the control database. */
  databaseUrl: string;
  /** The account that asks for logins. */
  roleName: string;
  /** Most sessions of a login in a database. */
  tenantConnections: number;
}

const USERS = 'userlist.txt';
const DATABASES = 'databases.ini';
const CERTIFICATES = 'ca.pem';

/** Modes of files: only their owner reads those with the account's password; the others may belong to another account than PgBouncer's. */
const OWN = 0o600;
const OPEN = 0o644;

/** The password of the account that asks for logins, if there is one already. */
export async function readPassword(folder: string, roleName: string): Promise<string | undefined> {
  const text = await readFile(join(folder, USERS), 'utf8').catch(() => '');
  const [, name, password] = /^"([^"]+)" "([^"]+)"$/m.exec(text) ?? [];
  return name === roleName ? password : undefined;
}

/** Writes the password of the account that asks for logins. */
export async function writePassword({ folder, roleName }: PgBouncerPlace, password: string): Promise<void> {
  await writeChanged(join(folder, USERS), `"${roleName}" "${password}"\n`, OWN);
}

/** Writes what does not change while tenants come, change, move or go. */
export async function writeConfiguration(place: PgBouncerPlace): Promise<void> {
  await writeChanged(join(place.folder, 'pgbouncer.ini'), configurationOf(place), OWN);
}

/** Where PgBouncer leads the programs of a database. */
export interface Way {
  physicalName: string;
  host: string;
  port: number;
}

/**
 * Writes which databases live on other servers, and the certificates of those, where that has changed. A database that is written once
 * stays, and leads to the control database's server once it lives nowhere else: PgBouncer cuts off the programs of one that it no longer
 * finds, and may crash while it lets one in (https://github.com/pgbouncer/pgbouncer/issues/1401, seen with 1.24.1).
 * @returns whether it has changed, all that are written, and the servers that are left out, as PgBouncer has one way of TLS for all
 */
export async function writeDatabases(
  place: PgBouncerPlace,
  elsewhere: readonly DatabaseElsewhere[],
): Promise<{ isChanged: boolean; ways: Way[]; leftOut: string[] }> {
  const { mode, root } = tlsOf(place);
  const isServed = ({ tls }: DatabaseElsewhere) =>
    rankOf(tls) <= rankOf(mode) && (tls !== 'verify-full' || root !== null);
  const served = elsewhere.filter(isServed);
  const serverOf = new Map(served.map(({ physicalName, host, port }) => [physicalName, { host, port }]));
  const names = new Set([...serverOf.keys(), ...(await readNames(place))]);
  const ways = [...names]
    .sort()
    .map((physicalName) => ({ physicalName, ...(serverOf.get(physicalName) ?? home(place)) }));
  // PgBouncer takes no quotes there.
  const lines = ways.map(({ physicalName, ...way }) => `${assertIdentifier(physicalName)} = ${wayTo(place, way)}\n`);
  const roots = [
    root === null ? '' : await readFile(root, 'utf8'),
    ...served.map(({ caCertificate }) => caCertificate),
  ];
  const certificates = [...new Set(roots.map((root) => root.trim()))].filter((root) => root !== '').join('\n');
  const written = [
    await writeChanged(join(place.folder, CERTIFICATES), certificates && `${certificates}\n`, OPEN),
    await writeChanged(join(place.folder, DATABASES), lines.join(''), OPEN),
  ];
  const leftOut = elsewhere.filter((database) => !isServed(database)).map(({ server }) => server);
  return { isChanged: written.includes(true), ways, leftOut: [...new Set(leftOut)] };
}

/** The databases that have been written before. */
async function readNames({ folder }: PgBouncerPlace): Promise<string[]> {
  const text = await readFile(join(folder, DATABASES), 'utf8').catch(() => '');
  return text.match(/^\w+(?= = )/gm) ?? [];
}

const rankOf = (mode: string): number => TLS_MODES.indexOf(mode);

function tlsOf({ databaseUrl }: PgBouncerPlace): { mode: string; root: string | null } {
  const { searchParams } = new URL(databaseUrl);
  return { mode: searchParams.get('sslmode') ?? 'prefer', root: searchParams.get('sslrootcert') };
}

/** The control database's server. */
function home({ databaseUrl }: PgBouncerPlace): { host: string; port: number } {
  const { hostname, port } = new URL(databaseUrl);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 5432) };
}

/** Where a database is, and where PgBouncer asks for its logins: in the control database, whichever server it is on. */
function wayTo({ databaseUrl, roleName }: PgBouncerPlace, { host, port }: { host: string; port: number }): string {
  const database = databaseNameOf(databaseUrl).replaceAll("'", "''");
  return `host=${host} port=${port} auth_user=${roleName} auth_dbname='${database}'`;
}

function configurationOf(place: PgBouncerPlace): string {
  const { folder, listen, port, roleName, tenantConnections } = place;
  const { mode, root } = tlsOf(place);
  return `; Written by \`npm run pgbouncer\`. A change of yours is lost when that is given again.
[databases]
; Those that are, or have been, on other servers, which \`npm run pgbouncer -- --follow\` keeps up to date.
%include ${join(folder, DATABASES)}
; Each other database by its own name; who may enter it, PostgreSQL says.
* = ${wayTo(place, home(place))}

[pgbouncer]
listen_addr = ${listen}
listen_port = ${port}
unix_socket_dir =
pool_mode = transaction
auth_type = scram-sha-256
auth_file = ${join(folder, USERS)}
auth_query = select usename, passwd from public.pgbouncer_login($1)
; It has these files read again.
admin_users = ${roleName}
; A pool is of one login in one database: as many sessions as PostgreSQL lets the login have (APOTHECA_TENANT_CONNECTIONS).
default_pool_size = ${tenantConnections}
max_client_conn = 10000
; A session that nobody uses ends after a minute, so that a login that has ended leaves none.
server_idle_timeout = 60
; So a login that PostgreSQL refused, as its database was closed, is tried again soon.
server_login_retry = 1
server_tls_sslmode = ${mode}${root !== null ? `\nserver_tls_ca_file = ${join(folder, CERTIFICATES)}` : ''}
ignore_startup_parameters = extra_float_digits,options
`;
}

/** Readers find the old file or the new one. @returns whether its text is another one now */
async function writeChanged(file: string, text: string, mode: number): Promise<boolean> {
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) return false;
  await writeFile(`${file}.new`, text, { mode });
  await rename(`${file}.new`, file);
  return true;
}
