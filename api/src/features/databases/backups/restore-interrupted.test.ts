import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { backupRoutes } from '@apotheca/contract/backups';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { beforeAll, describe, expect, it } from 'vitest';
import { readInventory } from '../../../db/cluster/inventory.ts';
import { atHome } from '../../../db/cluster/session.ts';
import type { Platform } from '../../../db/platform.ts';
import type { Run } from '../../../operations/operation-kind.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { withClient } from '../../../testing/databases.ts';
import { IS_LONG_RUN } from '../../../testing/long-run.ts';
import { connectionStringOf, getDatabaseByName } from '../databases.service.ts';
import { restoreOperation } from './restore.operation.ts';

// What is replaced is dropped at once; parking has tests of its own.
const test = useTestApp({ parkDays: 0 });
let backupId: string;
let databaseId: string;

const urlOf = async (name: string) => connectionStringOf(test.context, await getDatabaseByName(test.context, name));
const addLocation = async (code: string) =>
  withClient(await urlOf('HOME'), (client) =>
    client.query("insert into locations (code, name, kind) values ($1, $1, 'clinic')", [code]),
  );
const locations = async (name: string) =>
  withClient(await urlOf(name), async (client) => {
    const { rows } = await client.query<{ code: string }>('select code from locations order by code');
    return rows.map(({ code }) => code);
  });
/** How many databases of this installation count as unfinished. */
async function unfinished(): Promise<number> {
  const { databases } = await readInventory(test.context.clusters.home.platform);
  return databases.filter(({ isUnfinished }) => isUnfinished).length;
}
async function everything() {
  const { rows } = await test.context.pool.query<{ name: string }>(
    `select (datname || ' ' || datallowconn) collate "C" as name
     from pg_database where shobj_description(oid, 'pg_database') like $1
     union all select (rolname || ' ' || rolcanlogin) collate "C"
     from pg_roles where shobj_description(oid, 'pg_authid') like $1
     union all select (name || ' ' || state) collate "C" from databases
     order by 1`,
    [`%${new URL(test.databaseUrl).pathname.slice(1)}%`],
  );
  return { cluster: rows, files: (await readdir(test.context.backupDir)).sort() };
}

beforeAll(async () => {
  await test.call(tenantRoutes.create, { body: tenantInput('HOME') });
  await addLocation('KEPT');
  backupId = (await test.call(backupRoutes.create, { query: { databaseName: 'HOME' } })).result.id;
  databaseId = (await getDatabaseByName(test.context, 'HOME')).id;
});

/** The step that makes the database. */
const LOADING = 1;

class Killed extends Error {}

/** A run like the engine's. It throws when it comes to a step, as if the server were killed. */
function runOf(operationId: string, connection: Platform, killedAt?: number): Run {
  return {
    context: test.context,
    ...atHome(connection),
    server: test.context.clusters.home,
    operationId,
    attempt: 1,
    actor: { id: null, name: 'admin', address: 'test' },
    signal: new AbortController().signal,
    step: async (index) => {
      if (index === killedAt) throw new Killed();
    },
    progress: () => {},
    succeed: async () => {},
  };
}

/** Registers and runs a restore that is killed at a step. Nothing is undone. */
async function killedAt(step: number, databaseName: string) {
  const { context } = test;
  const operationId = randomUUID();
  const input = { backupId, databaseName, databaseId: databaseName === 'HOME' ? databaseId : null };
  const actor = { id: null, name: 'admin', address: 'test' };
  const { register } = await restoreOperation.prepare(context, input, { id: operationId, actor });
  await context.platform.transaction().execute(async (trx) => register?.(trx));
  const onConnection = (work: (connection: Platform) => Promise<void> | undefined) =>
    context.utility.connection().execute(async (connection) => work(connection));
  const killed = onConnection((connection) => restoreOperation.run(runOf(operationId, connection, step), input));
  await expect(killed).rejects.toThrow(Killed);
  return {
    again: () => onConnection((connection) => restoreOperation.run(runOf(operationId, connection), input)),
    undo: () => onConnection((connection) => restoreOperation.undo?.(runOf(operationId, connection), input)),
  };
}

describe('a restore that was killed', () => {
  const steps = restoreOperation.steps.map(({ name }, index) => [index, name] as const);
  /** All in a long run, else every second one. */
  const sampled = (first: number) => steps.filter(([step]) => IS_LONG_RUN || step % 2 === first);

  it.each(sampled(1))('at step %i (%s) leaves the database unchanged, and can be undone [§2.13]', async (step) => {
    const before = await everything();
    for (const name of ['HOME', `NEW ${step}`]) {
      const { undo } = await killedAt(step, name);
      expect(await locations('HOME')).toContain('KEPT');
      await undo();
      await undo();
      expect(await everything()).toEqual(before);
    }
  });

  it.each(sampled(0))('at step %i (%s) is run again and succeeds [§2.13]', async (step) => {
    await addLocation(`SINCE-${step}`);
    const over = await killedAt(step, 'HOME');
    // A restore of a moment and Reconcile would take what is half loaded for the whole.
    expect(await unfinished()).toBe(step > LOADING ? 1 : 0);
    expect(await locations('HOME')).toEqual(['KEPT', `SINCE-${step}`]);
    await over.again();
    expect(await locations('HOME')).toEqual(['KEPT']);
    expect(await unfinished()).toBe(0);
    const fresh = await killedAt(step, `FRESH ${step}`);
    expect(await unfinished()).toBe(step > LOADING ? 1 : 0);
    await fresh.again();
    expect(await unfinished()).toBe(0);
    expect(await locations(`FRESH ${step}`)).toEqual(['KEPT']);
    const { cluster } = await everything();
    expect(cluster.filter(({ name }) => !/^db_.* true$|ready$/.test(name))).toEqual([]);
  });
});
