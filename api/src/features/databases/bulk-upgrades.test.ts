import { databaseRoutes } from '@apotheca/contract/databases';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { sql } from 'kysely';
import { beforeAll, expect, it, vi } from 'vitest';
import { newestTenantSchemaVersion } from '../../db/migrate.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { holdAt, installStops, removeStops } from '../../testing/operation-stops.ts';
import { operationsEnded } from '../../testing/operations.ts';
import { startUpgrades } from './database-upkeep.ts';

const test = useTestApp();
const DATABASES = 3_000;

beforeAll(async () => {
  await test.call(tenantRoutes.create, { body: tenantInput('FIRST') });
  await installStops(test.databaseUrl);
  // Rows of the registry only, because the test is about queueing.
  await sql`
    insert into databases
    select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'tenant_id', null, 'name', 'OLD ' || n,
      'physical_name', 'db_old_' || n, 'role_name', 'db_old_' || n, 'schema_version', d.schema_version - 1))).*
    from databases d, generate_series(1, ${DATABASES}::integer) n`.execute(test.context.platform);
});

const countQueued = async () => {
  // Some run meanwhile and end, which frees their claims.
  const { rows } = await sql<{ operations: number; unclaimed: number; claimsOfClone: number; jobs: number }>`
    select (select count(*)::int from operations where kind = 'upgrade') as operations,
      (select count(*)::int from operations o where kind = 'upgrade' and state in ('queued', 'running')
        and not exists (select from operation_claims where operation_id = o.id)) as unclaimed,
      (select count(*)::int from operation_claims join operations on id = operation_id and kind = 'clone') as claims_of_clone,
      (select count(*)::int from pgboss.job where group_id = 'server' and priority = -1) as jobs`.execute(
    test.context.platform,
  );
  return rows[0];
};

it(`${DATABASES} upgrades are queued in one transaction; a claimed database is left out [DECISIONS §7]`, async () => {
  const send = vi.spyOn(test.context.queue, 'send');
  const { platform } = test.context;
  await platform
    .updateTable('databases')
    .set({ schemaVersion: newestTenantSchemaVersion() - 1 })
    .where('name', '=', 'FIRST')
    .execute();
  const copy = () =>
    test.call(databaseRoutes.copy, {
      query: { copyFrom: 'FIRST', databaseName: 'COPY' },
      headers: { prefer: 'respond-async' },
    });
  await holdAt(test.databaseUrl, { kind: 'clone', point: 'step 1' }, copy, async () => {
    send.mockClear();
    const startOld = async () => {
      expect(await startUpgrades(test.context, new Date(0))).toBe(DATABASES);
      return { status: 202 };
    };
    await startOld();
    expect(send).toHaveBeenCalledTimes(1);
    expect(await countQueued()).toEqual({ operations: DATABASES, unclaimed: 0, claimsOfClone: 2, jobs: DATABASES });
    expect(await startUpgrades(test.context, new Date(0))).toBe(0);
    await sql`delete from operations where kind = 'upgrade' and state = 'queued'`.execute(platform);
  });
  await removeStops(test.databaseUrl);
  await operationsEnded(test.databaseUrl);
  // Upgrades that ran meanwhile failed, because their databases do not exist. Nor are they dropped one by one after the test.
  test.background.splice(0);
  await platform.deleteFrom('databases').where('physicalName', 'like', 'db_old_%').execute();
});
