import { anonymizationRoutes } from '@apotheca/contract/anonymization';
import { databaseRoutes } from '@apotheca/contract/databases';
import { type Operation, type OperationKindName, operationRoutes } from '@apotheca/contract/operations';
import { purgeRoutes } from '@apotheca/contract/purges';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { getDatabaseByName } from '../features/databases/databases.service.ts';
import { useTestApp } from '../testing/app.ts';
import { tenantInput } from '../testing/builders.ts';
import { operationsEnded } from '../testing/operations.ts';
import { queryTenant } from '../testing/tenant-query.ts';

// What is deleted or replaced is dropped at once; parking has tests of its own.
const test = useTestApp({ parkDays: 0 });
let purgeId: string;

const call = (route: Parameters<typeof test.call>[0], query: Record<string, string>, body?: unknown) => {
  // Each operation starts at another moment.
  test.clock.advance(1);
  return test.call(route, { query, ...(body !== undefined && { body }) });
};

/** Calls whose work is committed before the operation's end. */
const CALLS: [OperationKindName, string, () => ReturnType<typeof test.call>][] = [
  ['purge', 'databases.purge', () => call(purgeRoutes.purge, { databaseName: 'HOME' }, ['locations'])],
  [
    'put-back',
    'databases.put-back',
    () => call(purgeRoutes.putBack, { databaseName: 'HOME', operationId: purgeId }, ['locations']),
  ],
  ['anonymize', 'databases.anonymize', () => call(anonymizationRoutes.anonymize, { databaseName: 'HOME' })],
  ['delete', 'databases.delete', () => call(databaseRoutes.delete, { databaseName: 'COPY' })],
  [
    'delete-tenant',
    'tenants.delete',
    async () => call(tenantRoutes.delete, { id: (await test.call(tenantRoutes.list)).result[0].id }),
  ],
];

beforeAll(async () => {
  await test.call(tenantRoutes.create, { body: tenantInput('HOME') });
  await queryTenant(test, 'HOME', "insert into locations (code, name, kind) values ('A', 'A', 'clinic')");
  await test.call(databaseRoutes.copy, { query: { copyFrom: 'HOME', databaseName: 'COPY' } });
  // A sequence keeps counting when its transaction is rolled back.
  await sql`
    create sequence ends minvalue 0;
    create function fail_end() returns trigger language plpgsql as $$
    begin
      if new.state = 'succeeded' and old.state <> new.state and nextval('ends') < tg_argv[0]::int then
        raise exception 'The end cannot be written' using errcode = tg_argv[1];
      end if;
      return new;
    end $$`.execute(test.context.platform);
});

/** Makes the first ends of operations fail when they are written. @param code SQLSTATE */
const failEnds = (count: number, code: string) =>
  sql`
    alter sequence ends restart;
    create trigger fail_end before update on operations for each row
    execute function fail_end(${sql.lit(String(count))}, ${sql.lit(code)})`.execute(test.context.platform);

afterEach(async () => {
  await sql`drop trigger if exists fail_end on operations`.execute(test.context.platform);
});

const newest = async (): Promise<Operation> => (await test.call(operationRoutes.list)).result[0];
const actionsSince = async (id: number) => {
  const { rows } = await sql<{ action: string }>`
    select action from audit_entries where id > ${id} and action !~ '^auth' order by id`.execute(test.context.platform);
  return rows.map(({ action }) => action);
};
const lastEntry = async () => {
  const { rows } = await sql<{ id: string }>`select max(id) as id from audit_entries`.execute(test.context.platform);
  return Number(rows[0]?.id);
};

