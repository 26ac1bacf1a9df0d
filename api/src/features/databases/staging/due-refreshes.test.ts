import { expect, it } from 'vitest';
import { type SimulatedTenant, useSimulatedInstallation } from '../../../testing/simulated-backups.ts';
import { FIRST_VERSION } from '../tenant-database/tenant-change.ts';
import { startDueRefreshes } from './due-refreshes.ts';

const test = useSimulatedInstallation();

/** Makes the second tenants' databases anonymized clones of the first ones', whose refreshes are due now. */
async function areDue(sources: readonly SimulatedTenant[], clones: readonly SimulatedTenant[]): Promise<void> {
  for (const [index, { databaseId }] of clones.entries()) {
    await test.pool.query('update databases set tenant_id = null, copied_from = $2 where id = $1', [
      databaseId,
      sources[index]?.databaseId,
    ]);
    await test.pool.query(
      "insert into anonymized_clones (database_id, refreshed_at, frequency, due_at) values ($1, $2, 'daily', $2)",
      [databaseId, test.clock.now],
    );
  }
  await test.pool.query('update databases set schema_version = $1', [FIRST_VERSION]);
}
const started = async () => {
  await startDueRefreshes(test.context);
  return new Set((await test.queued()).map(({ databaseId }) => databaseId));
};

it('a refresh waits while its server is away, and does not hold up those of others [§2.30]', async () => {
  const sources = await test.addTenants(['UTC', 'UTC', 'UTC', 'UTC']);
  const clones = await test.addTenants(['UTC', 'UTC', 'UTC', 'UTC']);
  const [first, second, third, near] = clones.map(({ databaseId }) => databaseId);
  const setAway = await test.placeElsewhere([...sources.slice(0, 3), ...clones.slice(0, 3)]);
  await areDue(sources.slice(0, 2), clones.slice(0, 2));
  expect(await started()).toEqual(new Set([first, second]));
  await areDue(sources.slice(2), clones.slice(2));
  expect(await started()).toEqual(new Set([first, second]));
  await setAway(true);
  expect(await started()).toEqual(new Set([first, second, near]));
  await setAway(false);
  for (const refresh of await test.queued()) await test.end(refresh, 'succeeded');
  expect(await started()).toEqual(new Set([third]));
});

it('a refresh waits while its source is on another server [§2.31] [DECISIONS §13]', async () => {
  for (const refresh of await test.queued()) await test.end(refresh, 'succeeded');
  const [source, other] = await test.addTenants(['UTC', 'UTC']);
  const [clone, near] = await test.addTenants(['UTC', 'UTC']);
  if (!source || !other || !clone || !near) throw new Error('Four were added.');
  await test.placeElsewhere([source]);
  await areDue([source, other], [clone, near]);
  expect(await started()).toEqual(new Set([near.databaseId]));
  await test.pool.query(
    'update databases set server_id = (select server_id from databases where id = $2) where id = $1',
    [clone.databaseId, source.databaseId],
  );
  expect(await started()).toEqual(new Set([near.databaseId, clone.databaseId]));
});

/** A clone whose refresh is due, and no other one. */
async function onlyOne(): Promise<SimulatedTenant> {
  for (const refresh of await test.queued()) await test.end(refresh, 'succeeded');
  await test.pool.query('delete from anonymized_clones');
  const [source] = await test.addTenants(['UTC']);
  const [clone] = await test.addTenants(['UTC']);
  if (!source || !clone) throw new Error('Two were added.');
  await areDue([source], [clone]);
  return clone;
}

it('a refresh does not wait for a moment that a clock set that was a century ahead [DECISIONS §13]', async () => {
  const clone = await onlyOne();
  await test.pool.query("update anonymized_clones set due_at = due_at + interval '100 years'");
  expect(await started()).toEqual(new Set());
  test.clock.now = new Date(test.clock.now.getTime() + 86_400_000);
  expect(await started()).toEqual(new Set([clone.databaseId]));
});

it('a refresh is not due anew where the clock of a process is days behind [DECISIONS §13]', async () => {
  test.clock.now = new Date();
  const clone = await onlyOne();
  expect(await started()).toEqual(new Set([clone.databaseId]));
  for (const refresh of await test.queued()) await test.end(refresh, 'succeeded');
  await startDueRefreshes({ ...test.context, now: () => new Date(Date.now() - 5 * 86_400_000) });
  expect(await started()).toEqual(new Set());
});
