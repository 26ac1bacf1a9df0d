import pg from 'pg';
import { withDatabaseName } from '../api/src/db/connections/connection-string.ts';
import { insertSampleRows } from '../api/src/demo/sample-rows.ts';
import { type Access, createTenant } from './calls.ts';
import { type Installation, signIn } from './installation.ts';
import { cpuOfFamily, startServer } from './processes.ts';
import { withClient } from './rows.ts';
import type { Table } from './tables.ts';

/** What measuring an operation needs. */
export interface Stage {
  access: Access;
  /** A connection of the superuser to the control database. */
  admin: pg.Client;
  /** Connection string of the superuser for a database, by its physical name. */
  urlOf(physicalName: string): string;
  /** Folder for files. */
  folder: string;
  /** Milliseconds of processor time that PostgreSQL, the server and the benchmark with its commands have used so far. */
  cpu(): number;
}

export interface FilledTenant {
  /** Shown name of its database. */
  name: string;
  physicalName: string;
}

/** A practice whose database has about 200 MB, and one of which nearly every table has a few rows. */
export const LARGE = { name: 'LARGE', patients: 28_000 };
export const SMALL = { name: 'SMALL', patients: 1 };

/** Runs `work` with a server and a filled tenant, which is made where an earlier measurement has not made it. */
export async function withFilledTenant(
  { environment, postgresCpu }: Installation,
  { name, patients }: { name: string; patients: number },
  work: (stage: Stage, tenant: FilledTenant) => Promise<Table[]>,
): Promise<Table[]> {
  const server = await startServer(environment);
  const admin = new pg.Client({ connectionString: environment.DATABASE_URL });
  await admin.connect();
  try {
    const stage: Stage = {
      access: { url: server.url, token: await signIn(server.url) },
      admin,
      urlOf: (physicalName) => withDatabaseName(environment.DATABASE_URL, physicalName),
      folder: environment.APOTHECA_DATA_DIR,
      cpu: () => postgresCpu() + cpuOfFamily(process.pid),
    };
    const present = await findPhysicalName(admin, name);
    const physicalName = present ?? (await makeTenant(stage, name, patients));
    return await work(stage, { name, physicalName });
  } finally {
    await admin.end();
    await server.stop();
  }
}

/** The physical name of a database by its shown one. */
export async function findPhysicalName(admin: pg.Client, name: string): Promise<string | undefined> {
  const { rows } = await admin.query('select physical_name from databases where name = $1', [name]);
  return rows[0]?.physical_name;
}

async function makeTenant(stage: Stage, name: string, patients: number): Promise<string> {
  await createTenant(stage.access, name);
  const physicalName = (await findPhysicalName(stage.admin, name)) ?? '';
  await onDatabase(stage, physicalName, async (client) => {
    const rows = await insertSampleRows(client, { patients, seed: 1 });
    // Nothing is left for autovacuum to do in between.
    await client.query('vacuum (analyze, freeze)');
    const { rows: sizes } = await client.query('select pg_database_size(current_database())::float8 as size');
    console.log(`${name}: ${rows} rows, ${(sizes[0].size / 1e6).toFixed(0)} MB`);
  });
  return physicalName;
}

/** Runs `work` on a connection of its own to a database, by its physical name. */
export const onDatabase = <T>({ urlOf }: Stage, physicalName: string, work: (client: pg.Client) => Promise<T>) =>
  withClient(urlOf(physicalName), work);