describe('an operation whose end cannot be written at once', () => {
  it.each(CALLS)(
    '%s: succeeds, with its answer and its audit entry alone [DECISIONS §8]',
    async (kind, action, start) => {
      await failEnds(1, 'XX000');
      const since = await lastEntry();
      const answer = await start();
      expect(answer).toMatchObject({ status: 200, success: true });
      expect(await newest()).toMatchObject({ kind, state: 'succeeded', message: answer.message });
      expect(await actionsSince(since)).toEqual([action]);
      if (kind === 'purge') purgeId = answer.result.operationId;
    },
  );

  it.each([
    ['somebody holds a lock', '55P03', 2],
    // Whether it was done is asked in each run too, and fails as well.
    ['the disk is full', '53100', 4],
  ])('waits as long as %s, and uses up no life [DECISIONS §8]', async (_, code, failures) => {
    const databaseName = `END ${code}`;
    await test.call(tenantRoutes.create, { body: tenantInput(databaseName) });
    await queryTenant(test, databaseName, "insert into locations (code, name, kind) values ('A', 'A', 'clinic')");
    await failEnds(failures, code);
    await call(purgeRoutes.purge, { databaseName }, ['locations']);
    await operationsEnded(test.databaseUrl);
    expect(await newest()).toMatchObject({ kind: 'purge', state: 'succeeded' });
    const row = await test.context.platform
      .selectFrom('operations')
      .select(['attempts', 'outlived'])
      .where('databaseName', '=', databaseName)
      .executeTakeFirstOrThrow();
    expect(row.attempts - row.outlived).toBeLessThanOrEqual(1);
    expect(row.outlived).toBeGreaterThan(1);
  });

  it('has an unknown outcome when it cannot be found out for long whether it was done [DECISIONS §8]', async () => {
    await test.call(tenantRoutes.create, { body: tenantInput('UNKNOWN') });
    const { platform } = test.context;
    await failEnds(1_000, 'XX000');
    const { result } = await test.call(purgeRoutes.purge, {
      query: { databaseName: 'UNKNOWN' },
      body: ['locations'],
      headers: { prefer: 'respond-async' },
    });
    const get = async () => (await test.call(operationRoutes.get, { query: { id: result.operationId } })).result;
    await expect.poll(async () => (await get()).state).toBe('running');
    // As after many tries.
    await expect
      .poll(async () => {
        await platform
          .updateTable('operations')
          .set({ attempts: 20, resumeAt: new Date(0) })
          .where('id', '=', result.operationId)
          .where('resumeAt', 'is not', null)
          .where('attempts', '<', 20)
          .execute();
        return (await get()).state;
      })
      .toBe('failed');
    expect((await get()).message).toBe(
      "Whether this was done could not be found out: the reason is in the server's log. " +
        'Please look whether it was done, and start it anew if it was not.',
    );
    expect(test.background.splice(0).map(String).join()).toMatch(/The end cannot be written/);
    await expect(getDatabaseByName(test.context, 'UNKNOWN')).resolves.toMatchObject({ state: 'ready' });
  });
});

describe('an operation whose progress cannot be noted in time', () => {
  // SQLSTATEs of a lock that is held too long, and of a statement that takes too long.
  it.each(['55P03', '57014'])('runs again, and uses up no life: %s [DECISIONS §8]', async (code) => {
    const { platform } = test.context;
    const databaseName = `COPY ${code}`;
    await test.call(tenantRoutes.create, { body: tenantInput(code) });
    await sql`
      alter sequence ends restart;
      create function fail_note() returns trigger language plpgsql as $$
      begin
        if new.step > old.step and nextval('ends') < 2 then
          raise exception 'It took too long' using errcode = ${sql.lit(code)};
        end if;
        return new;
      end $$;
      create trigger fail_note before update on operations for each row execute function fail_note()`.execute(platform);
    await call(databaseRoutes.copy, { copyFrom: code, databaseName });
    await sql`drop function fail_note cascade`.execute(platform);
    const row = await platform
      .selectFrom('operations')
      .select(['state', 'attempts', 'outlived'])
      .where('databaseName', '=', databaseName)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ state: 'succeeded', attempts: 3, outlived: 2 });
  });
});

it('an operation that was undone, but whose failure cannot be written at once, says later why it failed [DECISIONS §8]', async () => {
  const { platform } = test.context;
  await test.call(tenantRoutes.create, { body: tenantInput('FULL') });
  await sql`
    alter sequence ends restart;
    create function fill_disk() returns trigger language plpgsql as $$
    begin
      if new.step > old.step or new.state = 'failed' and nextval('ends') < 2 then
        raise exception 'could not extend file' using errcode = '53100';
      end if;
      return new;
    end $$;
    create trigger fill_disk before update on operations for each row execute function fill_disk()`.execute(platform);
  const answer = await call(databaseRoutes.copy, { copyFrom: 'FULL', databaseName: 'COPY OF FULL' });
  await sql`drop function fill_disk cascade`.execute(platform);
  expect(answer).toMatchObject({ status: 507, message: expect.stringMatching(/^The disk of PostgreSQL is full/) });
});
