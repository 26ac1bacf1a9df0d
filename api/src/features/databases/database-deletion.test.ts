import { randomUUID } from 'node:crypto';
import { databaseRoutes } from '@apotheca/contract/databases';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { expect, it } from 'vitest';
import { atHome } from '../../db/cluster/session.ts';
import { withDatabaseName } from '../../db/connections/connection-string.ts';
import type { Platform } from '../../db/platform.ts';
import type { Run } from '../../operations/operation-kind.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { withClient } from '../../testing/databases.ts';
import { connectionStringOf, getDatabaseById, getDatabaseByName } from './databases.service.ts';
import { deleteOperation } from './delete.operation.ts';

// What is deleted or replaced is dropped at once; parking has tests of its own.
const test = useTestApp({ parkDays: 0 });

const inDatabase = async (name: string, text: string) => {
  const { physicalName } = await getDatabaseByName(test.context, name);
  return withClient(withDatabaseName(test.databaseUrl, physicalName), (client) => client.query(text));
};
/** PostgreSQL never drops a database with a subscription. By its name it takes no place of the moves that other tests count on this server. */
const subscribe = (name: string) =>
  inDatabase(
    name,
    "create subscription apotheca_held connection '' publication none with (connect = false, slot_name = none)",
  );
const unsubscribe = (name: string) => inDatabase(name, 'drop subscription apotheca_held');
const locationsAsTenant = async (name: string) => {
  const url = await connectionStringOf(test.context, await getDatabaseByName(test.context, name));
  return (await withClient(url, (client) => client.query('select code from locations'))).rows;
};
const remove = async (databaseName: string) => {
  const { result } = await test.call(databaseRoutes.planDeletion, { query: { databaseName } });
  return test.call(databaseRoutes.delete, { query: { databaseName, plan: result.digest } });
};

/** A tenant with one location, and a clone of it. */
async function tenantWithClone(code: string): Promise<{ id: string; clone: string }> {
  const { result } = await test.call(tenantRoutes.create, { body: tenantInput(code) });
  await inDatabase(code, "insert into locations (code, name, kind) values ('A', 'A', 'clinic')");
  const clone = `${code} CLONE`;
  await test.call(databaseRoutes.copy, { query: { copyFrom: code, databaseName: clone } });
  return { id: result.id, clone };
}

it('a clone that PostgreSQL refuses to drop stays unchanged and can be deleted later [§2.13]', async () => {
  const { clone } = await tenantWithClone('USED');
  await subscribe(clone);
  expect(await remove(clone)).toMatchObject({
    status: 409,
    title: 'Busy',
    message: expect.stringMatching(/^USED CLONE was not deleted: PostgreSQL says that a session, a subscription,/),
  });
  expect(await locationsAsTenant(clone)).toEqual([{ code: 'A' }]);
  await unsubscribe(clone);
  expect(await remove(clone)).toMatchObject({ status: 200 });
});

it('a tenant whose database PostgreSQL refuses to drop stays, with its rows [§2.9]', async () => {
  const { id } = await tenantWithClone('LIVING');
  await subscribe('LIVING');
  expect(await test.call(tenantRoutes.delete, { query: { id } })).toMatchObject({ status: 409, title: 'Busy' });
  expect((await test.call(tenantRoutes.list)).result).toContainEqual(expect.objectContaining({ code: 'LIVING' }));
  expect(await locationsAsTenant('LIVING')).toEqual([{ code: 'A' }]);
  await unsubscribe('LIVING');
  expect(await test.call(tenantRoutes.delete, { query: { id } })).toMatchObject({ status: 200 });
});

it('connections to a database are blocked while it is dropped; after a crash the deletion goes on or is undone [DECISIONS §8]', async () => {
  const { clone } = await tenantWithClone('SHUT');
  const { id: databaseId, physicalName } = await getDatabaseByName(test.context, clone);
  await subscribe(clone);
  const deleteIt = () => onRun((run) => deleteOperation.run(run, { databaseId }));
  const undo = () => onRun(async (run) => deleteOperation.undo?.(run, { databaseId }));
  // Nothing is undone, as after a kill.
  for (const _ of ['cut off', 'begun anew']) {
    await expect(deleteIt()).rejects.toThrow(/^SHUT CLONE was not deleted/);
    expect(await getDatabaseById(test.context.platform, databaseId)).toMatchObject({ state: 'deleting' });
    const entering = withClient(withDatabaseName(test.databaseUrl, physicalName), async () => {});
    await expect(entering).rejects.toThrow(/not currently accepting connections/);
  }
  await undo();
  await undo();
  expect(await locationsAsTenant(clone)).toEqual([{ code: 'A' }]);
  await unsubscribe(clone);
});

/** Runs a function of the operation on a connection of its own, as the engine does. */
function onRun(work: (run: Run) => Promise<void>): Promise<void> {
  return test.context.utility.connection().execute((connection) => work(runOn(connection)));
}

const runOn = (connection: Platform): Run => ({
  context: test.context,
  ...atHome(connection),
  server: test.context.clusters.home,
  operationId: randomUUID(),
  attempt: 1,
  actor: { id: null, name: 'admin', address: 'test' },
  signal: new AbortController().signal,
  step: async () => {},
  progress: () => {},
  succeed: async () => {},
});
