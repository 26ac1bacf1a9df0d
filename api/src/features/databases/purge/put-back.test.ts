import { operationRoutes } from '@apotheca/contract/operations';
import { purge, purgeRoutes } from '@apotheca/contract/purges';
import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import { tenantRoutes } from '@apotheca/contract/tenants';
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import { insertSampleRows } from '../../../demo/sample-rows.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { withClient } from '../../../testing/databases.ts';
import { operationsEnded } from '../../../testing/operations.ts';
import { stateOfTables } from '../../../testing/tenant-state.ts';
import { getDatabaseByName } from '../databases.service.ts';
import { dropExpiredPurges } from './kept-rows.repository.ts';

const test = useTestApp();
const DAY = 24 * 60 * 60;

const empty = async (databaseName: string, body: readonly string[]): Promise<string> => {
  const { result, message } = await test.call(purgeRoutes.purge, { query: { databaseName }, body });
  expect(result?.deletedTables, message).toEqual(body);
  return result.operationId;
};
const putBack = (databaseName: string, operationId: string, body: readonly string[]) =>
  test.call(purgeRoutes.putBack, { query: { databaseName, operationId }, body });
const purges = async (databaseName: string) =>
  (await test.call(purgeRoutes.listPurges, { query: { databaseName } })).result;

/** Runs `work` as the administrator in the database of a new tenant. */
async function onTenant(code: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  await test.call(tenantRoutes.create, { body: tenantInput(code) });
  const { physicalName } = await getDatabaseByName(test.context, code);
  await withClient(withDatabaseName(test.databaseUrl, physicalName), work);
}

const addLocations = (client: pg.Client, ...codes: string[]) =>
  client.query("insert into locations (code, name, kind) select code, code, 'clinic' from unnest($1::text[]) code", [
    codes,
  ]);
const addUser = (client: pg.Client, locationId: number) =>
  client.query(
    `insert into users (user_name, first_name, last_name, email, clinical_role, home_location_id)
     values ('ines', 'Ines', 'Moreau', 'ines@clinic.test', 'Pharmacist', $1)`,
    [locationId],
  );

