import { randomUUID } from 'node:crypto';
import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { type Operation, operationRoutes } from '@apotheca/contract/operations';
import { purgeRoutes } from '@apotheca/contract/purges';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { SERVER_ACTOR } from '../actor.ts';
import { newestTenantSchemaVersion } from '../db/migrate.ts';
import { openQueue } from '../db/operation-queue.ts';
import { getDatabaseByName } from '../features/databases/databases.service.ts';
import { upgradeOperation } from '../features/databases/upgrade.operation.ts';
import { useTestApp } from '../testing/app.ts';
import { tenantInput } from '../testing/builders.ts';
import { withClient } from '../testing/databases.ts';
import { holdAt, installStops, removeStops } from '../testing/operation-stops.ts';
import { operationsEnded } from '../testing/operations.ts';
import { openTcpProxy } from '../testing/tcp-proxy.ts';
import { startCollector } from '../testing/trace-collector.ts';
import { startTracing } from '../tracing/tracing.ts';
import { makeEngine } from './engine.ts';
import { startOperation, waitForOperation } from './operations.service.ts';

const test = useTestApp();
const ASYNC = { prefer: 'respond-async' };
/** As many databases as a server process runs operations of one kind at once; operations of two kinds take all workers. */
const HELD = ['HELD1', 'HELD2'];
const HELD_SOURCES = ['HELD3', 'HELD4'];

beforeAll(async () => {
  for (const code of [...HELD, ...HELD_SOURCES, 'SOURCE', 'OTHER']) {
    await test.call(tenantRoutes.create, { body: tenantInput(code) });
  }
  await installStops(test.databaseUrl);
});

/** Stops the rename of a tenant's database before its end, by a lock on the tenant's row. @returns lets it go on */
async function hold(code: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: test.databaseUrl });
  client.on('error', () => {});
  await client.connect();
  await client.query('begin');
  await client.query('select from tenants where code = $1 for no key update', [code]);
  return () => client.end();
}

async function operationIdOf(answer: ReturnType<typeof test.call>): Promise<string> {
  const { status, result } = await answer;
  expect(status).toBe(202);
  return result.operationId;
}
const rename = (name: string) => {
  // Each operation starts at another moment.
  test.clock.advance(1);
  const query = { databaseName: name, newName: name };
  return operationIdOf(test.call(databaseRoutes.rename, { query, headers: ASYNC }));
};
const clone = (copyFrom: string, databaseName: string) => {
  test.clock.advance(1);
  return operationIdOf(test.call(databaseRoutes.copy, { query: { copyFrom, databaseName }, headers: ASYNC }));
};
/** Queues an upgrade, as the server does itself. */
const upgrade = async (name: string) => {
  test.clock.advance(1);
  const { id } = await getDatabaseByName(test.context, name);
  return startOperation(test.context, SERVER_ACTOR, upgradeOperation, { databaseId: id });
};
const stateOf = async (id: string) => (await test.call(operationRoutes.get, { query: { id } })).result.state;
const list = async (): Promise<Operation[]> => (await test.call(operationRoutes.list)).result;

/** Runs `work` with the ids of operations that keep every worker busy, and a function that frees the first worker. */
async function withBusyWorkers(work: (running: string[], free: () => Promise<void>) => Promise<void>): Promise<void> {
  const clones: string[] = [];
  const startClones = async () => {
    for (const name of HELD_SOURCES) clones.push(await clone(name, `${name} ${randomUUID()}`));
    return { status: 202 };
  };
  try {
    await holdAt(test.databaseUrl, { kind: 'clone', point: 'step 1' }, startClones, () =>
      withHeldRenames(clones, work).finally(() => removeStops(test.databaseUrl)),
    );
  } finally {
    // After a failure too: the next test needs their databases.
    await operationsEnded(test.databaseUrl);
  }
}

