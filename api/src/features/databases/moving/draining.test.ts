import { databaseBulkRoutes } from '@apotheca/contract/database-bulks';
import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { moveRoutes } from '@apotheca/contract/moves';
import { operationRoutes } from '@apotheca/contract/operations';
import { tenantRoutes } from '@apotheca/contract/tenants';
import pg from 'pg';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { HOME_SERVER } from '../../../db/clusters.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { bulksBy, resultsOf } from '../../../testing/bulks.ts';
import { withClient } from '../../../testing/databases.ts';
import { IS_LONG_RUN } from '../../../testing/long-run.ts';
import { listMoveRemains } from '../../../testing/moved-tenant.ts';
import { holdAt, installStops, removeStops } from '../../../testing/operation-stops.ts';
import { addServer, useSecondServer } from '../../../testing/second-server.ts';
import { connectionStringOf, getDatabaseByName } from '../databases.service.ts';
import { countMovesAtOnce } from './move-plan.ts';

const test = useTestApp();
const second = useSecondServer();
const third = useSecondServer();
const { plan, start, report } = bulksBy(test, databaseBulkRoutes);

const TENANTS = IS_LONG_RUN ? 40 : 6;
const CODES = Array.from({ length: TENANTS }, (_, index) => `DRAIN ${index}`);
const POLLING = { interval: 20 };

let [secondId, thirdId]: string[] = [];
let ids: string[];
beforeAll(async () => {
  secondId = await addServer(test, second);
  thirdId = await addServer(test, third, { name: 'Third' });
  await installStops(test.databaseUrl);
  ids = [];
  for (const code of CODES) {
    const { status, message, result } = await test.call(tenantRoutes.create, {
      body: { ...tenantInput(code), databaseServerId: secondId },
    });
    expect(status, message).toBe(200);
    ids.push(result.id);
  }
});
afterEach(async () => {
  expect(await listMoveRemains(test.databaseUrl, [second.url, third.url])).toEqual([]);
});

const edit = (id: string | undefined, name: string, capacity: number | null) =>
  test.call(databaseServerRoutes.edit, { body: { id, name, region: '', capacity } });
const drain = (id: string | undefined) => test.call(databaseServerRoutes.drain, { body: { id } });
const activate = (id: string | undefined) => test.call(databaseServerRoutes.activate, { body: { id } });
const ask = () => plan({ action: 'move-away', ids });
const begin = async () => {
  const { result } = await ask();
  const started = await start(result, { headers: { prefer: 'respond-async' } });
  return { planId: result.id as string, operationId: started.result.operationId as string, planned: result };
};
const stateOf = async (id: string) => (await test.call(operationRoutes.get, { query: { id } })).result.state;
const placeOf = async (code: string) => (await getDatabaseByName(test.context, code)).serverId;
/** How many tenants live on each server. */
async function filled(): Promise<Record<string, number>> {
  const places = await Promise.all(CODES.map(placeOf));
  return Object.fromEntries(places.map((id) => [id, places.filter((place) => place === id).length]));
}
/** The moves that have not ended, and where each goes. */
const moving = async () =>
  (
    await test.context.pool.query<{ state: string; to: string }>(
      `select o.state, d.server_id as "to" from operations o join databases d on d.id = o.id
       where o.kind = 'move' and o.state in ('queued', 'running') order by o.created_at`,
    )
  ).rows;

type Begun = Awaited<ReturnType<typeof begin>>;

/** Begins to give databases to others, and keeps the moves from a step while `work` runs. What else gets there waits as well, until the stops are removed. */
async function stoppedAt(point: 'step 1' | 'step 3', work: (begun: Begun) => Promise<void>): Promise<Begun> {
  const begun = Promise.withResolvers<Begun>();
  const start = async () => {
    begun.resolve(await begin());
    return { status: 202 };
  };
  await holdAt(test.databaseUrl, { kind: 'move', point }, start, async () => work(await begun.promise));
  await removeStops(test.databaseUrl);
  return begun.promise;
}