describe('putting a purge back', () => {
  it('restores all rows exactly, and the values of identities [DECISIONS §9]', async () => {
    await onTenant('WHOLE', async (client) => {
      await insertSampleRows(client, { patients: 3, seed: 1 });
      // What JSON alone would lose: JSON's null, digits, dates before time zones, control characters.
      await client.query(
        `update wslogs set request = 'null', response = null, error = E'\\t"\\\\\\u2028' where id = 1`,
      );
      await client.query(`update athena_orders set payload = '{"n": 12345678901234567890.10}' where id = 1`);
      await client.query(
        "update patients set created_at = '0044-03-15 12:00:00.123456 BC', updated_at = 'infinity' where id = 1",
      );
      await client.query("select setval('units_id_seq', 4000, false)");
      await client.query("set datestyle = 'SQL, DMY'");
      const before = await stateOfTables(client);
      const operationId = await empty('WHOLE', TENANT_TABLE_NAMES);
      const answer = await putBack('WHOLE', operationId, TENANT_TABLE_NAMES);
      expect(answer.message).toMatch(/^Success! [\d,]+ rows of 37 tables were put back into WHOLE\.$/);
      expect(await stateOfTables(client)).toEqual(before);
    });
  });

  it('puts each table back once, also in several calls [DECISIONS §9]', async () => {
    await onTenant('PARTS', async (client) => {
      await addLocations(client, 'A', 'B');
      await addUser(client, 1);
      const operationId = await empty('PARTS', ['users', 'locations', 'otps']);
      const [listed] = await purges('PARTS');
      expect(Date.parse(listed.keptUntilUtc) - Date.parse(listed.purgedOnUtc)).toBe(7 * DAY * 1000);
      expect(await purges('PARTS')).toEqual([
        {
          operationId,
          purgedOnUtc: expect.any(String),
          keptUntilUtc: expect.any(String),
          tables: [
            { name: 'locations', rows: 2, putBack: false },
            { name: 'otps', rows: 0, putBack: false },
            { name: 'users', rows: 1, putBack: false },
          ],
        },
      ]);
      expect(await putBack('PARTS', operationId, ['users'])).toMatchObject({
        status: 409,
        message:
          'Nothing was put back. Rows of users refer to rows of locations that are missing: put back locations as well, or leave out users.',
      });
      const one = await putBack('PARTS', operationId, ['locations']);
      expect(one.result).toEqual({ tables: [{ name: 'locations', rows: 2 }] });
      const left = await purges('PARTS');
      expect(z.array(purge).parse(left)).toEqual(left);
      expect(left[0].tables.filter((table: { putBack: boolean }) => table.putBack)).toHaveLength(1);
      expect(await putBack('PARTS', operationId, ['locations', 'users'])).toMatchObject({
        status: 409,
        message: 'locations has been put back already.',
      });
      expect(await putBack('PARTS', operationId, ['users', 'otps'])).toMatchObject({ status: 200 });
      expect(await purges('PARTS')).toEqual([]);
    });
  });

  it('changes nothing when new rows have the keys of kept ones [DECISIONS §9]', async () => {
    await onTenant('TWICE', async (client) => {
      await addLocations(client, 'A', 'B');
      await addUser(client, 2);
      const operationId = await empty('TWICE', ['locations', 'users']);
      await addLocations(client, 'NEW');
      const before = await stateOfTables(client);
      const answer = await putBack('TWICE', operationId, ['users', 'locations']);
      expect(answer).toMatchObject({ status: 409, title: 'Conflict' });
      expect(answer.message).toBe(
        'Nothing was put back. locations has new rows with the keys of kept ones (locations__id): remove those, or empty locations first, or put back the other tables only.',
      );
      expect(await stateOfTables(client)).toEqual(before);
      await client.query('delete from locations');
      expect(await putBack('TWICE', operationId, ['users', 'locations'])).toMatchObject({ status: 200 });
    });
  });

  it('keeps an identity that is higher than before the purge [DECISIONS §9]', async () => {
    await onTenant('FURTHER', async (client) => {
      await addLocations(client, 'A', 'B');
      const operationId = await empty('FURTHER', ['locations']);
      await client.query("select setval('locations_id_seq', 900)");
      await addLocations(client, 'C');
      await putBack('FURTHER', operationId, ['locations']);
      const { rows } = await client.query(
        "select array_agg(id order by id) as ids, nextval('locations_id_seq') as next from locations",
      );
      expect(rows).toEqual([{ ids: ['1', '2', '901'], next: '902' }]);
    });
  });

  it('uses the columns that existed at the purge and still do [DECISIONS §9]', async () => {
    await onTenant('UPGRADED', async (client) => {
      await addLocations(client, 'A');
      await client.query("update locations set name = 'Harbour'");
      const operationId = await empty('UPGRADED', ['locations']);
      await client.query("alter table locations add column colour text not null default 'green'");
      await client.query('alter table locations drop column is_active');
      expect(await putBack('UPGRADED', operationId, ['locations'])).toMatchObject({ status: 200 });
      const { rows } = await client.query('select id, name, colour from locations');
      expect(rows).toEqual([{ id: '1', name: 'Harbour', colour: 'green' }]);
    });
  });

  it('lets no trigger and no rule of an operator’s run, and all are there as before [DECISIONS §9]', async () => {
    await onTenant('TRIGGERED', async (client) => {
      await addLocations(client, 'A', 'B');
      await addUser(client, 1);
      await client.query(`
        create table public.movements (what text);
        create function public.skip() returns trigger language plpgsql as 'begin return null; end';
        create function public.note() returns trigger language plpgsql as
          'begin insert into public.movements values (tg_table_name); return null; end';
        create trigger skip before insert on locations for each row execute function public.skip();
        alter table locations enable always trigger skip;
        create trigger note after insert on users for each row execute function public.note();
        create rule refuse as on insert to otps do instead nothing;
        alter table public.users add constraint users__home
          foreign key (home_location_id) references locations deferrable initially deferred`);
      const modes = async () =>
        (
          await client.query(`
            select tgname as name, tgenabled as mode from pg_trigger where not tgisinternal
            union all select rulename, ev_enabled from pg_rewrite where ev_class = 'otps'::regclass order by 1`)
        ).rows;
      const [before, modesBefore] = [await stateOfTables(client), await modes()];
      const tables = ['locations', 'otps', 'users'];
      const operationId = await empty('TRIGGERED', tables);
      expect(await putBack('TRIGGERED', operationId, ['users'])).toMatchObject({ status: 409 });
      expect(await putBack('TRIGGERED', operationId, tables)).toMatchObject({ status: 200 });
      expect(await stateOfTables(client)).toEqual(before);
      expect(await modes()).toEqual(modesBefore);
      expect((await client.query('select from public.movements')).rowCount).toBe(0);
    });
  });

  it('leaves what triggers keep of the rows as it was before the purge [DECISIONS §9]', async () => {
    await onTenant('TOTALS', async (client) => {
      await insertSampleRows(client, { patients: 1_001, seed: 1 });
      // The patients are too many to be deleted: they are truncated.
      await client.query(`
        create table public.movements (what text);
        create function public.note() returns trigger language plpgsql as
          $$ begin insert into public.movements values (tg_op || ' ' || tg_table_name); return null; end $$;
        create trigger note after insert or delete on locations for each row execute function public.note();
        alter table locations enable always trigger note;
        create trigger note after truncate on patients for each statement execute function public.note();
        create function public.skip() returns trigger language plpgsql as 'begin return null; end';
        create trigger skip before delete on units for each row execute function public.skip();
        alter table units enable replica trigger skip;
        create rule refuse as on delete to otps do instead nothing`);
      const before = await stateOfTables(client);
      const operationId = await empty('TOTALS', TENANT_TABLE_NAMES);
      const rows = await client.query('select from locations union all select from units union all select from otps');
      expect(rows.rowCount).toBe(0);
      expect(await putBack('TOTALS', operationId, TENANT_TABLE_NAMES)).toMatchObject({ status: 200 });
      expect(await stateOfTables(client)).toEqual(before);
      expect((await client.query('select what from public.movements')).rows).toEqual([]);
    });
  });

  it('changes nothing when fewer rows come back than were removed [DECISIONS §9]', async () => {
    await onTenant('FEWER', async (client) => {
      await addLocations(client, 'A', 'B');
      const operationId = await empty('FEWER', ['locations']);
      await client.query("update apotheca.purged_tables set rows = '[]'");
      expect(await putBack('FEWER', operationId, ['locations'])).toMatchObject({
        status: 409,
        message: 'Nothing was put back. locations takes only 0 of the 2 kept rows: put back the other tables only.',
      });
      expect((await purges('FEWER'))[0].tables).toEqual([{ name: 'locations', rows: 2, putBack: false }]);
    });
  });

  it('is a 404 for an unknown purge, and for tables that the purge did not empty [DECISIONS §9]', async () => {
    await onTenant('STRANGE', async (client) => {
      await addLocations(client, 'A');
      const operationId = await empty('STRANGE', ['locations']);
      expect(await putBack('STRANGE', crypto.randomUUID(), ['locations'])).toMatchObject({ status: 404 });
      expect(await putBack('STRANGE', operationId, ['locations', 'otps', 'nothing'])).toMatchObject({
        status: 404,
        message: 'This deletion did not empty otps and nothing.',
      });
      expect(await putBack('STRANGE', operationId, [])).toMatchObject({ status: 400 });
      expect(await putBack('STRANGE', 'one', ['locations'])).toMatchObject({ status: 400 });
      expect((await putBack('STRANGE', operationId, ['locations'])).status).toBe(200);
    });
  });

  it('is possible for 7 days; then the rows are dropped [DECISIONS §9]', async () => {
    await onTenant('WEEK', async (client) => {
      await addLocations(client, ...Array.from({ length: 1_500 }, (_, index) => `L${index}`));
      const first = await empty('WEEK', ['locations']);
      const age = (days: number) =>
        client.query('update apotheca.purged_tables set purged_at = purged_at - make_interval(days => $1)', [days]);
      await age(3);
      const second = await empty('WEEK', ['otps']);
      const listed = async () => (await purges('WEEK')).map((each: { operationId: string }) => each.operationId);
      expect(await listed()).toEqual([second, first]);
      await age(4);
      expect(await listed()).toEqual([second]);
      expect(await putBack('WEEK', first, ['locations'])).toMatchObject({ status: 404 });
      const kept = () => client.query("select from pg_tables where schemaname = 'apotheca_purged'");
      expect((await kept()).rowCount).toBe(1);
      await dropExpiredPurges(client, new Date());
      expect((await kept()).rowCount).toBe(0);
      expect(await listed()).toEqual([second]);
    });
  });
});

