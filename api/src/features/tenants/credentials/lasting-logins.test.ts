import { backupRoutes } from '@apotheca/contract/backups';
import { credentialRoutes } from '@apotheca/contract/credentials';
import { databaseRoutes } from '@apotheca/contract/databases';
import { parkedDatabaseRoutes } from '@apotheca/contract/parked-databases';
import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { withClient } from '../../../testing/databases.ts';
import { usePresent } from '../../../testing/present.ts';
import { settleDatabases } from '../../databases/database-settling.ts';
import { limitConnections } from '../../databases/database-upkeep.ts';
import { tenantsAsOwner } from '../tenants.service.ts';

/** Logins outlast what is done with their database. */
const test = useTestApp();
const { call } = usePresent(test);

const select = (url: string, text: string) =>
  withClient(url, async (client) => (await client.query(text)).rows as Record<string, unknown>[]);
const asAdministrator = (text: string, values: unknown[] = []) =>
  withClient(test.databaseUrl, async (client) => (await client.query(text, values)).rows);
/** Waits until PostgreSQL has ended the sessions of clients that have disconnected. */
const sessionsGone = (url: string) =>
  expect
    .poll(() => asAdministrator('select pid from pg_stat_activity where usename = $1', [new URL(url).username]))
    .toEqual([]);
const refusal = (url: string) =>
  select(url, 'select 1').then(
    () => 'none',
    (error: Error) => error.message,
  );
const rolesOf = (name: string) =>
  asAdministrator(
    `select rolname as name from pg_roles where rolname in (
       select role_name from databases where name = $1
       union select 'read_' || role_name from databases where name = $1
       union select l.role_name from database_logins l join databases d on d.id = l.database_id where d.name = $1
     ) order by 1`,
    [name],
  );
const codes = async (url: string) =>
  (await select(url, 'select code from locations order by 1')).map(({ code }) => code);

/** A tenant with one location, and both of its logins. */
async function makeTenant(code: string) {
  const { id } = await call(tenantRoutes.create, { body: tenantInput(code) });
  const reveal = async (access: string) =>
    (await call(credentialRoutes.reveal, { query: { id, access } })).connectionString as string;
  const urls = { write: await reveal('write'), read: await reveal('read') };
  await insert(urls.write, code);
  return { id: id as string, ...urls };
}

const insert = (url: string, code: string) =>
  select(url, `insert into locations (code, name, kind) values ('${code}', 'A', 'clinic')`);

const putBackNewest = async (name: string) => {
  const parked = await call(parkedDatabaseRoutes.listParked);
  const { id } = parked.find(({ databaseName }: { databaseName: string }) => databaseName === name);
  return call(parkedDatabaseRoutes.putBack, { query: { id } });
};