/** Locks what moves of some tenants write where they catch up. One that was moved may still be closed for some moments. @returns lets them go on */
async function hold(codes: readonly string[]): Promise<() => Promise<void>> {
  const sessions = await Promise.all(
    codes.map(async (code) => {
      const url = await connectionAsAdministrator(code);
      const enter = () => withClient(url, async () => 'open');
      await expect.poll(() => enter().catch(String), POLLING).toBe('open');
      const client = new pg.Client(url);
      // The switch ends its session.
      client.on('error', () => {});
      await client.connect();
      await client.query('begin; lock table apotheca.applied_operations in share mode');
      return client;
    }),
  );
  return async () => {
    await Promise.all(sessions.map((client) => client.end()));
  };
}

async function connectionAsAdministrator(code: string): Promise<string> {
  const row = await getDatabaseByName(test.context, code);
  const url = new URL(row.serverId === thirdId ? third.url : second.url);
  url.pathname = `/${row.physicalName}`;
  return url.href;
}

it('gives its databases to others by a plan, a few at a time and evenly; one that fails does not stop the others [§2.31]', async () => {
  const failing = CODES[2] ?? '';
  await edit(HOME_SERVER, 'Home', TENANTS / 2);
  await edit(thirdId, 'Third', TENANTS / 2);
  // One that takes tenants keeps them.
  expect(new Set(Object.values(resultsOf(await ask())))).toEqual(new Set(['same']));
  await drain(secondId);
  // No copy of it can be loaded anywhere else.
  await withClient(await connectionAsAdministrator(failing), async (client) => {
    const { rows } = await client.query("select current_setting('port') as port");
    await client.query(`create table public.bound (id int primary key check (current_setting('port') = '${rows[0].port}'));
      insert into public.bound values (1)`);
  });
  // Whichever are begun first, none is gone before all that is looked at here.
  const { planId, operationId } = await stoppedAt('step 3', async ({ planned }) => {
    expect(planned.counts).toMatchObject({ change: TENANTS, refused: 0 });
    const goals = planned.rows.map(({ changes }: { changes: { to: string }[] }) => changes[0]?.to);
    expect(goals.slice(0, 4)).toEqual(['Home', 'Third', 'Home', 'Third']);

    // This process runs two of a kind; their places are taken, and so are those of the two that wait for it.
    // Rows that are begun at once are registered in any order.
    const onTheWay = async () => {
      const rows = await moving();
      return { goals: rows.map(({ to }) => to).toSorted(), states: rows.map(({ state }) => state).toSorted() };
    };
    await expect.poll(onTheWay, POLLING).toEqual({
      goals: [HOME_SERVER, HOME_SERVER, thirdId, thirdId].toSorted(),
      states: ['queued', 'queued', 'running', 'running'],
    });
    // Each of them has one place, so there is room for the others.
    const meanwhile = (await ask()).result;
    expect(meanwhile.counts).toMatchObject({ change: TENANTS, refused: 0 });
  });

  await expect.poll(() => stateOf(operationId), POLLING).toBe('succeeded');
  const became = resultsOf(await report(planId));
  expect(became[failing]).toMatch(/^refused: /);
  expect(Object.values(became).filter((each) => each === 'changed')).toHaveLength(TENANTS - 1);
  expect(await placeOf(failing)).toBe(secondId);

  await withClient(await connectionAsAdministrator(failing), (client) => client.query('drop table public.bound'));
  const again = (await ask()).result;
  expect(again.counts).toMatchObject({ change: 1, same: TENANTS - 1 });
  expect(await start(again)).toMatchObject({ status: 200, message: /^1 database moved, / });
  expect(await filled()).toEqual({ [HOME_SERVER]: TENANTS / 2, [String(thirdId)]: TENANTS / 2 });
});

it('is cancelled with all that are on the way, which stay where they are [§2.31]', async () => {
  await activate(secondId);
  await edit(HOME_SERVER, 'Home', TENANTS / 2);
  await drain(thirdId);
  const there: string[] = [];
  for (const code of CODES) if ((await placeOf(code)) === thirdId) there.push(code);
  let letGo = async () => {};
  // To publish its tables a move needs a lock on each: only then they are held.
  const { planId, operationId } = await stoppedAt('step 1', async () => {
    letGo = await hold(there);
  });
  await expect.poll(async () => (await moving()).filter(({ state }) => state === 'running').length, POLLING).toBe(2);
  expect(await test.call(operationRoutes.cancel, { query: { id: operationId } })).toMatchObject({ status: 200 });
  // Whoever has the lock also keeps the mark from being removed.
  const going = 'select from operations where kind = $1 and finished_at is null and not cancel_requested';
  await expect.poll(async () => (await test.context.pool.query(going, ['move'])).rowCount, POLLING).toBe(0);
  await letGo();
  await expect.poll(() => stateOf(operationId), POLLING).toBe('cancelled');
  // It does not wait for a move that takes long to be undone.
  await expect.poll(moving, POLLING).toEqual([]);
  const left = Object.values(resultsOf(await report(planId))).filter((each) => each === 'waiting');
  expect(left).toHaveLength(there.length);
  expect((await filled())[String(thirdId)]).toBe(there.length);
  for (const code of there)
    expect(await connectionStringOf(test.context, await getDatabaseByName(test.context, code))).toContain(
      `:${new URL(third.link.url).port}/`,
    );
});

