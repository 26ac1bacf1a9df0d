// `npm run pgbouncer -- FOLDER`: writes the configuration of a PgBouncer for tenants' programs (decision 075), and the account by which
// it asks for their logins. It asks at each login, so nothing needs to be written again when tenants come, change or go. Where they move
// to other servers, `--follow` stays and keeps that up to date.
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig, StartError } from './config.ts';
import { makePgBouncerRole, pgBouncerRoleName } from './db/cluster/pgbouncer-role.ts';
import { hostsOf } from './db/connections/connection-string.ts';
import { followMoves, writeDatabasesOnce } from './pooling/follow-moves.ts';
import { readPassword, writeConfiguration, writePassword } from './pooling/pgbouncer-files.ts';

async function main(): Promise<void> {
  const { folder, listen, port, host, follow, 'new-password': isRenewed } = readOptions();
  const { databaseUrl, tenantConnections } = readConfig(process.env);
  if (!databaseUrl) throw new StartError('PgBouncer needs a PostgreSQL server of your own: set DATABASE_URL');
  if (hostsOf(databaseUrl).length > 1) {
    throw new StartError(
      'PgBouncer cannot tell which of several hosts takes writes: set DATABASE_URL to an address that leads to the primary',
    );
  }
  await mkdir(folder, { recursive: true });
  const roleName = pgBouncerRoleName(databaseUrl);
  // A PgBouncer that is running knows the password that it has read.
  const kept = isRenewed ? undefined : await readPassword(folder, roleName);
  const password = kept ?? randomBytes(24).toString('base64url');
  const place = { folder, listen, port, databaseUrl, roleName, tenantConnections };
  await writeDatabasesOnce(place);
  // Before PostgreSQL has it: where the folder cannot be written, the password that PgBouncer has still holds.
  await writePassword(place, password);
  await makePgBouncerRole(databaseUrl, { roleName, password });
  await writeConfiguration(place);
  process.stdout.write(`Start it with: pgbouncer ${folder}/pgbouncer.ini\n`);
  if (follow) await followMoves(place, { host, port, user: roleName, password });
}

function readOptions() {
  const { values, positionals } = parseArgs({
    options: {
      listen: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: '6432' },
      follow: { type: 'boolean', default: false },
      'new-password': { type: 'boolean', default: false },
      // Where this command reaches PgBouncer.
      host: { type: 'string' },
    },
    allowPositionals: true,
  });
  const [folder, ...rest] = positionals;
  const port = Number(values.port);
  const isPort = Number.isInteger(port) && port >= 1 && port <= 65_535;
  const isAnyEmpty = values.listen === '' || values.host === '';
  // What follows has to log in to a PgBouncer that still has the password before.
  const isContradiction = values.follow && values['new-password'];
  if (!folder || rest.length > 0 || !isPort || isAnyEmpty || isContradiction) {
    throw new StartError(
      'Usage: npm run pgbouncer -- FOLDER [--listen ADDRESS] [--port PORT] [--new-password | --follow [--host ADDRESS]]',
    );
  }
  return { ...values, folder: resolve(folder), port, host: values.host ?? values.listen };
}

main().catch((error: Error) => {
  // What the system or PostgreSQL refuses is no fault of the program.
  const isKnown = error instanceof StartError || ('code' in error && error.message !== '');
  process.stderr.write(`${isKnown ? error.message : error.stack}\n`);
  process.exit(1);
});