describe('a server whose clock is wrong', () => {
  it('keeps rows for as long as PostgreSQL’s clock says [DECISIONS §9]', async () => {
    await onTenant('CLOCK', async (client) => {
      await addLocations(client, 'A');
      const ahead = test.clock.now;
      test.clock.advance(-30 * DAY);
      const { accessToken: token } = (await test.signIn()).result;
      const query = { databaseName: 'CLOCK' };
      const { result } = await test.call(purgeRoutes.purge, { query, body: ['locations'], token });
      test.clock.now = ahead;
      expect((await purges('CLOCK')).map((each: { operationId: string }) => each.operationId)).toEqual([
        result.operationId,
      ]);
      await dropExpiredPurges(client, new Date());
      expect((await putBack('CLOCK', result.operationId, ['locations'])).status).toBe(200);
    });
  });
});

describe('a run after a crash that came after the change', () => {
  const cutOff = async (id: string) => {
    const { platform, queue } = test.context;
    await platform.transaction().execute(async (trx) => {
      const { databaseId } = await trx
        .updateTable('operations')
        .set({ state: 'running', result: null, message: '', finishedAt: null })
        .where('id', '=', id)
        .returning('databaseId')
        .executeTakeFirstOrThrow();
      await trx.insertInto('operationClaims').values({ databaseId, operationId: id }).execute();
      await queue.send(trx, [{ id, kind: 'put-back', actorId: null }]);
    });
    queue.wake();
    await operationsEnded(test.databaseUrl);
    return (await test.call(operationRoutes.get, { query: { id } })).result;
  };

  it('purges only once, and answers with what was purged [DECISIONS §8]', async () => {
    await onTenant('CRASHED', async (client) => {
      await addLocations(client, 'A', 'B');
      const id = await empty('CRASHED', ['locations']);
      await addLocations(client, 'NEW');
      expect(await cutOff(id)).toMatchObject({
        state: 'succeeded',
        message: 'Success! 1 table of CRASHED with 2 rows was emptied.',
        result: { deletedTables: ['locations'], operationId: id },
      });
      expect((await client.query('select code from locations')).rows).toEqual([{ code: 'NEW' }]);
    });
  });

  it('ends the session of the earlier run [DECISIONS §8]', async () => {
    await onTenant('LEFT', async (client) => {
      await addLocations(client, 'A');
      const id = await empty('LEFT', ['otps']);
      await client.query('delete from apotheca.applied_operations');
      await client.query('delete from apotheca.purged_tables');
      const { physicalName } = await getDatabaseByName(test.context, 'LEFT');
      await withClient(withDatabaseName(test.databaseUrl, physicalName), async (earlier) => {
        earlier.on('error', () => {});
        await earlier.query(`set application_name = 'apotheca ${id}'; begin; lock table otps`);
        expect(await cutOff(id)).toMatchObject({ state: 'succeeded' });
      });
    });
  });
});

