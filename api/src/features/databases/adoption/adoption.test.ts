import { randomUUID } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  type AdoptionPlan,
  type AdoptionReport,
  adoptionPlan,
  adoptionReport,
  adoptionRoutes,
} from '@apotheca/contract/adoptions';
import { anonymizedCloneRoutes } from '@apotheca/contract/anonymized-clones';
import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { BASE_PATHS } from '@apotheca/contract/route';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVER_ACTOR } from '../../../actor.ts';
import { useTestApp } from '../../../testing/app.ts';
import { aheadByYear } from '../../../testing/clock-ahead.ts';
import { withClient } from '../../../testing/databases.ts';
import {
  dropPractice,
  dumpForeign,
  FOREIGN_SHAPES,
  type ForeignArchive,
  type ForeignShape,
  makeForeignArchive,
  readRows,
  withForeignDatabase,
} from '../../../testing/foreign-databases.ts';
import { claimDatabase, freeDatabase } from '../../../testing/operations.ts';
import { stopSteadyClock } from '../../../testing/steady-clock.ts';
import { connectionStringOf, getDatabaseByName } from '../databases.service.ts';
import { countRejectedRows } from '../tenant-database/counts.repository.ts';
import { inspectUpload, removeOldSources } from './adoption.service.ts';
import { listRejectedRows } from './rejected-rows.repository.ts';

const test = useTestApp();
const HOUR = 3_600_000;
let authorization = '';

afterAll(dropPractice);
beforeAll(async () => {
  authorization = `Bearer ${(await test.signIn()).result.accessToken}`;
});

const URL_OF_UPLOAD = `${BASE_PATHS.api}${adoptionRoutes.inspectArchive.path}`;

async function inspect(payload: Buffer | string, query = '') {
  const headers = { authorization, 'content-type': 'application/octet-stream' };
  return (await test.app.inject({ method: 'POST', url: URL_OF_UPLOAD + query, headers, payload })).json();
}

const adopt = (plan: AdoptionPlan, databaseName: string, tables: unknown[] = []) =>
  test.call(adoptionRoutes.adopt, { body: { id: plan.id, databaseName, tables, plan: plan.digest } });

async function download(databaseName: string) {
  const url = `${BASE_PATHS.api}${adoptionRoutes.downloadRejected.path}?databaseName=${encodeURIComponent(databaseName)}`;
  return test.app.inject({ method: 'GET', url, headers: { authorization } });
}

async function inDatabase<T>(name: string, work: Parameters<typeof test.context.tenants.with<T>>[1]): Promise<T> {
  return test.context.tenants.with(await getDatabaseByName(test.context, name), work);
}

/** The ids of rejected rows, by the table that they would have gone to; of a row without one null. */
const rejectedIds = (name: string) =>
  inDatabase(name, async (client) => {
    const rows = (await countRejectedRows(client)) > 0 ? await listRejectedRows(client, '0', 1_000) : [];
    return Map.groupBy(
      rows.map(({ table, row }) => ({ table, id: JSON.parse(row).id as string | null })),
      ({ table }) => table,
    );
  });

/** Every row of the source is in the table that it belongs to, or among the rejected ones; or its table is named with its rows. */
async function expectNothingLost({ rows }: ForeignArchive, name: string, { tables, extra }: AdoptionReport) {
  const there = await inDatabase(name, readRows);
  const rejected = await rejectedIds(name);
  const bySource = new Map(tables.map((table) => [table.source, table]));
  const behind = new Map(extra.map((table) => [table.name, table.rows]));
  expect([...bySource.keys(), ...behind.keys()].sort()).toEqual(Object.keys(rows).sort());
  for (const [source, ids] of Object.entries(rows)) {
    const report = bySource.get(source);
    if (!report) {
      expect(behind.get(source), source).toBe(ids.length);
      continue;
    }
    const refused = (rejected.get(report.table) ?? []).map(({ id }) => id);
    const loaded = there[report.table] ?? [];
    expect([...loaded, ...refused].sort(), source).toEqual(ids.sort());
    expect(report, source).toMatchObject({ read: ids.length, loaded: loaded.length, rejected: refused.length });
  }
}

