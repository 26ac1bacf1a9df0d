import pg from 'pg';
import { databaseNameOf } from '../connections/connection-string.ts';
import { withPrimaryClient } from '../connections/primary-client.ts';
import { sessionSettings } from '../connections/session-settings.ts';
import { poolerName, quoteIdentifier } from './names.ts';
import { scramVerifier } from './scram.ts';

/** The account by which PgBouncer asks for logins. */
export interface PgBouncerRole {
  roleName: string;
  password: string;
}

/** Its name. @param url connection string of the control database */
export const pgBouncerRoleName = (url: string): string => poolerName(databaseNameOf(url));

/**
 * Makes the account of PgBouncer, which may do nothing but ask `pgbouncer_login` in the control database, or gives it another password;
 * open connections go on.
 * @param url connection string of the control database
 * @throws DatabaseError 42883 where the control database has not been migrated yet
 */
export async function makePgBouncerRole(url: string, { roleName, password }: PgBouncerRole): Promise<void> {
  await withPrimaryClient(sessionSettings(url, 'upkeep'), async (client) => {
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    const role = quoteIdentifier(roleName);
    const known = await client.query('select from pg_roles where rolname = $1', [roleName]);
    await client.query(`
      ${known.rowCount ? 'alter' : 'create'} role ${role} login password ${pg.escapeLiteral(scramVerifier(password))};
      grant connect on database ${pg.escapeIdentifier(rows[0]?.name ?? '')} to ${role};
      grant usage on schema public to ${role};
      grant execute on function pgbouncer_login(text) to ${role}`);
  });
}
