import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { databaseRoutes } from '@apotheca/contract/databases';
import { BASE_PATHS } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { withClient } from '../../testing/databases.ts';
import { queryTenant } from '../../testing/tenant-query.ts';
import { connectionStringOf, getDatabaseByName } from './databases.service.ts';

const test = useTestApp();

beforeAll(async () => {
  for (const code of ['HANGING', 'OTHER']) await test.call(tenantRoutes.create, { body: tenantInput(code) });
});

const details = (databaseName: string) => test.call(databaseRoutes.details, { query: { databaseName } });

/** What the server's sessions in the database HANGING wait for. */
async function waits(): Promise<string[]> {
  const { physicalName } = await getDatabaseByName(test.context, 'HANGING');
  const { rows } = await test.context.pool.query<{ wait: string }>(
    `select wait_event_type || ' ' || wait_event as wait from pg_stat_activity
     where datname = $1 and application_name = 'apotheca' and state = 'active'`,
    [physicalName],
  );
  return rows.map(({ wait }) => wait);
}

/** Runs `work` while the tenant's own role has locked a table of HANGING. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  const url = await connectionStringOf(test.context, await getDatabaseByName(test.context, 'HANGING'));
  await withClient(url, async (client) => {
    await client.query('begin; lock table public.patients in access exclusive mode');
    await work();
  });
}

describe("reads of a tenant's database", () => {
  it('that wait for a lock do not delay reads of other databases [DECISIONS §6]', async () => {
    let answers: ReturnType<typeof details>[] = [];
    await whileLocked(async () => {
      answers = Array.from({ length: 14 }, () => details('HANGING'));
      await expect.poll(waits).toEqual(['Lock relation', 'Lock relation']);
      for (let round = 0; round < 5; round += 1) {
        expect(await details('OTHER')).toMatchObject({ status: 200 });
        expect((await waits()).length).toBeLessThanOrEqual(2);
      }
    });
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(await details('HANGING')).toMatchObject({ status: 200 });
  });

  it('that wait too long for a lock are refused with the reason [DECISIONS §6]', async () => {
    await whileLocked(async () => {
      expect(await details('HANGING')).toMatchObject({
        status: 409,
        title: 'Busy',
        message: 'Another session holds a table of the database. Please try again when it has ended.',
      });
    });
  });

  it('end when their caller has gone [DECISIONS §6]', async () => {
    // Counting its rows takes ten minutes.
    await queryTenant(
      test,
      'HANGING',
      'alter table public.otps rename to kept; create view public.otps as select from pg_sleep(600)',
    );
    const app = await buildApp(test.context, { logLevel: 'silent' });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { accessToken } = (await test.signIn()).result;
    const path = `${BASE_PATHS.api}${databaseRoutes.details.path}?databaseName=HANGING`;
    const { port } = app.server.address() as AddressInfo;
    const asked = Array.from({ length: 4 }, () =>
      get({ port, host: '127.0.0.1', path, headers: { authorization: `Bearer ${accessToken}` } }),
    );
    await expect.poll(waits).toEqual(['Timeout PgSleep', 'Timeout PgSleep']);
    for (const request of asked) request.on('error', () => {}).destroy();
    await expect.poll(waits).toEqual([]);
    await app.close();
    await queryTenant(test, 'HANGING', 'drop view public.otps; alter table public.kept rename to otps');
    expect(await details('HANGING')).toMatchObject({ status: 200 });
  });
});