/** Leaves a server what one move needs, so that rows have their turn one after the other. @returns gives the rest back */
async function leaveOneSlot(url: string): Promise<() => Promise<void>> {
  const query = (statement: string) => withClient(url, (client) => client.query(statement));
  await query("select pg_create_physical_replication_slot('taken_' || n) from generate_series(1, 9) n");
  return async () => {
    await query("select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name ~ '^taken_'");
  };
}
const livingOn = async (id: string | undefined) => {
  const places = await Promise.all(CODES.map(async (code) => ({ code, place: await placeOf(code) })));
  return places.filter(({ place }) => place === id).map(({ code }) => code);
};

it('takes none off another server than the drained one, and each to the server that the results name [§2.31]', async () => {
  const [first = '', byHand = '', last = ''] = await livingOn(thirdId);
  await edit(HOME_SERVER, 'Home', TENANTS);
  const giveBack = await leaveOneSlot(third.url);
  const { planId, operationId } = await stoppedAt('step 3', async () => {
    await removeStops(test.databaseUrl);
    const { id } = await getDatabaseByName(test.context, byHand);
    expect(await test.call(moveRoutes.move, { body: { id, databaseServerId: HOME_SERVER } })).toMatchObject({
      status: 200,
    });
    // Now it would be the one with the most room.
    await edit(HOME_SERVER, 'Home', null);
  });
  await expect.poll(() => stateOf(operationId), POLLING).toBe('succeeded');
  await giveBack();

  const answer = await report(planId);
  expect(resultsOf(answer)).toMatchObject({
    [first]: 'changed',
    [byHand]: `refused: ${byHand} has been moved meanwhile.`,
    [last]: 'changed',
  });
  expect([await placeOf(first), await placeOf(byHand), await placeOf(last)]).toEqual([secondId, HOME_SERVER, secondId]);
  const { changes } = answer.result.rows.find(({ record }: { record: string }) => record === last);
  expect(changes).toEqual([{ heading: 'Database Server', from: 'Third', to: 'Second' }]);
});

it('ends where its server takes new ones again: what is left stays [§2.31]', async () => {
  await drain(secondId);
  await activate(thirdId);
  const [first = '', ...others] = await livingOn(secondId);
  const giveBack = await leaveOneSlot(second.url);
  const { planId, operationId } = await stoppedAt('step 3', async () => {
    await activate(secondId);
  });
  await expect.poll(() => stateOf(operationId), POLLING).toBe('succeeded');
  await giveBack();
  expect(resultsOf(await report(planId))).toMatchObject({
    [first]: 'changed',
    ...Object.fromEntries(
      others.map((code) => [
        code,
        `refused: The database server Second takes new databases again: ${code} stays there.`,
      ]),
    ),
  });
  expect(await livingOn(secondId)).toEqual(others);
});

it('has no more on the way than each server has slots, senders and workers of replication for [§2.31]', async () => {
  expect(await countMovesAtOnce(test.context)).toBe(4);
  const slots = (statement: string) => withClient(third.url, (client) => client.query(statement));
  const make = (count: number) =>
    slots(`select pg_create_physical_replication_slot('taken_' || n) from generate_series(1, ${count}) n`);
  const drop = () => slots('select pg_drop_replication_slot(slot_name) from pg_replication_slots');
  await make(8);
  expect(await countMovesAtOnce(test.context)).toBe(2);
  await drop();
  await make(10);
  expect(await countMovesAtOnce(test.context)).toBe(1);
  await drop();
});