it('a purge that is cancelled while it deletes changes nothing [DECISIONS §8]', async () => {
  await onTenant('WAITING', async (client) => {
    await addLocations(client, 'A');
    const before = await stateOfTables(client);
    // Not a lock: the purge would give that up after seconds, perhaps before it finds the cancellation. Nor a trigger of a table that it empties: none
    // of those runs.
    await client.query(`
      create function public.wait() returns trigger language plpgsql as 'begin perform pg_sleep(3600); return null; end';
      create trigger wait after insert on apotheca.purged_tables for each statement execute function public.wait();
      alter table apotheca.purged_tables enable always trigger wait`);
    const { result } = await test.call(purgeRoutes.purge, {
      query: { databaseName: 'WAITING' },
      body: ['locations'],
      headers: { prefer: 'respond-async' },
    });
    const query = { id: result.operationId };
    const isDeleting = async () =>
      (
        await client.query(
          "select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep' and application_name = $1",
          [`apotheca ${result.operationId}`],
        )
      ).rowCount === 1;
    await expect.poll(isDeleting).toBe(true);
    expect(await test.call(operationRoutes.cancel, { query })).toMatchObject({ status: 200 });
    const ended = async () => (await test.call(operationRoutes.get, { query })).result.state;
    await expect.poll(ended).toBe('cancelled');
    expect(await stateOfTables(client)).toEqual(before);
    expect(await purges('WAITING')).toEqual([]);
  });
});
