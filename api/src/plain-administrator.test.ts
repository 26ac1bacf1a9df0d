import { readFile } from 'node:fs/promises';
import { anonymizationRoutes } from '@apotheca/contract/anonymization';
import { anonymizedCloneRoutes } from '@apotheca/contract/anonymized-clones';
import { backupProofRoutes } from '@apotheca/contract/backup-proofs';
import { backupRoutes } from '@apotheca/contract/backups';
import { credentialRoutes } from '@apotheca/contract/credentials';
import { databaseRoutes } from '@apotheca/contract/databases';
import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { moveRoutes } from '@apotheca/contract/moves';
import { operationRoutes } from '@apotheca/contract/operations';
import { type ParkedDatabase, parkedDatabaseRoutes } from '@apotheca/contract/parked-databases';
import { purgeRoutes } from '@apotheca/contract/purges';
import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import type { ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { readConfig } from './config.ts';
import { drainRoles } from './db/cluster/login-roles.ts';
import { HOME_SERVER } from './db/clusters.ts';
import { withDatabaseName } from './db/connections/connection-string.ts';
import { connectionStringOf, getDatabaseByName } from './features/databases/databases.service.ts';
import { tidyAfterCrash } from './features/databases/reconciliation/reconciliation.service.ts';
import { openInstallation } from './installation.ts';
import { useTestApp } from './testing/app.ts';
import { tenantInput } from './testing/builders.ts';
import { withClient } from './testing/databases.ts';
import { holdAt, installStops } from './testing/operation-stops.ts';
import { operationsEnded } from './testing/operations.ts';
import { makePlainHome, PLAIN } from './testing/plain-administrator.ts';
import { useSecondServer } from './testing/second-server.ts';
import { withDataDir } from './testing/server-process.ts';

const server = useSecondServer();
const test = useTestApp({}, () => makePlainHome(server));

/** Calls, and says why it failed where it did. */
async function done(route: ContractRoute, options: { query?: Record<string, string>; body?: unknown } = {}) {
  const { status, message, result } = await test.call(route, { ...options, token });
  expect(status, message).toBe(200);
  return result;
}
const named = (databaseName: string) => ({ query: { databaseName } });
const inside = async (name: string, statement: string) =>
  test.context.tenants.with(
    await getDatabaseByName(test.context, name),
    async (client) => (await client.query(statement)).rows,
    { unlimited: true },
  );
const asSuperuser = async (statement: string) =>
  (await withClient(server.url, (client) => client.query(statement))).rows;
const listParked = (): Promise<ParkedDatabase[]> => done(parkedDatabaseRoutes.listParked);
const findings = async () => (await done(reconciliationRoutes.reconcile)).findings;
const codes = async (name: string) =>
  (await inside(name, 'select code from public.locations order by code')).map(({ code }) => code);
const add = (name: string, code: string) =>
  inside(name, `insert into public.locations (code, name, kind) values ('${code}', '${code}', 'clinic')`);

let token = '';
beforeAll(async () => {
  // PostgreSQL compares the end of a login with its own clock.
  test.clock.now = new Date();
  token = (await test.signIn()).result.accessToken;
});

/** Takes the functions from PUBLIC, as docs/operations.md says. */
async function closeFunctions(name: string): Promise<void> {
  const { physicalName } = await getDatabaseByName(test.context, name);
  const migration = new URL('./db/migrations/tenant/000010-closed-to-public.sql', import.meta.url);
  const statements = await readFile(migration, 'utf8');
  await withClient(withDatabaseName(server.url, physicalName), (client) =>
    client.query(`${statements}; grant execute on function lo_unlink(oid) to ${PLAIN.userName}`),
  );
}

it('a tenant lives its whole life where the administrator is no superuser [DECISIONS §2]', async () => {
  const { id } = await done(tenantRoutes.create, { body: tenantInput('PLAIN') });
  await done(tenantRoutes.edit, { body: { ...tenantInput('PLAIN'), id, name: 'Edited' } });
  await add('PLAIN', 'A');
  for (const access of ['write', 'read']) {
    const before = await done(credentialRoutes.reveal, { query: { id, access } });
    await done(credentialRoutes.rotate, { body: { id, access, overlapMinutes: 0 } });
    const after = await done(credentialRoutes.reveal, { query: { id, access } });
    await expect(withClient(before.connectionString, async () => {})).rejects.toThrow(
      /authentication failed|not permitted/,
    );
    await withClient(after.connectionString, (client) => client.query('select from public.locations'));
  }
  await closeFunctions('PLAIN');
  // As services do that say nothing of the cluster.
  await asSuperuser('revoke execute on function pg_control_system() from public');
  expect((await done(databaseServerRoutes.check, { body: { id: HOME_SERVER } })).points).toEqual(
    expect.arrayContaining([
      { point: 'rights', passed: true, detail: 'No superuser, nor a member of pg_read_all_stats' },
      { point: 'cluster', passed: null, detail: 'PostgreSQL does not say which cluster it is' },
    ]),
  );
  await inside('PLAIN', 'create table public.notes (id int primary key)');
  const backup = await done(backupRoutes.create, named('PLAIN'));
  expect((await done(backupRoutes.planRestore, { query: { id: backup.id, databaseName: 'ASIDE' } })).leftOut).toEqual([
    expect.objectContaining({ name: 'notes', reason: 'It is restored only where DATABASE_URL names a superuser.' }),
  ]);
  await inside('PLAIN', 'drop table public.notes');
  await add('PLAIN', 'B');
  await done(backupProofRoutes.prove, { query: { id: backup.id } });
  await done(databaseRoutes.copy, { query: { copyFrom: 'PLAIN', databaseName: 'COPY' } });
  await done(backupRoutes.restore, { query: { id: backup.id, databaseName: 'PLAIN' } });
  await done(backupRoutes.restore, { query: { id: backup.id, databaseName: 'ASIDE' } });
  expect([await codes('PLAIN'), await codes('COPY'), await codes('ASIDE')]).toEqual([['A'], ['A', 'B'], ['A']]);
  await done(databaseRoutes.rename, { query: { databaseName: 'ASIDE', newName: 'RENAMED' } });
  await done(anonymizedCloneRoutes.cloneAnonymized, { query: { copyFrom: 'COPY', databaseName: 'STAGING' } });
  await done(anonymizedCloneRoutes.refresh, named('STAGING'));
  await done(anonymizationRoutes.anonymize, named('COPY'));
  const { operationId } = await done(purgeRoutes.purge, { ...named('PLAIN'), body: ['locations'] });
  await done(purgeRoutes.putBack, { query: { databaseName: 'PLAIN', operationId }, body: ['locations'] });
  expect(await codes('PLAIN')).toEqual(['A']);
  for (const name of ['COPY', 'STAGING', 'RENAMED']) await done(databaseRoutes.delete, named(name));
  const [replaced, ...others] = (await listParked()).filter(({ databaseName }) => databaseName === 'PLAIN');
  expect(others).toEqual([]);
  await done(parkedDatabaseRoutes.putBack, { query: { id: replaced?.id ?? '' } });
  expect(await codes('PLAIN')).toEqual(['A', 'B']);
  await done(tenantRoutes.delete, { query: { id } });
  // The tenant's own comes after what it was before.
  const rank = ({ reason }: ParkedDatabase) => Number(reason === 'tenant-deleted');
  const kept = (await listParked()).toSorted((one, two) => rank(one) - rank(two));
  for (const { id, databaseName } of kept)
    await done(parkedDatabaseRoutes.removeParked, { query: { id, databaseName } });
  expect(await findings()).toEqual([]);
});

it("a template of another installation's that was never finished stays: only its own role may drop it [DECISIONS §8]", async () => {
  const [theirs, ours] = [2, 3].map((process) => `apotheca_template_0123456789ab_${process}_1`);
  await asSuperuser(`create database ${theirs} template template0`);
  await asSuperuser(`create database ${ours} template template0 owner ${PLAIN.userName}`);
  expect(await findings()).toEqual([expect.objectContaining({ kind: 'abandoned-draft', subject: ours })]);
  await tidyAfterCrash(test.context);
  const drafts = "select datname as name from pg_database where datname like 'apotheca\\_template\\_%\\_1'";
  expect(await asSuperuser(drafts)).toEqual([{ name: theirs }]);
  await asSuperuser(`drop database ${theirs}`);
});

it('a database in which autovacuum works is copied, renamed, replaced and deleted all the same [DECISIONS §2]', async () => {
  await done(tenantRoutes.create, { body: tenantInput('VACUUMED') });
  const { physicalName } = await getDatabaseByName(test.context, 'VACUUMED');
  // Only autovacuum's sessions have no name.
  await withClient(
    { connectionString: withDatabaseName(server.url, physicalName), application_name: 'test' },
    (client) =>
      client.query(`
      set role ${PLAIN.userName};
      create function public.endless(text) returns text immutable language plpgsql as $$ begin
        if current_setting('application_name') = '' then perform pg_sleep(3600); end if;
        return $1;
      end $$;
      create table public.watched (code text);
      create index on public.watched (public.endless(code));
      alter table public.watched set (autovacuum_analyze_threshold = 0, autovacuum_analyze_scale_factor = 0);
      insert into public.watched values ('A')`),
  );
  await asSuperuser('alter system set autovacuum_naptime = 1');
  await asSuperuser('select pg_reload_conf()');
  const isVacuumed = () =>
    asSuperuser("select from pg_stat_activity where backend_type = 'autovacuum worker' and wait_event = 'PgSleep'");
  const whileVacuumed = async (route: ContractRoute, query: Record<string, string>) => {
    await expect.poll(isVacuumed).toHaveLength(1);
    return done(route, { query });
  };
  const backup = await done(backupRoutes.create, named('VACUUMED'));
  await whileVacuumed(databaseRoutes.copy, { copyFrom: 'VACUUMED', databaseName: 'COPIED' });
  await whileVacuumed(databaseRoutes.rename, { databaseName: 'VACUUMED', newName: 'STILL VACUUMED' });
  await whileVacuumed(backupRoutes.restore, { id: backup.id, databaseName: 'STILL VACUUMED' });
  const parked = (await listParked()).find(({ databaseName }) => databaseName === 'STILL VACUUMED');
  await whileVacuumed(parkedDatabaseRoutes.removeParked, { id: parked?.id ?? '', databaseName: 'STILL VACUUMED' });
});

it("a superuser's session in a database is told, as another role cannot end it [DECISIONS §2]", async () => {
  await done(tenantRoutes.create, { body: tenantInput('WATCHED') });
  const { physicalName } = await getDatabaseByName(test.context, 'WATCHED');
  const copy = { query: { copyFrom: 'WATCHED', databaseName: 'REFUSED' } };
  await withClient(withDatabaseName(server.url, physicalName), async () => {
    expect(await test.call(databaseRoutes.copy, { ...copy, token })).toMatchObject({
      status: 409,
      message: expect.stringMatching(
        /^PostgreSQL does not allow this: .*superuser.* docs\/operations\.md says which rights Apotheca needs\.$/i,
      ),
    });
  });
  await done(databaseRoutes.copy, copy);
});

it('a database of another role is named as people know it, where PostgreSQL refuses to copy it [DECISIONS §2]', async () => {
  await done(tenantRoutes.create, { body: tenantInput('FOREIGN') });
  const { physicalName } = await getDatabaseByName(test.context, 'FOREIGN');
  await asSuperuser(`alter database ${physicalName} owner to postgres`);
  const copy = { copyFrom: 'FOREIGN', databaseName: 'NOT MADE' };
  expect(await test.call(databaseRoutes.copy, { query: copy, token })).toMatchObject({
    status: 409,
    message:
      'PostgreSQL does not allow this: must be owner of database FOREIGN. docs/operations.md says which rights Apotheca needs.',
  });
  await asSuperuser(`alter database ${physicalName} owner to ${PLAIN.userName}`);
});

it('a session at work is not ended before its time, though only its own role sees what it does [DECISIONS §2]', async () => {
  await done(tenantRoutes.create, { body: tenantInput('BUSY') });
  const row = await getDatabaseByName(test.context, 'BUSY');
  const { platform } = await test.context.clusters.of(row.serverId);
  await withClient(withDatabaseName(server.url, row.physicalName), async (holder) => {
    await holder.query('begin; lock table public.locations in access exclusive mode');
    await withClient(await connectionStringOf(test.context, row), async (client) => {
      const reading = client.query('select from public.locations');
      const drained = drainRoles(platform, [row.roleName], 60_000);
      // It has looked once, and waits before it looks again.
      const looks = () =>
        asSuperuser(
          `select from pg_stat_activity where query like 'select pg_sleep(%' and usename = '${PLAIN.userName}'`,
        );
      await expect.poll(looks).toHaveLength(1);
      await holder.query('commit');
      expect((await reading).rows).toEqual([]);
      await client.end();
      await drained;
    });
  });
});

it('a tenant moves to a server with a superuser and back, by dumps [§2.31]', async () => {
  const { port, username, password } = new URL(inject('postgresUrl'));
  const form = { name: 'Super', host: '127.0.0.1', port: Number(port), userName: username, password };
  const { id: databaseServerId } = await done(databaseServerRoutes.create, { body: server.form(form) });
  const body = { ...tenantInput('MOVED'), databaseServerId: HOME_SERVER };
  const { id } = await done(tenantRoutes.create, { body });
  await add('MOVED', 'A');
  await withClient(server.url, async (client) => {
    await client.query('set allow_in_place_tablespaces = on');
    await client.query("create tablespace aside location ''");
    await client.query(`grant create on tablespace aside to ${PLAIN.userName}`);
  });
  await inside('MOVED', 'create table public.notes (id int primary key) tablespace aside');
  const { result: plan } = await test.call(moveRoutes.planMove, { query: { id, databaseServerId }, token });
  expect(plan).toMatchObject({ way: 'dump', reasons: ['Apotheca is no superuser on Home.'] });
  const defaults = () =>
    inside(
      'MOVED',
      'select defaclobjtype, defaclnamespace::regnamespace::text, array_remove(defaclacl, null)::text from pg_default_acl order by 1, 2',
    );
  const before = await defaults();
  await done(moveRoutes.move, { body: { id, databaseServerId } });
  await add('MOVED', 'B');
  await inside('MOVED', 'alter table public.notes owner to apotheca_objects');
  const back = { body: { id, databaseServerId: HOME_SERVER } };
  expect(await test.call(moveRoutes.move, { ...back, token })).toMatchObject({
    status: 409,
    message:
      "MOVED has objects of other roles than the administrator's: only a superuser could give them these owners on Home.",
  });
  await inside('MOVED', 'drop table public.notes');
  await done(moveRoutes.move, back);
  expect(await codes('MOVED')).toEqual(['A', 'B']);
  expect(before).not.toEqual([]);
  expect(await defaults()).toEqual(before);
});

describe('a restore', () => {
  const NOTES = [
    expect.objectContaining({ name: 'notes', reason: 'It is restored only where DATABASE_URL names a superuser.' }),
  ];
  const planned = (id: string, databaseName: string) => done(backupRoutes.planRestore, { query: { id, databaseName } });
  const serverOf = async (name: string) => (await getDatabaseByName(test.context, name)).serverId;
  let serverId = '';
  let tenantId = '';
  let backupId = '';

  beforeAll(async () => {
    serverId = (await done(databaseServerRoutes.list)).find(({ name }: { name: string }) => name === 'Super').id;
    const rich = { ...tenantInput('RICH'), databaseServerId: serverId };
    tenantId = (await done(tenantRoutes.create, { body: rich })).id;
    await inside('RICH', 'create table public.notes (id int primary key)');
    backupId = (await done(backupRoutes.create, named('RICH'))).id;
    await done(tenantRoutes.create, { body: { ...tenantInput('POOR'), databaseServerId: HOME_SERVER } });
  });

  it("over a database is planned by what that one's server can restore [DECISIONS §13]", async () => {
    const plan = await planned(backupId, 'POOR');
    expect(plan.leftOut).toEqual(NOTES);
    const query = { id: backupId, databaseName: 'POOR', plan: plan.digest };
    expect((await done(backupRoutes.restore, { query })).leftOut).toEqual(NOTES);
  });

  it('that leaves out something else than was planned is refused, and replaces nothing [DECISIONS §13]', async () => {
    await add('POOR', 'KEPT');
    await installStops(test.databaseUrl);
    const { digest } = await planned(backupId, 'POOR');
    const query = { id: backupId, databaseName: 'POOR', plan: digest };
    let id = '';
    const start = async () => {
      const answer = await test.call(backupRoutes.restore, { query, token, headers: { prefer: 'respond-async' } });
      id = answer.result.operationId;
      return answer;
    };
    await holdAt(test.databaseUrl, { kind: 'restore', point: 'running' }, start, async () => {
      await asSuperuser(`alter role ${PLAIN.userName} superuser`);
    });
    await operationsEnded(test.databaseUrl);
    await asSuperuser(`alter role ${PLAIN.userName} nosuperuser`);
    expect(await done(operationRoutes.get, { query: { id } })).toMatchObject({
      state: 'failed',
      message: 'POOR has changed since it was looked at: please check again.',
      // Nothing was loaded.
      step: 0,
    });
    expect(await codes('POOR')).toContain('KEPT');
  });

  it('of a database that is gone is planned by the server on which the new one is placed [DECISIONS §13]', async () => {
    const settings = test.context.parkDays;
    test.context.parkDays = 0;
    await done(tenantRoutes.delete, { query: { id: tenantId } });
    test.context.parkDays = settings;
    await done(databaseServerRoutes.edit, { body: { id: HOME_SERVER, name: 'Home', region: '', capacity: 1 } });
    const plan = await planned(backupId, 'RICH AGAIN');
    expect(plan.leftOut).toEqual([]);
    const query = { id: backupId, databaseName: 'RICH AGAIN', plan: plan.digest };
    expect((await done(backupRoutes.restore, { query })).leftOut).toEqual([]);
    expect(await serverOf('RICH AGAIN')).toBe(serverId);
  });
});

describe('the start', () => {
  const startAs = (userName: string, databaseName: string) => {
    const url = new URL(withDatabaseName(server.url, databaseName));
    Object.assign(url, { username: userName, password: 'plain' });
    return withDataDir((dataDir) =>
      openInstallation(readConfig({ DATABASE_URL: url.href, APOTHECA_DATA_DIR: dataDir })).then(({ close }) => close()),
    );
  };

  it('says which rights its role lacks, before it changes anything [DECISIONS §2]', async () => {
    await asSuperuser(`
      create role feeble login password 'plain' createrole noinherit;
      grant pg_signal_backend to feeble`);
    await asSuperuser('create database feeble');
    await expect(startAs('feeble', 'feeble')).rejects.toThrow(
      /^DATABASE_URL \(127\.0\.0\.1:\d+\) cannot be used: its role feeble lacks CREATEDB, membership in pg_signal_backend, ownership of the database feeble; README\.md says which rights Apotheca needs$/,
    );
    const made = await withClient(withDatabaseName(server.url, 'feeble'), (client) =>
      client.query("select from pg_class where relnamespace = 'public'::regnamespace"),
    );
    expect(made.rowCount).toBe(0);
  });

  it('refuses a template that another role has made, in whose copies it could change nothing [DECISIONS §2]', async () => {
    await asSuperuser(`
      create role another login password 'plain' createdb createrole;
      grant pg_signal_backend to another;
      grant connect on database postgres to another`);
    await expect(startAs('another', 'another')).rejects.toThrow(
      new RegExp(
        `the role ${PLAIN.userName} has made the template apotheca_template_\\w+ there: name that role, or drop`,
      ),
    );
  });
});