describe('adopting', () => {
  it.each(FOREIGN_SHAPES)('$title: every row is there or in the report [§2.13]', async (shape) => {
    const foreign = await makeForeignArchive(shape);
    const plan = adoptionPlan.parse((await inspect(foreign.archive)).result);
    const name = `ADOPTED ${FOREIGN_SHAPES.indexOf(shape)}`;
    const { status, message, result } = await adopt(plan, name);
    expect({ status, message }).toEqual({
      status: 200,
      message: expect.stringMatching(/^Success! .* has been adopted/),
    });
    expect(adoptionReport.parse(result)).toEqual(result);
    await expectNothingLost(foreign, name, result);
    expect(result.hasLargeObjects).toBe(shape === MORE);
    const { states, reasons = [], leftOut = [], extra = [], names } = shape.expected;
    expect(summaryOf(plan, result)).toEqual({ states, leftOut, extra });
    const said = await reasonsOf(name);
    expect(reasons.filter((reason) => !said.some((line) => line.startsWith(reason)))).toEqual([]);
    // What refers to a rejected row is rejected too, and nothing else.
    const others = said.filter((line) => !reasons.some((reason) => line.startsWith(reason)));
    expect(others.filter((line) => reasons.length === 0 || !/^\w+ reference: /.test(line))).toEqual([]);
    if (names) expect(await namesOf(name)).toEqual(names);
    expect(test.background).toEqual([]);
  });
});

/** What plan and report say, in few words. */
const summaryOf = (plan: AdoptionPlan, { tables, extra }: AdoptionReport) => ({
  states: Object.fromEntries(
    [...Map.groupBy(plan.tables, ({ state }) => state)].map(([state, list]) => [state, list.length]),
  ),
  leftOut: tables.flatMap(({ table, leftOut }) => leftOut.map(({ column, values }) => `${table}.${column}: ${values}`)),
  extra: extra.map(({ name, rows }) => `${name}: ${rows}`),
});

/** What is said of the rejected rows of a database. */
const reasonsOf = (name: string): Promise<string[]> =>
  inDatabase(name, async (client) => {
    if ((await countRejectedRows(client)) === 0) return [];
    const rows = await listRejectedRows(client, '0', 1_000);
    return rows.map(
      ({ table, kind, column, reason }) => `${[table, kind, column].filter(Boolean).join(' ')}: ${reason}`,
    );
  });

const namesOf = (name: string): Promise<string[]> =>
  inDatabase(name, async (client) => {
    const { rows } = await client.query<{ name: string }>('select name from public.locations');
    return rows.map((row) => row.name).sort();
  });

const [, MORE, , RENAMED, LATIN1, BAD_BYTES] = FOREIGN_SHAPES as ForeignShape[] as [
  ForeignShape,
  ForeignShape,
  ForeignShape,
  ForeignShape,
  ForeignShape,
  ForeignShape,
];
const stateOf = (plan: AdoptionPlan, table: string) => plan.tables.find((each) => each.table === table);

