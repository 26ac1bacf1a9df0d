import { randomUUID } from 'node:crypto';
import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { moveRoutes } from '@apotheca/contract/moves';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ensureNewestPostgresClient } from '../../scripts/postgres.mjs';
import { HOME_SERVER } from './db/clusters.ts';
import { createDraft } from './features/databases/backups/archive/archive-store.ts';
import { inSnapshot } from './features/databases/backups/snapshot.repository.ts';
import { getDatabaseByName } from './features/databases/databases.service.ts';
import { dumpWhole, loadWhole } from './features/databases/moving/whole-copy.ts';
import { useTestApp } from './testing/app.ts';
import { tenantInput } from './testing/builders.ts';
import { createEmptyDatabase, withClient } from './testing/databases.ts';
import { addServer, useSecondServer } from './testing/second-server.ts';

/** The newest supported version; its programs are there for Linux on x64 only. */
const NEWEST = 18;

describe.runIf(process.platform === 'linux' && process.arch === 'x64')(`a tenant on PostgreSQL ${NEWEST}`, () => {
  const test = useTestApp();
  const second = useSecondServer(NEWEST);
  beforeAll(() => {
    vi.stubEnv('PATH', `${ensureNewestPostgresClient()}:${process.env.PATH}`);
    return () => vi.unstubAllEnvs();
  });

  const tenants = async (name: string, statement: string) =>
    test.context.tenants.with(
      await getDatabaseByName(test.context, name),
      async (client) => (await client.query(statement)).rows,
      { unlimited: true },
    );
  const codes = (name: string) => tenants(name, 'select code from public.locations order by code');
  const called = (name: string) => ({ query: { databaseName: name } });
  let databaseServerId = '';

  it('is created, cloned, backed up, restored and deleted [DECISIONS §2]', async () => {
    databaseServerId = await addServer(test, second);
    const { result: checked } = await test.call(databaseServerRoutes.check, { body: { id: databaseServerId } });
    expect(checked.points).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ point: 'reached', detail: expect.stringMatching(`^PostgreSQL ${NEWEST}`) }),
      ]),
    );
    const body = { ...tenantInput('NEWEST'), databaseServerId };
    expect(await test.call(tenantRoutes.create, { body })).toMatchObject({ status: 200 });
    await tenants('NEWEST', "insert into public.locations (code, name, kind) values ('A', 'A', 'clinic')");
    const copy = { query: { copyFrom: 'NEWEST', databaseName: 'CLONED' } };
    expect(await test.call(databaseRoutes.copy, copy)).toMatchObject({ status: 200 });
    const { result: backup } = await test.call(backupRoutes.create, called('NEWEST'));
    await tenants('NEWEST', "insert into public.locations (code, name, kind) values ('B', 'B', 'clinic')");
    const restore = (databaseName: string) =>
      test.call(backupRoutes.restore, { query: { id: backup.id, databaseName } });
    expect(await restore('NEWEST')).toMatchObject({ status: 200 });
    expect([await codes('NEWEST'), await codes('CLONED')]).toEqual([[{ code: 'A' }], [{ code: 'A' }]]);
    expect(await restore('ASIDE')).toMatchObject({ status: 200 });
    for (const name of ['CLONED', 'ASIDE'])
      expect(await test.call(databaseRoutes.delete, called(name))).toMatchObject({ status: 200 });
  });

  it('moves there from an older one, and not back [§2.31]', async () => {
    const body = { ...tenantInput('MOVED'), databaseServerId: HOME_SERVER };
    const { id } = (await test.call(tenantRoutes.create, { body })).result;
    await tenants('MOVED', "insert into public.locations (code, name, kind) values ('A', 'A', 'clinic')");
    expect(await test.call(moveRoutes.move, { body: { id, databaseServerId } })).toMatchObject({
      status: 200,
      result: { databaseServerId, way: 'replication' },
    });
    expect(await codes('MOVED')).toEqual([{ code: 'A' }]);
    expect(await test.call(moveRoutes.move, { body: { id, databaseServerId: HOME_SERVER } })).toMatchObject({
      status: 409,
      message: expect.stringMatching(/^Home has an older PostgreSQL than Second/),
    });
  });

  it('leaves its client programs to older ones, to which they copy too [§2.31]', async () => {
    const tools = await test.context.findTools(HOME_SERVER);
    const [source, copy] = [await createEmptyDatabase(), await createEmptyDatabase()];
    const path = await createDraft(test.context, randomUUID());
    const { signal } = new AbortController();
    const way = { path, signal, onTable: () => {} };
    await withClient(source.url, async (client) => {
      await client.query('create table public.notes (id int primary key, note text)');
      await client.query("insert into public.notes values (1, 'copied')");
      await inSnapshot(client, (snapshot) => dumpWhole(tools, { ...way, url: source.url, snapshot }));
    });
    await loadWhole(tools, { ...way, url: copy.url });
    const { rows } = await withClient(copy.url, (client) => client.query('select note from public.notes'));
    expect(rows).toEqual([{ note: 'copied' }]);
    await Promise.all([source, copy].map((database) => database.drop()));
  });
});
