import { expect, it } from 'vitest';
import { listRows } from '../../db/json-list.ts';
import { mostRowsRead, statementsOf } from '../../testing/plans.ts';
import { useSimulatedInstallation } from '../../testing/simulated-backups.ts';
import { databasesList } from './database-list.repository.ts';

const test = useSimulatedInstallation();
const query = { sortColumn: 'newestBackupOnUtc', sortDirection: 'desc' } as const;

it('lists the newest backup of each database, and whether one was proved, without reading all backups [DECISIONS §13]', async () => {
  const tenants = await test.addTenants(Array(100).fill('UTC'));
  const [last = '', ...others] = tenants.map(({ databaseId }) => databaseId);
  const addBackups = (ids: readonly string[], count: number, ageOfNewest: number, fields = {}) =>
    // Its statements may take long.
    test.context.utilityPool.query(
      `insert into backups (id, database_id, database_name, origin, state, created_at, proof)
       select gen_random_uuid(), database_id, '', 'made', coalesce($5::jsonb ->> 'state', 'ready'), $2::timestamptz - (n + $4::int) * interval '1 hour', $5::jsonb -> 'proof'
       from unnest($1::uuid[]) database_id, generate_series(0, $3::int - 1) n`,
      [ids, test.clock.now, count, ageOfNewest, fields],
    );
  await addBackups(others, 200, 5);
  await addBackups([last], 1, 9, { proof: { result: 'proved' } });
  await addBackups([last], 3, 4, { proof: { result: 'failed' } });
  // What is no backup yet, or none any more.
  await addBackups([last], 1, 1, { state: 'writing' });
  await addBackups(others, 1, 1, { state: 'deleting', proof: { result: 'proved' } });
  await test.context.utilityPool.query('vacuum analyze backups, databases, tenants');
  const { result, statements } = await statementsOf(() => listRows(test.pool, databasesList(1), query));
  const hoursAgo = (hours: number) => new Date(test.clock.now.getTime() - hours * 3_600_000);
  const seen = result.map((row) => {
    const { id, newestBackupOnUtc, hasProvedBackup } = Object(row);
    return { id, newestBackup: new Date(newestBackupOnUtc), hasProvedBackup };
  });
  expect(seen).toHaveLength(100);
  expect(seen[0]).toEqual({ id: last, newestBackup: hoursAgo(4), hasProvedBackup: true });
  for (const each of seen.slice(1)) expect(each).toMatchObject({ newestBackup: hoursAgo(5), hasProvedBackup: false });
  expect(statements).toHaveLength(1);
  for (const { text, values } of statements) expect(await mostRowsRead(test.pool, text, values)).toBeLessThan(1_000);
});
