import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { POSTPONED_DAYS } from '@apotheca/contract/tenant-access';
import { withDatabaseName } from '../db/connections/connection-string.ts';
import { withClient } from './databases.ts';
import { type Acknowledged, codeOf, type FleetSetup, WORK } from './fleet-work.ts';
import { type KillableFleet, PLACES, type Place } from './killable-fleet.ts';
import { NODE_COMPILE_CACHE } from './server-process.ts';

const VERIFY = fileURLToPath(new URL('../verify-audit.ts', import.meta.url));

/** What should be, and what is. */
interface Compared {
  expected: unknown;
  found: unknown;
}

const sorted = (names: Iterable<string>): string[] => [...names].sort();

/** What the databases and folders of a fleet have in the end, compared with what was acknowledged to clients. Nothing is changed. */
export class FleetRemains {
  readonly #fleet: KillableFleet;
  readonly #setup: FleetSetup;
  readonly #done: Acknowledged;

  constructor(fleet: KillableFleet, setup: FleetSetup, done: Acknowledged) {
    this.#fleet = fleet;
    this.#setup = setup;
    this.#done = done;
  }

  async #query<Row>(statement: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await withClient(this.#fleet.urls.home, (client) => client.query(statement, values));
    return rows;
  }

  async #names(statement: string, values?: unknown[]): Promise<string[]> {
    return sorted((await this.#query<{ name: string }>(statement, values)).map(({ name }) => name));
  }

  /** Records: each that was acknowledged is there once, and no other one. */
  async records(): Promise<Record<string, Compared>> {
    const { faqs, users, tenants, backups } = this.#done;
    const expectedTenants = [...this.#setup.tenants.keys(), ...tenants];
    return {
      faqs: { expected: sorted(faqs), found: await this.#names('select code as name from faqs') },
      users: {
        expected: sorted(users),
        found: await this.#names(
          'select user_name as name from users where starts_with(user_name collate "C", \'user-\')',
        ),
      },
      tenants: { expected: sorted(expectedTenants), found: await this.#names('select code as name from tenants') },
      databases: { expected: sorted(expectedTenants), found: await this.#names('select name from databases') },
      backups: {
        expected: sorted([...backups.values()].flat()),
        found: await this.#names("select id::text as name from backups where state = 'ready'"),
      },
    };
  }

  /** Edits of records that many write, ends that were put off, logins, and rows of programs. */
  async changes(): Promise<Record<string, Compared>> {
    const words = await this.#query<{ code: string; words: string; version: number }>(
      'select code, configuration as words, version from tenants where starts_with(code collate "C", \'EDIT-\')',
    );
    const compared: Record<string, Compared> = {};
    for (const { code, words: found, version } of words) {
      const expected = this.#done.edits.get(code) ?? [];
      compared[`edits of ${code}`] = { expected: sorted(expected), found: sorted(found.split(' ').filter(Boolean)) };
      compared[`version of ${code}`] = { expected: expected.length + 1, found: version };
    }
    const acknowledged = [...this.#setup.tenants].filter(([code]) => code.startsWith('PROGRAM-'));
    for (const [code, { place }] of acknowledged) {
      const found = new Set(await this.#rowsOf(code, place));
      const lost = (this.#done.rows.get(code) ?? []).filter((row) => !found.has(row));
      compared[`lost rows of ${code}`] = { expected: [], found: lost };
    }
    return compared;
  }

  async #rowsOf(code: string, place: Place): Promise<string[]> {
    const [database] = await this.#names('select physical_name as name from databases where name = $1', [code]);
    return withClient(withDatabaseName(this.#fleet.urls[place], String(database)), async (client) => {
      const { rows } = await client.query<{ code: string }>('select code from public.locations');
      return rows.map((row) => row.code);
    });
  }

  /** By how many weeks ends were put off: at least as often as acknowledged, at most as often as asked. */
  async postponed(): Promise<{ code: string; done: number; asked: number; weeks: number; audited: number }[]> {
    const rows = await this.#query<{ code: string; days: number; audited: number }>(`
      select code, coalesce(postponed_to::date - subscription_end_date::date, 0) as days,
        (select count(*)::int from audit_entries a where a.entity_id = t.id::text and action = 'tenants.postpone-expiry') as audited
      from tenants t where starts_with(code collate "C", 'POSTPONE-') order by code`);
    return rows.map(({ code, days, audited }) => {
      const counted = this.#done.postponed.get(code) ?? { done: 0, asked: 0 };
      return { code, ...counted, weeks: days / POSTPONED_DAYS, audited };
    });
  }

  /** How often the trail says that what can be done once was done: each record made, each deleted, each operation. */
  async audited(): Promise<Record<string, Compared>> {
    const entries = await this.#query<{ action: string; entries: number; records: number }>(`
      select action, count(*)::int as entries, 
        -- A backup is told of its database.
        count(distinct coalesce(changes::jsonb ->> 'backupId', entity_id))::int as records
      from audit_entries group by action`);
    const of = (action: string) => entries.find((entry) => entry.action === action) ?? { entries: 0, records: 0 };
    const once = (action: string, expected: number): [string, Compared] => {
      const { entries: found, records } = of(action);
      return [action, { expected: { entries: expected, records: expected }, found: { entries: found, records } }];
    };
    const { faqs, users, tenants, deletedTenants, deletedClones, backups, rotations, edits } = this.#done;
    const total = (counts: Iterable<number>) => [...counts].reduce((sum, count) => sum + count, 0);
    return Object.fromEntries([
      once('faqs.create', faqs.length),
      once('users.create', users.length),
      once('tenants.create', this.#setup.tenants.size + tenants.size + deletedTenants.length),
      once('tenants.delete', deletedTenants.length),
      once('databases.clone', deletedClones.length),
      once('databases.delete', deletedClones.length),
      once('databases.backup', [...backups.values()].flat().length),
      [
        'tenants.edit',
        {
          expected: total([...edits.values()].map(({ length }) => length)),
          found: of('tenants.edit').entries,
        },
      ],
      [
        'tenants.rotate-credentials',
        { expected: total(rotations.values()), found: of('tenants.rotate-credentials').entries },
      ],
    ]);
  }

  /** Operations that have not succeeded, but for those that too many kills have ended: clients were told. */
  operations(): Promise<unknown[]> {
    return this.#query(`
      select kind, database_name, state, message, error from operations
      where state <> 'succeeded' and error ->> 'code' is distinct from 'interrupted'`);
  }

  /** The databases and the roles of a PostgreSQL server that nothing in the registry explains. */
  async unknown(place: Place): Promise<{ databases: string[]; roles: string[] }> {
    const registered = await this.#query<{ name: string; role: string; logins: string[] }>(
      `select physical_name as name, role_name as role,
         array(select l.role_name from database_logins l where l.database_id = d.id) as logins
       from databases d where server_id = $1`,
      [this.#setup.servers[place]],
    );
    const databases = new Set(registered.map(({ name }) => name));
    const roles = new Set(registered.flatMap(({ role, logins }) => [role, ...logins]));
    return withClient(this.#fleet.urls[place], async (client) => {
      const names = async (statement: string) =>
        (await client.query<{ name: string }>(statement)).rows.map(({ name }) => name);
      return {
        databases: (await names("select datname as name from pg_database where datname not like 'apotheca%'")).filter(
          (name) => !databases.has(name) && !['postgres', 'template0', 'template1'].includes(name),
        ),
        // PostgreSQL's own and Apotheca's groups are no logins.
        roles: (await names("select rolname as name from pg_roles where rolcanlogin and rolname <> 'postgres'")).filter(
          (name) => !roles.has(name),
        ),
      };
    });
  }

  /** The files of the folder of archives. */
  async archives(): Promise<Compared> {
    const folder = join(this.#fleet.settings.APOTHECA_DATA_DIR ?? '', 'backups');
    const expected = [...this.#done.backups.values()].flat().map((id) => `${id}.dump`);
    return { expected: sorted(expected), found: sorted(await readdir(folder)) };
  }

  /**
   * Removes the folders that an interrupted CREATE DATABASE has left in the clusters, as reconciliation says that the operator of the
   * PostgreSQL server does. PostgreSQL itself forgets them. @param names as reconciliation tells them: `base/16384`
   */
  async removeFolders(names: readonly string[]): Promise<void> {
    for (const place of PLACES) {
      const oids = await withClient(this.#fleet.urls[place], async (client) => {
        const { rows } = await client.query<{ oid: string }>('select oid::text from pg_database');
        return new Set(rows.map(({ oid }) => `base/${oid}`));
      });
      for (const name of names)
        if (!oids.has(name)) await rm(join(this.#fleet.folders[place], name), { recursive: true, force: true });
    }
  }

  /** `npm run audit:verify` on the fleet's trail. */
  async verifyAudit(): Promise<{ code: number; errors: string }> {
    const child = spawn(process.execPath, [VERIFY], {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE, ...this.#fleet.settings },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    return { code, errors };
  }
}

/** The codes of the tenants that work is done on, with the place where each is to live. */
export const tenantsOfWork = (): { code: string; place: Place }[] =>
  Object.entries(WORK).flatMap(([kind, { tenants = 0 }]) =>
    PLACES.flatMap((place) =>
      Array.from({ length: tenants }, (_, number) => ({ code: codeOf(kind, place, number), place })),
    ),
  );
