import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { backupScheduleRoutes } from '@apotheca/contract/backup-schedules';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { expect, it, vi } from 'vitest';
import { tenantInput } from '../../../../testing/builders.ts';
import { withClient } from '../../../../testing/databases.ts';
import { IS_LONG_RUN } from '../../../../testing/long-run.ts';
import { holdAt, installStops, removeStops } from '../../../../testing/operation-stops.ts';
import { callServer, signInToServer } from '../../../../testing/server-process.ts';
import { withServers } from '../../../../testing/servers.ts';

/** Proofs would follow the backups, and go on when these have ended. */
const WITHOUT_PROOFS = { APOTHECA_DEMO: 'off', APOTHECA_PROOF_MINUTES: '0' };
const TENANTS = IS_LONG_RUN ? 12 : 4;
const ROUNDS = IS_LONG_RUN ? 4 : 1;
/** Which of two servers are killed, and where a scheduled backup is then. */
const KILLS: [point: string, victims: number[]][] = [
  ['running', [0]],
  ['step 1', [1]],
  ['succeeded', [0, 1]],
];
/** These limits only find what hangs. */
const PATIENCE = { timeout: 300_000, interval: 100 };

/** A schedule by the day whose next moment is half a day away, so that none comes while the test runs. */
const schedule = () => ({
  frequency: 'daily',
  hour: (new Date().getUTCHours() + 12) % 24,
  weekday: 7,
  keepHourly: 0,
  keepDaily: 7,
  keepWeekly: 4,
  keepMonthly: 12,
});

it('scheduled backups whose servers are killed again and again stand once each in the end, and nothing is left behind [DECISIONS §13]', async () => {
  await withServers(2, WITHOUT_PROOFS, async (servers, start, { databaseUrl, dataDir }) => {
    const query = async (text: string) => (await withClient(databaseUrl, (client) => client.query(text))).rows;
    const kill = (victims: number[]) => Promise.all(victims.map((victim) => servers[victim]?.kill()));
    const restart = async (victims: number[]) => {
      for (const victim of victims) servers[victim] = await start('0');
    };
    const { url } = servers[0] ?? { url: '' };
    const token = await signInToServer(url);
    for (let number = 1; number <= TENANTS; number += 1) {
      const body = tenantInput(`KILLED${number}`, { timezoneId: 'UTC' });
      expect(await callServer(url, tenantRoutes.create, { token, body })).toMatchObject({ status: 200 });
    }
    expect(await callServer(url, backupScheduleRoutes.set, { token, body: schedule() })).toMatchObject({ status: 200 });
    // As if nothing had run for days. The servers look at once when they start.
    await kill([0, 1]);
    await query("update backup_schedule_runs set due_at = due_at - interval '3 days'");
    const due = await query(DUE);
    expect(due).toHaveLength(TENANTS);
    await installStops(databaseUrl);
    let stopped = [0, 1];
    for (const [point, victims] of Array.from({ length: ROUNDS }, () => KILLS).flat()) {
      let started = Promise.resolve();
      const begin = async () => {
        started = restart(stopped);
        await started;
        return { status: 202 };
      };
      await holdAt(databaseUrl, { kind: 'backup', point }, begin, async ({ endSessions }) => {
        await started;
        await kill(victims);
        await endSessions();
      });
      await removeStops(databaseUrl);
      stopped = victims;
    }
    await restart(stopped);
    await vi.waitFor(async () => {
      // As if the pause after a backup that was given up had passed.
      await query('update backup_schedule_runs set retry_at = now() where retry_at > now()');
      // Late until the end of the tick that notes the last success.
      expect(
        await query(
          "select from backup_schedule_runs where last_result is distinct from 'succeeded' or operation_id is not null or is_late",
        ),
      ).toEqual([]);
    }, PATIENCE);
    expect(await query(MADE)).toEqual(due);
    const ids = await query('select id from backups');
    expect((await readdir(join(dataDir, 'backups'))).sort()).toEqual(ids.map(({ id }) => `${id}.dump`).sort());
    expect(await query("select count(*)::int as entries from audit_entries where action = 'databases.backup'")).toEqual(
      [{ entries: TENANTS }],
    );
    expect(await query('select from operation_claims')).toEqual([]);
    expect(await query("select from operations where state in ('queued', 'running')")).toEqual([]);
    await vi.waitFor(async () => expect(await query(DUMPING)).toEqual([]), PATIENCE);
  });
}, 900_000);

/** Each database with the newest moment at which its backup is due. */
const DUE = `
  select s.database_id, due.last as due_at from effective_backup_schedules s
  cross join lateral backup_due(s.frequency, s.hour, s.weekday, s.minute, s.time_zone, now()) as due
  order by s.database_id`;
const MADE = `select database_id, due_at from backups where state = 'ready' order by database_id`;
/** Sessions of pg_dump in the databases, also those that a killed server started. */
const DUMPING = `
  select pid from pg_stat_activity where application_name = 'pg_dump' and datname in (select physical_name from databases)`;