describe('the plan', () => {
  it('says what fits, is mapped, is missing and stays behind, and takes other choices [§2.13]', async () => {
    const { archive } = await makeForeignArchive(RENAMED);
    const plan: AdoptionPlan = (await inspect(archive)).result;
    const nameOf = (id: string | null | undefined) => plan.sourceTables.find((table) => table.id === id)?.name;
    expect(stateOf(plan, 'units')).toMatchObject({ state: 'fits', leftOut: [] });
    expect(stateOf(plan, 'locations')?.state).toBe('mapped');
    expect(nameOf(stateOf(plan, 'locations')?.source)).toBe('clinic.Location');
    expect(stateOf(plan, 'patients')?.columns).toContainEqual({
      name: 'medical_record_number',
      source: 'MEDICAL-RECORD-NUMBER',
      isRequired: true,
    });
    const tables = [
      { table: 'units', source: null },
      { table: 'patients', source: stateOf(plan, 'patients')?.source, columns: { notes: 'allergies', phone: null } },
    ];
    const { result } = await test.call(adoptionRoutes.plan, { body: { id: plan.id, tables } });
    expect(stateOf(result, 'units')).toMatchObject({ state: 'missing', source: null });
    expect(stateOf(result, 'patients')?.columns).toContainEqual({
      name: 'notes',
      source: 'allergies',
      isRequired: false,
    });
    expect(stateOf(result, 'patients')?.leftOut).toEqual(['phone', 'notes']);
    expect(result.extra.map(nameOf)).toEqual(['units']);
    expect(result.digest).not.toBe(plan.digest);
    // The digest of one plan does not confirm another.
    expect(
      await test.call(adoptionRoutes.adopt, {
        body: { id: plan.id, databaseName: 'OTHER', tables, plan: plan.digest },
      }),
    ).toMatchObject({ status: 409, title: 'Plan changed', result: { digest: result.digest } });
    expect(await adopt(result, 'CHOSEN', tables)).toMatchObject({
      status: 200,
      result: { rejected: expect.any(Number) },
    });
  });

  it('refuses choices of what is not there [§2.13]', async () => {
    const { archive } = await makeForeignArchive(LATIN1);
    const plan: AdoptionPlan = (await inspect(archive)).result;
    const { source } = stateOf(plan, 'locations') ?? {};
    const refusals = [
      [[{ table: 'locations', source: '0' }], 'The source has no table 0.'],
      [
        [
          { table: 'locations', source },
          { table: 'items', source },
        ],
        'locations is chosen for two tables.',
      ],
      [[{ table: 'locations', source, columns: { nothing: 'id' } }], 'locations has no column nothing.'],
      [[{ table: 'locations', source, columns: { name: 'nothing' } }], 'locations has no column nothing.'],
    ];
    for (const [tables, message] of refusals) {
      expect(await test.call(adoptionRoutes.plan, { body: { id: plan.id, tables } })).toMatchObject({
        status: 400,
        errors: { tables: [message] },
      });
    }
    expect(
      await test.call(adoptionRoutes.plan, { body: { id: plan.id, tables: [{ table: 'x', source: null }] } }),
    ).toMatchObject({
      status: 400,
    });
    expect(await adopt(plan, 'POSTGRES')).toMatchObject({ status: 409, title: 'Reserved name' });
    expect(await adopt({ ...plan, id: randomUUID() }, 'NONE')).toMatchObject({ status: 404 });
  });
});

