import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { useSimulatedInstallation } from '../../../testing/simulated-backups.ts';
import { measureBackupAges } from './backup-figures.ts';

const test = useSimulatedInstallation();
const HOUR = 3_600_000;

async function figures(): Promise<string[]> {
  const registry = new Registry();
  measureBackupAges(test.context, registry);
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith('backup_'));
}

const addBackup = (databaseId: string, hoursAgo: number, { state = 'ready', isProved = false } = {}) =>
  test.pool.query(
    `insert into backups (id, database_id, database_name, origin, state, created_at, proof)
     values (gen_random_uuid(), $1, 'any', 'made', $2, $3, $4)`,
    [
      databaseId,
      state,
      new Date(test.clock.now.getTime() - hoursAgo * HOUR),
      isProved ? JSON.stringify({ result: 'proved' }) : null,
    ],
  );

describe('the figures of backups', () => {
  it('tell how old the newest ones are, by what schedules promise [DECISIONS §13]', async () => {
    const tenants = await test.addTenants(Array.from({ length: 5 }, () => 'UTC'));
    const [first, second, third, fourth, fifth] = tenants.map(({ databaseId }) => databaseId);
    for (const tenant of tenants.slice(0, 4)) await test.setSchedule(tenant, { frequency: 'daily' });
    await addBackup(String(first), 2);
    await addBackup(String(first), 30, { isProved: true });
    await addBackup(String(second), 4, { isProved: true });
    await addBackup(String(second), 90, { isProved: true });
    // Of a clock that was ahead: how old it is, nobody knows.
    await addBackup(String(second), -9_000, { isProved: true });
    // One that is being written is none yet, nor is one that is being deleted one still.
    await addBackup(String(third), 1, { state: 'writing' });
    await addBackup(String(third), 6);
    await addBackup(String(fourth), 1, { state: 'deleting' });
    await addBackup(String(fifth), 100);
    // None of its backups was proved: all since it was made may be lost.
    await test.pool.query('update databases set created_at = $1 where id = $2', [
      new Date(test.clock.now.getTime() - 400 * HOUR),
      third,
    ]);
    const lines = await figures();
    const of = (schedule: string) => lines.filter((line) => line.includes(`schedule="${schedule}"`));
    expect(of('daily')).toEqual([
      'backup_databases{schedule="daily",backup="none"} 1',
      'backup_databases{schedule="daily",backup="unproved"} 1',
      'backup_databases{schedule="daily",backup="proved"} 2',
      `backup_age_seconds{schedule="daily",quantile="0.5"} ${4 * 3600}`,
      `backup_age_seconds{schedule="daily",quantile="0.9"} ${5.6 * 3600}`,
      `backup_age_seconds{schedule="daily",quantile="1"} ${6 * 3600}`,
      `backup_proved_age_seconds{schedule="daily",quantile="0.5"} ${30 * 3600}`,
      `backup_proved_age_seconds{schedule="daily",quantile="0.9"} ${326 * 3600}`,
      `backup_proved_age_seconds{schedule="daily",quantile="1"} ${400 * 3600}`,
    ]);
    expect(of('off')).toContain(`backup_age_seconds{schedule="off",quantile="1"} ${100 * 3600}`);
    // A class without a database has no ages, and zeros.
    expect(of('hourly')).toEqual([
      'backup_databases{schedule="hourly",backup="none"} 0',
      'backup_databases{schedule="hourly",backup="unproved"} 0',
      'backup_databases{schedule="hourly",backup="proved"} 0',
    ]);
  });

  it('have as many series with many databases as with few [DECISIONS §13]', async () => {
    const before = (await figures()).length;
    await test.addTenants(Array.from({ length: 200 }, () => 'UTC'));
    await test.pool.query(`
      insert into backups (id, database_id, database_name, origin, state, created_at)
      select gen_random_uuid(), id, name, 'made', 'ready', now() from databases`);
    expect((await figures()).length).toBe(before);
  });
});
