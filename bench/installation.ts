import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../api/src/db/embedded/embedded-postgres.ts';
import { newestTenantSchemaVersion } from '../api/src/db/migrate.ts';
import { startServer } from './processes.ts';

/** A PostgreSQL of the benchmark's own, and how to start Apotheca on it. */
export interface Installation {
  environment: Record<string, string> & { DATABASE_URL: string; APOTHECA_DATA_DIR: string };
  remove(): Promise<void>;
}

export const PASSWORD = 'bench password';

/** Starts a throw-away embedded PostgreSQL with its default settings, fsync and all. */
export async function makeInstallation(): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), password: 'bench' });
  const environment = {
    DATABASE_URL: postgres.url,
    APOTHECA_DATA_DIR: folder,
    APOTHECA_ADMIN_PASSWORD: PASSWORD,
    APOTHECA_DEMO: 'off',
    PORT: '0',
  };
  // The first start migrates and seeds.
  await (await startServer(environment)).stop();
  return {
    environment,
    remove: async () => {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/identity/authenticate/authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  });
  const { result } = (await response.json()) as { result: { accessToken: string } };
  return result.accessToken;
}

/** Leaves the control database with exactly so many tenants; their databases stand in the registry only. */
export async function fillTenants({ environment }: Installation, tenants: number): Promise<void> {
  const client = new pg.Client({ connectionString: environment.DATABASE_URL });
  await client.connect();
  await client.query('delete from databases');
  await client.query('delete from tenants');
  await client.query(
    `insert into tenants select
       gen_random_uuid(), 'CLINIC' || n, 'Clinic number ' || n, 'Clinic number ' || n, 'Ines', 'Moreau ' || n,
       'ines' || n || '@clinic.test', '(425) 555-0134', n || ' Shore Drive', '', '', 'Everett', 'WA', '98201',
       'athenahealth', 'America/Los_Angeles', 'live', '1.0', '', '', '', '', '', 'Monthly',
       date '2026-01-01', date '2027-01-01', 25, true, null, null, now(), now()
     from generate_series(1, $1) n`,
    [tenants],
  );
  await client.query(
    `insert into databases
       (id, name, physical_name, role_name, role_password, tenant_id, state, created_at, schema_version)
     select gen_random_uuid(), code, lower('db_' || code), lower('db_' || code), '', id, 'ready', now(), $1 from tenants`,
    [newestTenantSchemaVersion()],
  );
  await client.query('vacuum analyze');
  await client.end();
}

/** Leaves the control database with exactly so many users, the administrator among them. */
export async function fillUsers({ environment }: Installation, users: number): Promise<void> {
  const client = new pg.Client({ connectionString: environment.DATABASE_URL });
  await client.connect();
  await client.query("delete from users where user_name <> 'admin'");
  await client.query(
    `insert into users (user_name, email, password_hash, first_name, last_name, title, phone, notes, role_id, clinical_role_id)
     select 'user' || n, 'user' || n || '@clinic.test', 'nobody knows', 'Ines', 'Moreau ' || n, 'PharmD', '(425) 555-0134',
       'Works on weekdays', (select id from roles order by name offset n % 3 limit 1), 'pharmacist'
     from generate_series(2, $1) n`,
    [users],
  );
  await client.query('vacuum analyze');
  await client.end();
}