describe('an inspected archive', () => {
  it('is refused where it is damaged or its rows cannot be read, and then nothing is kept [§2.13]', async () => {
    const before = await kept();
    const { archive } = await makeForeignArchive(MORE);
    expect(await inspect('')).toMatchObject({ status: 400, message: 'The file is empty.' });
    expect(await inspect('create table notes (text text);\n'.repeat(500))).toMatchObject({
      status: 400,
      title: 'Damaged archive',
    });
    expect(await inspect(archive.subarray(0, archive.length - 20))).toMatchObject({
      status: 400,
      title: 'Damaged archive',
    });
    expect(await inspect(archive, `?sha256=${'0'.repeat(64)}`)).toMatchObject({ status: 400 });
    const inserts = await withForeignDatabase(MORE, (url) => dumpForeign(url, ['--inserts']));
    expect(await inspect(inserts)).toMatchObject({ status: 409, message: expect.stringMatching(/without --inserts/) });
    expect(await kept()).toEqual(before);
  });

  it('is kept until it was adopted, at most a day [§2.13]', async () => {
    const { archive } = await makeForeignArchive(LATIN1);
    const before = await kept();
    const plan: AdoptionPlan = (await inspect(archive)).result;
    await removeOldSources(test.context);
    expect(await kept()).toEqual([...before, `${plan.id}.dump`].sort());
    expect(await adopt(plan, 'KEPT')).toMatchObject({ status: 200 });
    // The file goes once the adoption has ended.
    await expect.poll(kept).toEqual(before);
    expect(await adopt(plan, 'AGAIN')).toMatchObject({
      status: 404,
      message: expect.stringMatching(/inspect it again/),
    });
    const late: AdoptionPlan = (await inspect(archive)).result;
    const pass = stopSteadyClock();
    await removeOldSources(later(25 * HOUR));
    expect(await test.call(adoptionRoutes.plan, { body: { id: late.id } })).toMatchObject({ status: 404 });
    // The file goes once this process has seen for an hour that nobody writes it.
    pass(HOUR);
    await removeOldSources(test.context);
    expect(await kept()).toContain(`${late.id}.dump`);
    pass(1);
    await removeOldSources(test.context);
    expect(await kept()).toEqual(before);
  });

  it('stays for a day where the clock of this process is ahead, and no longer than it once that was put right [§2.13] [DECISIONS §13]', async () => {
    const { archive } = await makeForeignArchive(LATIN1);
    const ahead = { ...test.context, ...aheadByYear(test.context.platform) };
    const sent = () => ({ content: Readable.from([archive]), sha256: '', recheckPermission: async () => {} });
    const planOf = (id: string) => test.call(adoptionRoutes.plan, { body: { id } });
    const right = { ...test.context, now: () => new Date(), trustedNow: async () => new Date() };
    const fresh = [await inspectUpload(right, SERVER_ACTOR, sent()), await inspectUpload(ahead, SERVER_ACTOR, sent())];
    await removeOldSources(ahead);
    for (const { id } of fresh) expect(await planOf(id)).toMatchObject({ status: 200 });
    // A process that has just begun trusts no clock yet.
    const { id } = await inspectUpload({ ...ahead, trustedNow: async () => undefined }, SERVER_ACTOR, sent());
    const pass = stopSteadyClock();
    await removeOldSources({ ...ahead, trustedNow: async () => undefined });
    expect(await planOf(id)).toMatchObject({ status: 200 });
    await removeOldSources(ahead);
    expect(await planOf(id)).toMatchObject({ status: 404 });
    const left = fresh.map((plan) => `${plan.id}.dump`);
    expect(await kept()).toEqual(expect.arrayContaining([...left, `${id}.dump`]));
    pass(HOUR + 1);
    await removeOldSources(right);
    expect(await kept()).toEqual(expect.arrayContaining(left));
    expect(await kept()).not.toContain(`${id}.dump`);
  });

  it('stays for a day where the clock of a process is days behind [§2.13] [DECISIONS §13]', async () => {
    const { archive } = await makeForeignArchive(LATIN1);
    const at = (elapsed: number) => {
      const moment = new Date(Date.now() + elapsed);
      return { ...test.context, now: () => moment, trustedNow: async () => moment };
    };
    const sent = { content: Readable.from([archive]), sha256: '', recheckPermission: async () => {} };
    const { id } = await inspectUpload(at(0), SERVER_ACTOR, sent);
    await removeOldSources(at(-5 * 24 * HOUR));
    expect(await test.call(adoptionRoutes.plan, { body: { id } })).toMatchObject({ status: 200 });
  });

  it.each([
    ['ahead', 2],
    ['behind', -2],
  ])(
    'stays while it is being received by a process whose clock is %s, and goes an hour after that has ended [§2.13] [DECISIONS §13]',
    async (_, hours) => {
      const draft = `${randomUUID()}.part`;
      await mkdir(pathOf(''), { recursive: true });
      await writeFile(pathOf(draft), '');
      const pass = stopSteadyClock();
      await touch(draft, hours * HOUR);
      await removeOldSources(test.context);
      pass(0.5 * HOUR);
      await touch(draft, (hours + 0.5) * HOUR);
      await removeOldSources(later(0.5 * HOUR));
      pass(0.9 * HOUR);
      await removeOldSources(later(1.4 * HOUR));
      expect(await kept()).toContain(draft);
      pass(0.2 * HOUR);
      await removeOldSources(later(1.6 * HOUR));
      expect(await kept()).not.toContain(draft);
    },
  );

  const later = (elapsed: number) => {
    const at = new Date(test.clock.now.getTime() + elapsed);
    return { ...test.context, now: () => at, trustedNow: async () => at };
  };
  const pathOf = (name: string) => join(test.context.backupDir, 'adoptions', name);
  const touch = (name: string, elapsed: number) => {
    const at = later(elapsed).now();
    return utimes(pathOf(name), at, at);
  };

  const kept = async () => (await readdir(join(test.context.backupDir, 'adoptions')).catch(() => [])).sort();
});

