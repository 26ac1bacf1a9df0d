import { type AdoptionPlan, adoptionRoutes } from '@apotheca/contract/adoptions';
import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { purgeRoutes } from '@apotheca/contract/purges';
import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import { BASE_PATHS, type ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newestTenantSchemaVersion } from './db/migrate.ts';
import { startUpgrades } from './features/databases/database-upkeep.ts';
import { getDatabaseByName } from './features/databases/databases.service.ts';
import { useTestApp } from './testing/app.ts';
import { tenantInput } from './testing/builders.ts';
import {
  dropPractice,
  FOREIGN_SHAPES,
  type ForeignShape,
  makeForeignArchive,
  withForeignDatabase,
} from './testing/foreign-databases.ts';
import { OLD_SCHEMA, TO_OLD_SCHEMA } from './testing/old-schema.ts';
import { operationsEnded } from './testing/operations.ts';
import { makePlainHome } from './testing/plain-administrator.ts';
import { useSecondServer } from './testing/second-server.ts';

const server = useSecondServer();
const test = useTestApp({ adoptionHosts: ['127.0.0.0/8'] }, () => makePlainHome(server));
afterAll(dropPractice);

let token = '';
beforeAll(async () => {
  token = (await test.signIn()).result.accessToken;
});

const [, MORE] = FOREIGN_SHAPES as ForeignShape[] as [ForeignShape, ForeignShape];

/** Calls, and says why it failed where it did. */
async function done(route: ContractRoute, options: { query?: Record<string, string>; body?: unknown } = {}) {
  const { status, message, result } = await test.call(route, { ...options, token });
  expect(status, message).toBe(200);
  return result;
}
const inside = async (name: string, statements: string) =>
  test.context.tenants.with(await getDatabaseByName(test.context, name), (client) => client.query(statements), {
    unlimited: true,
  });

it('an old schema is upgraded where the administrator is no superuser [DECISIONS §2]', async () => {
  await done(tenantRoutes.create, { body: tenantInput('OLD') });
  await inside(
    'OLD',
    `insert into public.locations (code, name, kind) values ('A', 'Kept', 'clinic'); ${TO_OLD_SCHEMA}`,
  );
  await test.context.platform
    .updateTable('databases')
    .set({ schemaVersion: OLD_SCHEMA })
    .where('name', '=', 'OLD')
    .execute();
  expect(await startUpgrades(test.context, new Date(0))).toBe(1);
  await operationsEnded(test.databaseUrl);
  expect(await done(databaseRoutes.list)).toEqual([
    expect.objectContaining({ databaseName: 'OLD', schemaVersion: newestTenantSchemaVersion(), isOutdated: false }),
  ]);
  expect((await inside('OLD', 'select code from public.locations')).rows).toEqual([{ code: 'A' }]);
  await done(backupRoutes.create, { query: { databaseName: 'OLD' } });
});

it('a database from elsewhere is adopted where the administrator is no superuser, from its server and from an archive [DECISIONS §2]', async () => {
  const adopt = ({ id, digest }: AdoptionPlan, databaseName: string) =>
    done(adoptionRoutes.adopt, { body: { id, databaseName, plan: digest } });
  await withForeignDatabase(MORE, async (url) => {
    const { hostname: host, port, pathname, username: user, password } = new URL(url);
    const body = { host, port: Number(port), database: pathname.slice(1), user, password, tls: 'disable' };
    expect(await adopt(await done(adoptionRoutes.inspectServer, { body }), 'SERVER')).toMatchObject({ rejected: 0 });
  });
  const { archive } = await makeForeignArchive(MORE);
  const upload = await test.app.inject({
    method: 'POST',
    url: `${BASE_PATHS.api}${adoptionRoutes.inspectArchive.path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    payload: archive,
  });
  expect(await adopt(upload.json().result, 'ARCHIVE')).toMatchObject({ rejected: 0 });
  const patients = 'select first_name, last_name from public.patients order by id';
  expect((await inside('ARCHIVE', patients)).rows).toHaveLength(3);
  expect((await inside('ARCHIVE', patients)).rows).toEqual((await inside('SERVER', patients)).rows);
  for (const name of ['SERVER', 'ARCHIVE']) await done(backupRoutes.create, { query: { databaseName: name } });
  expect((await done(reconciliationRoutes.reconcile)).findings).toEqual([]);
});

it('what is purged and put back leaves a total that a trigger keeps, where the administrator is no superuser [DECISIONS §9]', async () => {
  await done(tenantRoutes.create, { body: tenantInput('TOTAL') });
  await inside(
    'TOTAL',
    `create table public.totals as select 0 as locations;
     create function public.count() returns trigger language plpgsql as
       $$ begin update public.totals set locations = locations + case tg_op when 'INSERT' then 1 else -1 end; return null; end $$;
     create trigger count after insert or delete on public.locations for each row execute function public.count();
     create function public.skip() returns trigger language plpgsql as 'begin return null; end';
     create trigger skip before delete on public.users for each row execute function public.skip();
     insert into public.locations (code, name, kind) select code, code, 'clinic' from unnest(array['A', 'B']) code;
     insert into public.users (user_name, first_name, last_name, email, clinical_role)
       values ('ines', 'Ines', 'Moreau', 'ines@clinic.test', 'Pharmacist')`,
  );
  const counted = async () =>
    (
      await inside(
        'TOTAL',
        `select (select locations from public.totals) as total, (select count(*)::int from public.locations) as locations,
           (select count(*)::int from public.users) as users`,
      )
    ).rows;
  const tables = ['locations', 'users'];
  const { operationId } = await done(purgeRoutes.purge, { query: { databaseName: 'TOTAL' }, body: tables });
  expect(await counted()).toEqual([{ total: 2, locations: 0, users: 0 }]);
  await done(purgeRoutes.putBack, { query: { databaseName: 'TOTAL', operationId }, body: tables });
  expect(await counted()).toEqual([{ total: 2, locations: 2, users: 1 }]);
});