describe('the logins of a database', () => {
  it('outlast a restore over it, and its return; also a reader that is younger than the parked rows [DECISIONS §13]', async () => {
    const { id } = await call(tenantRoutes.create, { body: tenantInput('RESTORED') });
    const { connectionString: write } = await call(credentialRoutes.reveal, { query: { id } });
    await insert(write, 'OLD');
    const backup = await call(backupRoutes.create, { query: { databaseName: 'RESTORED' } });
    await insert(write, 'NEW');
    await call(backupRoutes.restore, { query: { id: backup.id, databaseName: 'RESTORED' } });
    expect(await codes(write)).toEqual(['OLD']);
    const { connectionString: read } = await call(credentialRoutes.reveal, { query: { id, access: 'read' } });
    expect(await codes(read)).toEqual(['OLD']);

    await putBackNewest('RESTORED');
    expect(await codes(write)).toEqual(['NEW', 'OLD']);
    expect(await codes(read)).toEqual(['NEW', 'OLD']);
    expect(await refusal(read.replace(/\/db_/, '/x_'))).toMatch(/does not exist/);
    // Once more, with a reader that was there before.
    await call(backupRoutes.restore, { query: { id: backup.id, databaseName: 'RESTORED' } });
    expect([await codes(write), await codes(read)]).toEqual([['OLD'], ['OLD']]);
  });

  it('are closed while it is deleted, and open again when it is put back [DECISIONS §13]', async () => {
    const { id, write, read } = await makeTenant('DELETED');
    await call(tenantRoutes.delete, { query: { id } });
    for (const url of [write, read]) expect(await refusal(url)).toMatch(/not permitted to log in/);
    await putBackNewest('DELETED');
    expect([await codes(write), await codes(read)]).toEqual([['DELETED'], ['DELETED']]);
  });

  it('go with it when it is removed for good, and none of its roles stays [DECISIONS §13]', async () => {
    const { id } = await makeTenant('REMOVED');
    const before = await rolesOf('REMOVED');
    expect(before).toHaveLength(4);
    await call(databaseRoutes.copy, { query: { copyFrom: 'REMOVED', databaseName: 'COPY-OF-REMOVED' } });
    await call(tenantRoutes.delete, { query: { id } });
    const parked = await call(parkedDatabaseRoutes.listParked);
    const found = parked.find(({ databaseName }: { databaseName: string }) => databaseName === 'REMOVED');
    await call(parkedDatabaseRoutes.removeParked, { query: { id: found.id, databaseName: 'REMOVED' } });
    const names = before.map(({ name }) => name);
    expect(await asAdministrator('select rolname from pg_roles where rolname = any($1)', [names])).toEqual([]);
    expect(await asAdministrator('select from database_logins where role_name = any($1)', [names])).toEqual([]);
  });

  it('reach no copy of it, and the copy has none [DECISIONS §13]', async () => {
    const { write, read } = await makeTenant('COPIED');
    await call(databaseRoutes.copy, { query: { copyFrom: 'COPIED', databaseName: 'THE-COPY' } });
    const [copy] = await asAdministrator("select physical_name as name from databases where name = 'THE-COPY'");
    for (const url of [write, read]) {
      expect(await refusal(url.replace(/\/db_[^?]*/, `/${copy.name}`))).toMatch(/permission denied for database/);
    }
    expect(await rolesOf('THE-COPY')).toHaveLength(1);
  });

  it('keep their limits over the upkeep that sets those of the server [DECISIONS §13]', async () => {
    const { id, write, read } = await makeTenant('LIMITED');
    const limits = { connectionLimit: 1, statementTimeoutSeconds: 2 };
    const changed = await call(credentialRoutes.limit, { body: { id, ...limits } });
    expect(changed).toMatchObject({ connectionLimit: 1, ownConnectionLimit: 1, statementTimeoutSeconds: 2 });
    await limitConnections(test.context);
    for (const url of [write, read]) {
      await sessionsGone(url);
      await withClient(url, async (client) => {
        expect((await client.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '2s' }]);
        expect(await refusal(url)).toMatch(/too many connections for role/);
      });
    }
    await call(credentialRoutes.limit, { body: { id, connectionLimit: null, statementTimeoutSeconds: null } });
    await withClient(write, async (client) => {
      expect((await client.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '0' }]);
      expect(await refusal(write)).toBe('none');
    });
    const [entry] = await asAdministrator(
      "select changes from audit_entries where action = 'tenants.limit-connections' and entity_id = $1 order by id limit 1",
      [id],
    );
    expect(entry.changes).toEqual({ connectionLimit: [null, 1], statementTimeoutSeconds: [null, 2] });
  });

  it('come back where PostgreSQL has lost them, with the next change of one [DECISIONS §13]', async () => {
    const { id, write, read } = await makeTenant('LOST');
    for (const url of [write, read]) {
      await sessionsGone(url);
      await sql.raw(`drop role "${new URL(url).username}"`).execute(test.context.platform);
    }
    expect(await refusal(write)).toMatch(/authentication failed/);
    await call(credentialRoutes.rotate, { body: { id, access: 'read' } });
    expect([await refusal(write), await refusal(read)]).toEqual(['none', 'none']);
  });

  it('are no rests for Reconcile, and open again after a crash that left them closed [DECISIONS §13]', async () => {
    const { write, read } = await makeTenant('SETTLED');
    const { findings } = await call(reconciliationRoutes.reconcile);
    expect(JSON.stringify(findings)).not.toMatch(/login_|read_db/);
    const roles = (await rolesOf('SETTLED')).map(({ name }) => name).filter((name) => !name.startsWith('read_'));
    for (const name of roles) await sql.raw(`alter role "${name}" nologin`).execute(test.context.platform);
    expect(await refusal(write)).toMatch(/not permitted to log in/);
    await settleDatabases(test.context, tenantsAsOwner(test.context), { wait: true });
    expect([await refusal(write), await refusal(read)]).toEqual(['none', 'none']);
  });
});
