import { databaseRoutes } from '@apotheca/contract/databases';
import { faqRoutes } from '@apotheca/contract/faqs';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { getDatabaseByName } from '../../features/databases/databases.service.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { withClient } from '../../testing/databases.ts';
import { withDatabaseName } from '../connections/connection-string.ts';
import { refusalOf } from './postgres-refusals.ts';

const test = useTestApp();

it('a read that PostgreSQL ends early is a 409 that says so [§2.13]', async () => {
  await test.call(tenantRoutes.create, { body: tenantInput('LARGE') });
  const { physicalName } = await getDatabaseByName(test.context, 'LARGE');
  await withClient(withDatabaseName(test.databaseUrl, physicalName), async (holder) => {
    await holder.query('begin; lock table public.locations in access exclusive mode');
    // Outside of the transaction, which would always see the same sessions.
    const cancelWaiting = () =>
      sql`
        select pg_cancel_backend(pid) from pg_stat_activity where datname = ${physicalName} and wait_event_type = 'Lock'
      `.execute(test.context.platform);
    const round = async () => {
      let hasEnded = false;
      const answer = test.call(databaseRoutes.details, { query: { databaseName: 'LARGE' } }).finally(() => {
        hasEnded = true;
      });
      await expect.poll(async () => hasEnded || (await cancelWaiting()).rows.length === 1).toBe(true);
      return answer;
    };
    let answer = await round();
    // On a busy machine the read may have waited for as long as it is let before.
    while (answer.message.startsWith('Another session holds a table')) answer = await round();
    expect(answer).toMatchObject({
      status: 409,
      title: 'Busy',
      message:
        'PostgreSQL ended a statement early: it took too long, or somebody cancelled it. Please try again later.',
    });
  });
});

it('a session that has ended also fails later statements with that reason [§8]', async () => {
  const failure = await withClient(test.databaseUrl, async (client) => {
    client.on('error', () => {});
    await client.query('select pg_terminate_backend(pg_backend_pid())').catch(() => {});
    return client.query('select 1').catch((error: unknown) => error);
  });
  expect(refusalOf(failure)).toMatchObject({ code: 'database-away' });
});

// Filling a disk needs root; PostgreSQL gives this code whenever the system says ENOSPC.
it.each([
  ['a tenant', 'databases', 'tenants', () => test.call(tenantRoutes.create, { body: tenantInput('ROOMLESS') })],
  ['an FAQ', 'faqs', 'faqs', () => test.call(faqRoutes.create, { body: { code: 'ROOMLESS', name: 'Room' } })],
] as const)(
  '%s with a full disk of PostgreSQL is a 507 that says so, and leaves nothing [§8]',
  async (_, trigger, table, create) => {
    const { pool, platform } = test.context;
    await pool.query(`
    create function no_room() returns trigger language plpgsql as $$
    begin
      raise 'could not extend file "base/1/2": No space left on device' using errcode = 'disk_full';
    end $$;
    create trigger no_room before insert on ${trigger} for each row execute function no_room()`);
    const answer = await create();
    await pool.query('drop function no_room cascade');
    expect(answer).toMatchObject({
      status: 507,
      title: 'Disk full',
      message: 'The disk of PostgreSQL is full: nothing more can be written there. Make room on it, then try again.',
    });
    expect(await platform.selectFrom(table).select('code').where('code', '=', 'ROOMLESS').execute()).toEqual([]);
    expect((await create()).status).toBe(200);
  },
);