async function withHeldRenames(
  clones: readonly string[],
  work: (running: string[], free: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const [free = async () => {}, ...others] = await Promise.all(HELD.map(hold));
  let isFree = false;
  const freeOnce = async () => {
    if (!isFree) await free();
    isFree = true;
  };
  try {
    const running = [...clones];
    for (const name of HELD) running.push(await rename(name));
    for (const id of running) await expect.poll(() => stateOf(id)).toBe('running');
    await work(running, freeOnce);
  } finally {
    await Promise.all([freeOnce, ...others].map((letGo) => letGo()));
  }
}

describe('an operation that waits for its turn', () => {
  it('can be cancelled while every worker is busy, and leaves nothing [DECISIONS §8]', async () => {
    await withBusyWorkers(async (running) => {
      const id = await clone('SOURCE', 'COPY');
      expect(await test.call(operationRoutes.cancel, { query: { id } })).toMatchObject({ status: 200 });
      await expect.poll(() => stateOf(id)).toBe('cancelled');
      for (const busy of running) expect(await stateOf(busy)).toBe('running');
      const left = await test.context.platform
        .selectFrom('databases')
        .select('id')
        .where('name', '=', 'COPY')
        .execute();
      expect(left).toEqual([]);
      expect(await stateOf(await clone('SOURCE', 'COPY'))).toBe('queued');
    });
  });

  it('can be cancelled also when it waits again after a kill [DECISIONS §8]', async () => {
    await withBusyWorkers(async () => {
      const id = await clone('SOURCE', 'ANOTHER');
      await test.context.platform.updateTable('operations').set({ state: 'running' }).where('id', '=', id).execute();
      expect(await test.call(operationRoutes.cancel, { query: { id } })).toMatchObject({ status: 200 });
      await expect.poll(() => stateOf(id)).toBe('cancelled');
    });
  });

  it('that is queued anew is of the trace of the call that started it [DECISIONS §13]', async () => {
    const collector = await startCollector();
    onTestFinished(collector.close);
    onTestFinished(await startTracing({ endpoint: collector.endpoint, share: 1 }));
    await withBusyWorkers(async () => {
      const id = await clone('SOURCE', 'YET ANOTHER');
      const cause = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      const jobs = (state: string) =>
        sql<{ cause: string | null }>`select data ->> 'cause' as cause from pgboss.job
          where data ->> 'operationId' = ${id} and state::text = ${state}`.execute(test.context.platform);
      // As where a worker takes it and is killed.
      await sql`update pgboss.job set state = 'completed', data = data || ${JSON.stringify({ cause })}::jsonb
        where data ->> 'operationId' = ${id}`.execute(test.context.platform);
      await expect.poll(async () => (await jobs('created')).rows).toEqual([{ cause }]);
      await test.call(operationRoutes.cancel, { query: { id } });
      await expect.poll(() => stateOf(id)).toBe('cancelled');
    });
  });

  it('runs before those of the server itself if somebody started it [DECISIONS §7]', async () => {
    const letGo = await hold('SOURCE');
    await withBusyWorkers(async (_, free) => {
      const ofServer = await upgrade('OTHER');
      const ofPerson = await rename('SOURCE');
      await free();
      await expect.poll(() => stateOf(ofPerson)).toBe('running');
      expect(await stateOf(ofServer)).toBe('queued');
      await letGo();
    }).finally(letGo);
  });
});

describe('four operations of one kind that hang', () => {
  it('(restores) do not keep a backup, a purge, a clone and a deletion from running [DECISIONS §8]', async () => {
    const { result: backup } = await test.call(backupRoutes.create, { query: { databaseName: 'OTHER' } });
    const restores: string[] = [];
    const startRestores = async () => {
      for (const databaseName of ['NEW1', 'NEW2', 'NEW3', 'NEW4']) {
        const query = { id: backup.id, databaseName };
        restores.push(await operationIdOf(test.call(backupRoutes.restore, { query, headers: ASYNC })));
      }
      return { status: 202 };
    };
    await holdAt(test.databaseUrl, { kind: 'restore', point: 'step 1' }, startRestores, async () => {
      await expect
        .poll(async () => (await Promise.all(restores.map(stateOf))).toSorted())
        .toEqual(['queued', 'queued', 'running', 'running']);
      for (const work of [
        () => test.call(backupRoutes.create, { query: { databaseName: 'OTHER' } }),
        () => test.call(purgeRoutes.purge, { query: { databaseName: 'OTHER' }, body: ['locations'] }),
        () => test.call(databaseRoutes.copy, { query: { copyFrom: 'OTHER', databaseName: 'MEANWHILE' } }),
        () => test.call(databaseRoutes.delete, { query: { databaseName: 'MEANWHILE' } }),
      ]) {
        expect(await work()).toMatchObject({ status: 200 });
      }
    });
    await removeStops(test.databaseUrl);
    await operationsEnded(test.databaseUrl);
    expect(await Promise.all(restores.map(stateOf))).toEqual(Array(4).fill('succeeded'));
  });
});

/** Copies an operation sixty times, with newer times. */
const copyOperation = (id: string, state: string) =>
  sql`
    insert into operations (id, kind, database_id, database_name, input, actor_name, address, state, steps, size_bytes,
      created_at, finished_at)
    select gen_random_uuid(), kind, database_id, database_name, input, actor_name, address, ${state}, steps, size_bytes,
      created_at + interval '1 day', case when ${state} <> 'queued' then created_at + interval '1 day' end
    from operations, generate_series(1, 60)
    where id = ${id}`.execute(test.context.platform);

describe('GET /operations/get with more than it shows', () => {
  it('shows what runs, what people queued, failed upgrades that are due, and the newest of the rest [DECISIONS §8]', async () => {
    const { platform } = test.context;
    const ended = await upgrade('OTHER');
    const failed = await upgrade('SOURCE');
    await operationsEnded(test.databaseUrl);
    await platform.updateTable('operations').set({ state: 'failed' }).where('id', '=', failed).execute();
    const setVersion = (schemaVersion: number) =>
      platform.updateTable('databases').set({ schemaVersion }).where('name', '=', 'SOURCE').execute();
    await setVersion(newestTenantSchemaVersion() - 1);
    await withBusyWorkers(async (running) => {
      const ofPerson = await rename('SOURCE');
      await copyOperation(ended, 'succeeded');
      await copyOperation(ended, 'queued');
      const [first, second, ...rest] = (await list()).slice(running.length);
      expect((await list()).slice(0, running.length).map(({ id }) => id)).toEqual(running.toReversed());
      expect([first?.id, second?.id]).toEqual([ofPerson, failed]);
      expect(rest.slice(0, 20).map(({ state }) => state)).toEqual([
        ...Array(10).fill('succeeded'),
        ...Array(10).fill('queued'),
      ]);
      await setVersion(newestTenantSchemaVersion());
      expect((await list()).map(({ id }) => id)).not.toContain(failed);
      await platform.deleteFrom('operations').where('state', '=', 'queued').where('actorId', 'is', null).execute();
    });
  });
});

it('an operation that runs is left alone by the looks of its own process for interrupted ones [DECISIONS §8]', async () => {
  const { queue, utility, platform } = test.context;
  // Those of the operations that the test before has deleted: each takes a session.
  const jobs = sql`select from pgboss.job where name = 'operations' and state in ('created', 'retry', 'active')`;
  await expect.poll(async () => (await jobs.execute(platform)).rows.length).toBe(0);
  const letGo = await hold('HELD1');
  onTestFinished(letGo);
  const id = await rename('HELD1');
  await expect.poll(() => stateOf(id)).toBe('running');
  const looks = vi.spyOn(queue, 'wake');
  const sessions = vi.spyOn(utility, 'connection');
  onTestFinished(() => void vi.restoreAllMocks());
  await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(3);
  expect(sessions).not.toHaveBeenCalled();
  await letGo();
  await expect.poll(() => stateOf(id)).toBe('succeeded');
});

/** The looks at an operation that wait for a lock. */
const LOOKS = `select pid, query_start::text as since from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like 'select "id"%from "operations" where "id" = %'`;

describe('a call that waits for an operation', () => {
  it('goes on waiting if it is woken before the end [DECISIONS §8]', async () => {
    const { ended } = test.context.queue;
    await withBusyWorkers(async ([, , id = ''], free) => {
      const waiting = waitForOperation(test.context, id, false);
      await expect.poll(() => ended.listenerCount(id)).toBe(1);
      ended.emit(id);
      await expect.poll(() => ended.listenerCount(id)).toBe(1);
      await free();
      let outcome = await waiting;
      // The rename may take longer than a call waits.
      while (!outcome) outcome = await waitForOperation(test.context, id, false);
      expect(outcome).toMatchObject({ result: { databaseName: 'HELD1' } });
    });
  });

  it('goes on waiting where a look at it comes too late: the operation goes on as well [DECISIONS §8]', async () => {
    const { context } = test;
    const letGo = await hold('HELD1');
    const id = await rename('HELD1');
    await expect.poll(() => stateOf(id)).toBe('running');
    await withClient(test.databaseUrl, async (client) => {
      await client.query('begin; lock table operations in access exclusive mode');
      let isAnswered = false;
      const waiting = waitForOperation(context, id, false).finally(() => {
        isAnswered = true;
      });
      const looks = async () => (await context.pool.query(LOOKS)).rows.map(({ pid, since }) => `${pid} ${since}`);
      await expect.poll(async () => (await looks()).length).toBeGreaterThan(0);
      const [first] = await looks();
      await expect.poll(async () => isAnswered || !(await looks()).includes(String(first))).toBe(true);
      await client.query('commit');
      await letGo();
      // With the outcome, or with none once the 10 seconds are over.
      await waiting;
    });
    await expect.poll(() => stateOf(id)).toBe('succeeded');
  });

  it('is not woken by a worker that finds the operation running elsewhere [DECISIONS §8]', async () => {
    const { context } = test;
    const letGo = await hold('HELD1');
    const id = await rename('HELD1');
    await expect.poll(() => stateOf(id)).toBe('running');
    let wasTold = false;
    context.queue.ended.on(id, () => {
      wasTold = true;
    });
    await context.platform
      .transaction()
      .execute((trx) => context.queue.send(trx, [{ id, kind: 'rename', actorId: null }]));
    context.queue.wake();
    const countDone = async () => {
      const { rows } = await sql`
        select from pgboss.job where state = 'completed' and data ->> 'operationId' = ${id}`.execute(context.platform);
      return rows.length;
    };
    await expect.poll(countDone).toBe(1);
    expect(await stateOf(id)).toBe('running');
    expect(wasTold).toBe(false);
    await letGo();
    await expect.poll(() => wasTold).toBe(true);
  });
});

it('a look for interrupted operations that waits keeps further ones from piling up, and a stop waits for it only [DECISIONS §8]', async () => {
  let looks = 0;
  const queue = Object.assign(Object.create(test.context.queue), {
    work: async () => {},
    stop: async () => {},
    wake: () => {
      looks += 1;
    },
  });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const engine = makeEngine({ ...test.context, queue }, (error) => test.background.push(error));
    await withClient(test.databaseUrl, async (client) => {
      await client.query('begin; lock table operations in access exclusive mode');
      await engine.start();
      vi.advanceTimersByTime(20_000);
    });
    await engine.stop();
  } finally {
    vi.useRealTimers();
  }
  expect(looks).toBe(1);
});

it('a server process that PostgreSQL leaves as it begins to take operations takes them later [DECISIONS §8]', async () => {
  const proxy = await openTcpProxy(test.databaseUrl);
  const pool = new pg.Pool({ connectionString: proxy.url });
  pool.on('error', () => {});
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const engine = makeEngine({ ...test.context, queue: openQueue(pool, onError) }, onError);
  proxy.set('reset');
  await engine.start();
  expect(errors).not.toEqual([]);
  expect(engine.isWorking()).toBe(false);
  proxy.set('pass');
  await expect.poll(() => engine.isWorking()).toBe(true);
  await engine.stop();
  await pool.end();
  await proxy.close();
});