describe('rejected rows', () => {
  it('can be downloaded, are audited, and are in no backup, clone anonymized or reach of the tenant [§2.13]', async () => {
    const { archive } = await makeForeignArchive(BAD_BYTES);
    expect(await adopt((await inspect(archive)).result, 'BAD BYTES')).toMatchObject({
      result: { rows: 3, rejected: 2 },
    });
    const { body, headers } = await download('BAD BYTES');
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(body.split('\r\n')).toEqual([
      '\ufefftable,source,line,kind,column,reason,row',
      `locations,locations,4,encoding,name,Its bytes are no text in the encoding of the source,${'"{ ""id"" : ""4"", ""code"" : ""BAD"", ""name"" : ""K\\\\xf6ln"", ""kind"" : ""clinic"" }"'}`,
      `locations,locations,5,encoding,name,Its bytes are no text in the encoding of the source,${'"{ ""id"" : ""5"", ""code"" : ""CUT"", ""name"" : ""K\\\\xc3"", ""kind"" : ""room"" }"'}`,
      '',
    ]);
    const { rows: entries } = await test.context.pool.query(
      "select action, changes from audit_entries where action ~ '^databases.(adopt|inspect|rejected)' order by id desc limit 3",
    );
    expect(entries.map(({ action }) => action)).toEqual([
      'databases.rejected-rows-download',
      'databases.adopt',
      'databases.inspect',
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/xf6|BAD"/);
    const row = await getDatabaseByName(test.context, 'BAD BYTES');
    await withClient(await connectionStringOf(test.context, row), async (client) => {
      await expect(client.query('select * from apotheca_adopted.rejected_rows')).rejects.toThrow(/permission denied/);
    });
    const backup = await test.call(backupRoutes.create, { query: { databaseName: 'BAD BYTES' } });
    const restored = await test.call(backupRoutes.restore, {
      query: { id: backup.result.id, databaseName: 'RESTORED' },
    });
    expect(restored).toMatchObject({ status: 200, result: { rows: 3, leftOut: [] } });
    const query = { copyFrom: 'BAD BYTES', databaseName: 'ANONYMIZED' };
    expect(await test.call(anonymizedCloneRoutes.cloneAnonymized, { query })).toMatchObject({ status: 200 });
    for (const name of ['RESTORED', 'ANONYMIZED']) expect((await download(name)).statusCode).toBe(404);
    expect((await download('NOWHERE')).statusCode).toBe(404);
    const adopted = { databaseName: 'BAD BYTES' };
    expect(await test.call(databaseRoutes.details, { query: adopted })).toMatchObject({ result: { rejectedRows: 2 } });
    expect(await test.call(adoptionRoutes.deleteRejected, { query: adopted })).toMatchObject({
      status: 200,
      result: { databaseName: 'BAD BYTES', rows: 2 },
    });
    expect(await test.call(databaseRoutes.details, { query: adopted })).toMatchObject({ result: { rejectedRows: 0 } });
    expect(await test.call(adoptionRoutes.deleteRejected, { query: adopted })).toMatchObject({ status: 404 });
    const viewer = await test.signInAs('Viewer');
    for (const route of Object.values(adoptionRoutes)) {
      expect(await test.call(route, { token: viewer.token, query: { databaseName: 'X' }, body: {} })).toMatchObject({
        status: 403,
      });
    }
  });

  it('stay while an operation has the database, as its copy would keep them [§2.13]', async () => {
    const { archive } = await makeForeignArchive(BAD_BYTES);
    await adopt((await inspect(archive)).result, 'CLAIMED');
    const row = await getDatabaseByName(test.context, 'CLAIMED');
    await claimDatabase(test.context.pool, row);
    const query = { databaseName: 'CLAIMED' };
    expect(await test.call(adoptionRoutes.deleteRejected, { query })).toMatchObject({
      status: 409,
      message: 'CLAIMED is being cloned (started by ada). Please try again when that has ended.',
    });
    expect(await test.call(databaseRoutes.details, { query })).toMatchObject({ result: { rejectedRows: 2 } });
    await freeDatabase(test.context.pool, row);
    expect(await test.call(adoptionRoutes.deleteRejected, { query })).toMatchObject({ status: 200 });
  });

  /** Reads them in a transaction, whose pauses may be long on a busy machine. */
  const READING =
    'begin; set local idle_in_transaction_session_timeout = 0; select from apotheca_adopted.rejected_rows';

  it('hold up nobody else whose call is audited while their deletion waits in their database [DECISIONS §12]', async () => {
    const { archive } = await makeForeignArchive(BAD_BYTES);
    await adopt((await inspect(archive)).result, 'HELD');
    const { id, physicalName } = await getDatabaseByName(test.context, 'HELD');
    const query = { databaseName: 'HELD' };
    const round = () =>
      inDatabase('HELD', async (client) => {
        await client.query(READING);
        let hasEnded = false;
        const deleting = test.call(adoptionRoutes.deleteRejected, { query }).finally(() => {
          hasEnded = true;
        });
        await expect.poll(async () => hasEnded || (await countWaiting(physicalName)) === 1).toBe(true);
        expect(await test.signIn()).toMatchObject({ status: 200 });
        await client.query('commit');
        return deleting;
      });
    let deleted = await round();
    // On a busy machine the deletion may wait longer than it is let: it is refused, and leaves the rows and no entry.
    while (deleted.title === 'Busy') deleted = await round();
    expect(deleted).toMatchObject({ status: 200, result: { rows: 2 } });
    expect(await test.call(databaseRoutes.details, { query })).toMatchObject({ result: { rejectedRows: 0 } });
    expect(await deletionsOf(id)).toEqual([{ changes: { name: 'HELD', rows: 2 } }]);
  });

  it('stay where somebody reads them for long, which is told in time [§2.13]', async () => {
    const { archive } = await makeForeignArchive(BAD_BYTES);
    await adopt((await inspect(archive)).result, 'READ');
    const { id } = await getDatabaseByName(test.context, 'READ');
    const query = { databaseName: 'READ' };
    await inDatabase('READ', async (client) => {
      await client.query(READING);
      expect(await test.call(adoptionRoutes.deleteRejected, { query })).toMatchObject({
        status: 409,
        message: 'Another session holds a table of the database. Please try again when it has ended.',
      });
      await client.query('commit');
    });
    expect(await test.call(databaseRoutes.details, { query })).toMatchObject({ result: { rejectedRows: 2 } });
    expect(await deletionsOf(id)).toEqual([]);
    expect(await test.call(adoptionRoutes.deleteRejected, { query })).toMatchObject({ status: 200 });
  });

  it('stay where the audit trail cannot be written [DECISIONS §12]', async () => {
    const { archive } = await makeForeignArchive(BAD_BYTES);
    await adopt((await inspect(archive)).result, 'UNTOLD');
    const { id } = await getDatabaseByName(test.context, 'UNTOLD');
    const query = { databaseName: 'UNTOLD' };
    await withClient(test.databaseUrl, async (client) => {
      await client.query(`
        create function refuse_entry() returns trigger language plpgsql as $$ begin raise 'no entry'; end $$;
        create trigger refuse_entry before insert on audit_entries for each row
        when (new.action = 'databases.rejected-rows-delete') execute function refuse_entry()`);
      expect(await test.call(adoptionRoutes.deleteRejected, { query })).toMatchObject({ status: 500 });
      await client.query('drop function refuse_entry cascade');
    });
    expect(await test.call(databaseRoutes.details, { query })).toMatchObject({ result: { rejectedRows: 2 } });
    expect(await test.call(adoptionRoutes.deleteRejected, { query })).toMatchObject({ status: 200 });
    expect(await deletionsOf(id)).toHaveLength(1);
  });

  const countWaiting = async (physicalName: string) => {
    const text = "select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'";
    return (await test.context.pool.query(text, [physicalName])).rowCount;
  };
  const deletionsOf = async (id: string) => {
    const text = "select changes from audit_entries where action = 'databases.rejected-rows-delete' and entity_id = $1";
    return (await test.context.pool.query(text, [id])).rows;
  };

  it('of no adoption are there where all rows were loaded [§2.13]', async () => {
    const { archive } = await makeForeignArchive(LATIN1);
    expect(await adopt((await inspect(archive)).result, 'WHOLE')).toMatchObject({ result: { rejected: 0 } });
    expect((await download('WHOLE')).json()).toMatchObject({ message: 'WHOLE has no rejected rows.' });
    // The next row gets the next id.
    const next = await inDatabase('WHOLE', async (client) => {
      const { rows } = await client.query(
        `insert into public.locations (code, name, kind) values ('NEW', 'New', 'room')
         returning id, (select max(id) from public.locations) as highest`,
      );
      return rows[0];
    });
    expect(BigInt(next.id)).toBe(BigInt(next.highest) + 1n);
    expect(await test.call(databaseRoutes.details, { query: { databaseName: 'WHOLE' } })).toMatchObject({
      status: 200,
    });
  });
});
