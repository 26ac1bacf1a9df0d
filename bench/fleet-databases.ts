// Thousands of tenants' databases in minutes.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { physicalName } from '../api/src/db/cluster/names.ts';
import { markFor } from '../api/src/db/cluster/ownership-mark.ts';
import { giveRightsInCopy } from '../api/src/db/cluster/tenant-rights.ts';
import { withDatabaseName } from '../api/src/db/connections/connection-string.ts';
import type { Installation } from './installation.ts';
import { eachOf, ensureRealTenants } from './real-tenants.ts';
import { fillUpTenants, type MadeDatabase, registerTenants, withClient } from './rows.ts';

/** Databases at a time. */
const AT_ONCE = 4;

/**
 * Makes tenants with databases until there are so many or the time is over. A database is made as the server does it, copied from its template
 * with a role, rights and marks; but its files are copied (STRATEGY FILE_COPY), which is the faster way where no disk is waited for, its role
 * has no password, and the registry gets the rows of all of them at once.
 * @returns the codes of all tenants whose databases are real, which are their databases' names too
 */
export async function ensureFleet(installation: Installation, count: number, seconds: number): Promise<string[]> {
  const url = installation.environment.DATABASE_URL;
  // The first one leaves its template.
  const [first = ''] = await ensureRealTenants(installation, 1);
  return withClient(url, async (client) => {
    await fillUpTenants(client, 0);
    const { rows } = await client.query(
      `select (select array_agg(code::text) from tenants) as codes, rolconnlimit as "connectionLimit", current_database() as control,
         (select datname from pg_database where datname like 'apotheca\\_template\\_%') as template
       from databases d join pg_roles on rolname = d.role_name where d.name = $1`,
      [first],
    );
    const { codes, ...pattern }: Pattern & { codes: string[] } = rows[0];
    const present = codes.length;
    const missing = Array.from({ length: Math.max(count - present, 0) }, (_, index) => newDatabase(present + index));
    const made: MadeDatabase[] = [];
    const endsAt = performance.now() + seconds * 1000;
    await eachOf(missing, AT_ONCE, async (database) => {
      if (performance.now() > endsAt) return;
      await makeDatabase(url, database, pattern);
      made.push(database);
      if (made.length % 500 === 0) console.log(`${present + made.length} databases`);
    });
    await registerTenants(client, made);
    return [...codes, ...made.map(({ code }) => code)];
  });
}

function newDatabase(number: number): MadeDatabase {
  const id = randomUUID();
  const code = `FLEET${number}`;
  return { id, code, physicalName: physicalName(id, code) };
}

interface Pattern {
  connectionLimit: number;
  /** Name of the control database. */
  control: string;
  template: string;
}

async function makeDatabase(url: string, made: MadeDatabase, pattern: Pattern): Promise<void> {
  const name = pg.escapeIdentifier(made.physicalName);
  const mark = pg.escapeLiteral(markFor(pattern.control));
  await withClient(url, async (client) => {
    await client.query(
      `create role ${name} login connection limit ${pattern.connectionLimit}; comment on role ${name} is ${mark}`,
    );
    await client.query(
      `create database ${name} template ${pg.escapeIdentifier(pattern.template)} strategy file_copy is_template false`,
    );
    await client.query(
      `revoke all on database ${name} from public; grant connect, temporary on database ${name} to ${name};
       comment on database ${name} is ${mark}`,
    );
  });
  await withClient(withDatabaseName(url, made.physicalName), (client) =>
    giveRightsInCopy(client, made.physicalName, pattern.template),
  );
}
