import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import {
  FINDINGS_SHOWN,
  type Finding,
  type FindingKind,
  type FindingRecord,
  findingRoutes,
} from '@apotheca/contract/findings';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { insertAccount } from '../../testing/accounts.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';

// No disk of a test machine can be filled.
vi.mock(import('node:fs/promises'), async (original) => {
  const actual = await original();
  return { ...actual, statfs: vi.fn(actual.statfs) as unknown as typeof actual.statfs };
});

const test = useTestApp();
const DAY_MS = 86_400_000;

let token = '';
const today = (days = 0) => new Date(test.context.now().getTime() + days * DAY_MS).toISOString().slice(0, 10);
const query = (text: string, values: unknown[] = []) => test.context.pool.query(text, values);
const kinds = async (): Promise<Finding[]> => (await test.call(findingRoutes.list, { token })).result;
const finding = async (kind: FindingKind) => (await kinds()).find((one) => one.kind === kind);
const records = async (kind: FindingKind): Promise<FindingRecord[]> =>
  (await test.call(findingRoutes.records, { query: { kind }, token })).result;
const names = async (kind: FindingKind) => (await records(kind)).map(({ name }) => name);
const snooze = (body: object) => test.call(findingRoutes.snooze, { body, token });

beforeAll(async () => {
  token = (await test.signIn()).result.accessToken;
  for (const code of ['ALDER', 'BIRCH', 'CEDAR'])
    await test.call(tenantRoutes.create, { body: tenantInput(code), token });
});

const DATABASE = "(select id from databases where name = 'ALDER')";
const backup = (proof: string, age = '0 days') => `
  insert into backups (id, database_id, database_name, origin, state, created_at, proof)
  select gen_random_uuid(), id, name, 'made', 'ready', $1::timestamptz - interval '${age}', ${proof} from databases where name = 'ALDER'`;
/** Nobody works on what is planted as running: the engine would take it for abandoned after 3 s. A longer pause than 64 s counts as set by a clock that was ahead. */
const RESUMED = "now() + interval '60 seconds'";
const operation = (state: string) => `
  insert into operations (id, kind, database_id, database_name, input, actor_name, address, state, steps, step, percent, cancellable,
    cancel_requested, attempts, size_bytes, message, created_at, resume_at, finished_at)
  select gen_random_uuid(), 'restore', id, name, '{}', 'admin', 'server', '${state}', array['Restore'], 0, 0, false,
    false, 1, 0, 'The archive is damaged.', $1::timestamptz, ${state === 'running' ? RESUMED : 'null'},
    ${state === 'failed' ? '$1::timestamptz' : 'null'} from databases where name = 'ALDER'`;
const endIn = (days: number, term = 400) => `
  update tenants set subscription_end_date = $1::date + ${days}, subscription_start_date = $1::date + ${days} - ${term} where code = 'ALDER'`;

const plantClone = (name: string, state: string, age: string) => `
  insert into operations (id, kind, database_id, database_name, input, actor_name, address, state, steps, size_bytes, created_at, finished_at)
  select id, 'clone', id, '${name}', '{"copyFrom":"${name}"}', 'admin', 'server', '${state}', '{Copy}', 0, $1::timestamptz - interval '${age}', $1
  from (select gen_random_uuid() as id) made`;

it('an operation that makes its database, or works on many, is told of until the same one is repeated [§2.5]', async () => {
  const now = [test.context.now()];
  for (const name of ['ONE', 'TWO']) await query(plantClone(name, 'failed', '2 minutes'), now);
  await query(plantClone('ONE', 'succeeded', '1 minute'), now);
  expect(await names('failed-operation')).toEqual(['TWO']);
  await query('delete from operations');
});

it('an operation of a clock that was ahead came before those that are started now [§2.5] [DECISIONS §13]', async () => {
  const now = test.context.now();
  const restore = (state: string, at: Date) => query(operation(state), [at]);
  const ahead = new Date(now.getTime() + 365 * DAY_MS);
  await restore('failed', ahead);
  await query(plantClone('ONE', 'failed', '-1 year'), [now]);
  expect(await names('failed-operation')).toEqual(['ONE', 'ALDER']);
  await restore('succeeded', now);
  await query(plantClone('ONE', 'succeeded', '1 minute'), [now]);
  expect(await names('failed-operation')).toEqual([]);
  await query('delete from operations');
  await restore('succeeded', ahead);
  await restore('failed', now);
  expect(await names('failed-operation')).toEqual(['ALDER']);
  await query('delete from operations');
});

describe('what is planted', () => {
  const mendEnd = endIn(300);
  const mendOperation = 'delete from operations where $1::timestamptz is not null';
  it.each<[FindingKind, string, string]>([
    ['expired', endIn(-1), mendEnd],
    ['ends-in-week', endIn(7), mendEnd],
    ['ends-in-month', endIn(30), mendEnd],
    ['ends-in-quarter', endIn(90), mendEnd],
    ['failed-operation', operation('failed'), mendOperation],
    ['running-operation', operation('running'), mendOperation],
    [
      'unrestorable-backup',
      backup(`'{"result":"failed","tables":["patients"]}'`),
      'delete from backups where $1::timestamptz is not null',
    ],
    ['unproved-backup', backup('null', '2 days'), 'delete from backups where $1::timestamptz is not null'],
    [
      'late-backup',
      `insert into backup_schedule_runs (database_id, rule, due_at, is_late) values (${DATABASE}, 'daily', $1::timestamptz, true)
       on conflict (database_id) do update set is_late = true`,
      'update backup_schedule_runs set is_late = false where $1::timestamptz is not null',
    ],
    [
      'old-schema',
      `update databases set schema_version = schema_version - 1 where name = 'ALDER' and $1::timestamptz is not null`,
      `update databases set schema_version = schema_version + 1 where name = 'ALDER' and $1::timestamptz is not null`,
    ],
    [
      'no-owner',
      `update databases set tenant_id = null where name = 'ALDER' and $1::timestamptz is not null`,
      `update databases set tenant_id = (select id from tenants where code = 'ALDER') where name = 'ALDER' and $1::timestamptz is not null`,
    ],
  ])(
    'is found as %s, with its record, and is gone once it is mended [§2.5] [DECISIONS §13]',
    async (kind, plant, mend) => {
      expect(await names(kind)).not.toContain('ALDER');
      await query(plant, [test.context.now()]);
      expect(await names(kind)).toEqual(['ALDER']);
      expect(await finding(kind)).toMatchObject({ count: 1, snoozed: 0, first: [{ name: 'ALDER' }] });
      await query(mend, [test.context.now()]);
      expect(await finding(kind)).toBeUndefined();
    },
  );
});

it('a backup of a clock that was ahead hides no newer one that cannot be restored, and is a backup all the same [DECISIONS §13]', async () => {
  const plant = (proof: string, age: string) => query(backup(proof, age), [test.context.now()]);
  await plant(`'{"result":"proved"}'`, '-1 year');
  expect(await names('no-backup')).toEqual(['BIRCH', 'CEDAR']);
  await plant(`'{"result":"failed","tables":[]}'`, '1 minute');
  expect(await names('unrestorable-backup')).toEqual(['ALDER']);
  await query('delete from backups');
});

it('databases without a backup, and those whose last one has no copy, are found [§2.5] [DECISIONS §13]', async () => {
  expect(await names('no-backup')).toEqual(['ALDER', 'BIRCH', 'CEDAR']);
  const { rows } = await query(`${backup('null')} returning id`, [test.context.now()]);
  expect(await names('no-backup')).toEqual(['BIRCH', 'CEDAR']);
  await query(
    `insert into backup_copies (backup_id, store, state, is_encrypted, size_bytes, sha256, attempts, last_error, due_at)
     values ($1, 'offsite', 'failed', false, 0, '', 3, 'the bucket is gone', now())`,
    [rows[0].id],
  );
  const found = [{ name: 'ALDER', tenantCode: 'ALDER', detail: 'offsite: the bucket is gone' }];
  expect(await records('copy-failed')).toMatchObject(found);
  await query("update backup_copies set state = 'copying', attempts = 1");
  expect(await records('copy-failed')).toMatchObject(found);
});

it('a deactivated tenant needs nobody, nor does a term that has just begun [§2.5]', async () => {
  await query(endIn(-1), [test.context.now()]);
  await query("update tenants set is_active = false where code = 'ALDER'");
  expect(await finding('expired')).toBeUndefined();
  await query("update tenants set is_active = true where code = 'ALDER'");
  await query(endIn(30, 30), [test.context.now()]);
  expect(await finding('ends-in-month')).toBeUndefined();
  // The end that was put off is the one that counts.
  await query(endIn(-1), [test.context.now()]);
  await query("update tenants set postponed_to = $1 where code = 'ALDER'", [today(5)]);
  expect(await names('expired')).toEqual([]);
  expect(await names('ends-in-week')).toEqual(['ALDER']);
});

it('a webhook that was switched off is found with its reason, and gone once it is on again [§2.5] [DECISIONS §13]', async () => {
  await query(
    `insert into webhooks (name, kind, sealed, event_types, is_active, inactive_reason, entry_cursor, created_at, updated_at)
     values ('Pager', 'standard', '', '{tenant.created}', false, 'It failed for three days.', 0, now(), now())`,
  );
  expect(await records('inactive-webhook')).toMatchObject([{ name: 'Pager', detail: 'It failed for three days.' }]);
  expect(await finding('inactive-webhook')).toMatchObject({ count: 1, first: [{ name: 'Pager' }] });
  await query("update webhooks set is_active = true, inactive_reason = ''");
  expect(await finding('inactive-webhook')).toBeUndefined();
});

it('a disk that is nearly full is found with what is free, and gone once there is room [§2.5] [DECISIONS §13]', async () => {
  const disk = (free: number) =>
    vi.mocked(statfs).mockResolvedValue({ bavail: free, blocks: 1000, bsize: 1e9 } as StatsFs);
  disk(99);
  expect(await records('disk-full')).toMatchObject([
    { name: 'Disk of the backups', detail: '99.0 GB of 1000.0 GB are free' },
  ]);
  expect(await finding('disk-full')).toMatchObject({ count: 1 });
  disk(100);
  expect(await finding('disk-full')).toBeUndefined();
});

it('a folder of backups that cannot be looked at is a finding, and hides no other [§2.5] [DECISIONS §13]', async () => {
  vi.mocked(statfs).mockRejectedValue(Object.assign(new Error('stale file handle'), { code: 'ESTALE' }));
  const detail = 'The folder cannot be looked at (ESTALE).';
  expect(await records('disk-full')).toMatchObject([{ name: 'Disk of the backups', detail }]);
  expect((await kinds()).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['disk-full', 'no-backup']));
  vi.mocked(statfs).mockResolvedValue({ bavail: 100, blocks: 1000, bsize: 1e9 } as StatsFs);
  expect(await finding('disk-full')).toBeUndefined();
});

it('a folder of backups whose disk is silent is a finding, and holds up neither the others nor /readyz [§2.5] [DECISIONS §13]', async () => {
  const silence = Promise.withResolvers<StatsFs>();
  vi.mocked(statfs).mockClear().mockReturnValue(silence.promise);
  const detail = 'The folder cannot be looked at (ETIMEDOUT).';
  const [found, readiness] = await Promise.all([records('disk-full'), test.app.inject('/readyz')]);
  expect(found).toMatchObject([{ name: 'Disk of the backups', detail }]);
  expect(readiness.statusCode).toBe(200);
  expect((await kinds()).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['disk-full', 'no-backup']));
  expect(statfs).toHaveBeenCalledOnce();
  silence.resolve({ bavail: 100, blocks: 1000, bsize: 1e9 } as StatsFs);
  expect(await finding('disk-full')).toBeUndefined();
});

it('an archive of changes that cannot be written is found with its reason, and gone once it is mended [§2.5] [DECISIONS §13]', async () => {
  const { walArchive, clusterDir } = test.context;
  Object.assign(test.context, {
    clusterDir: tmpdir(),
    walArchive: { folder: tmpdir(), days: 14, pgBackRest: undefined },
  });
  expect(await records('archive-broken')).toMatchObject([
    {
      name: 'Archive of changes',
      detail: expect.stringMatching(/^pgBackRest is not installed, so nothing is archived/),
    },
  ]);
  expect(await finding('archive-broken')).toMatchObject({ count: 1 });
  Object.assign(test.context, { clusterDir, walArchive });
  expect(await finding('archive-broken')).toBeUndefined();
});

it('sign-ins that are refused for now are found, by the names of users and without what was typed as an unknown one [§2.5] [DECISIONS §4]', async () => {
  const { userName } = await insertAccount(test, { role: 'Viewer' });
  for (let guess = 1; guess <= 11; guess += 1) {
    test.clock.advance(40);
    await test.signIn('correct horse', 'wrong horse');
    await test.signIn(userName, 'wrong horse');
    // The first delays are over before anybody could look.
    if (guess < 11) expect(await names('blocked-sign-in')).toEqual([]);
  }
  const began = test.context.now();
  test.clock.advance(60);
  const found = await records('blocked-sign-in');
  // It began with the last guess, and ends later.
  for (const { at } of found) expect(began.getTime() - Date.parse(at ?? '')).toBeLessThan(60_000);
  for (const { at } of found) expect(Date.parse(at ?? '')).toBeLessThanOrEqual(began.getTime());
  expect(found.map(({ name }) => name).toSorted()).toEqual([userName, 'A name that nobody has'].toSorted());
  expect(JSON.stringify([found, await kinds()])).not.toContain('correct horse');
  // It is a record like any other.
  const ids = found.map(({ id }) => id);
  expect(await snooze({ kind: 'blocked-sign-in', ids, until: today(1), reason: 'Known' })).toMatchObject({
    status: 200,
  });
  expect(await finding('blocked-sign-in')).toMatchObject({ count: 0, snoozed: 2 });
  await query('delete from finding_snoozes');
  test.clock.advance(3600);
  token = (await test.signIn()).result.accessToken;
  expect(await names('blocked-sign-in')).toEqual([]);
});

describe('a snooze', () => {
  it('leaves a record out until its day is over, says who and why, and is audited [§2.5] [DECISIONS §13]', async () => {
    await query('delete from backup_copies');
    await query('delete from backups');
    const [first] = await records('no-backup');
    const body = { kind: 'no-backup', ids: [first?.id], until: today(1), reason: 'It moves tomorrow.' };
    expect(await snooze(body)).toMatchObject({ status: 200, result: { snoozed: 1 } });
    expect(await finding('no-backup')).toMatchObject({ count: 2, snoozed: 1 });
    const kept = (await records('no-backup')).find(({ id }) => id === first?.id);
    expect(kept?.snooze).toEqual({ until: today(1), reason: 'It moves tomorrow.', by: 'admin' });
    const { rows } = await query(
      "select changes from audit_entries where action = 'dashboard.snooze' and entity_id = 'no-backup'",
    );
    expect(rows).toHaveLength(1);

    test.clock.advance((2 * DAY_MS) / 1000);
    token = (await test.signIn()).result.accessToken;
    expect(await finding('no-backup')).toMatchObject({ count: 3, snoozed: 0 });
  });

  it('leaves what somebody else has snoozed as it is, and says so [§2.5]', async () => {
    const [first, second] = (await records('no-backup')).map(({ id }) => id);
    const say = async (reason: string, ids: unknown[]) => {
      const { message, result } = await snooze({ kind: 'no-backup', ids, until: today(7), reason });
      return [message, result.snoozed];
    };
    expect(await say('It moves, ticket 4711.', [first])).toEqual(['It is snoozed.', 1]);
    expect(await say('Later', [first, second, second])).toEqual([
      'Snoozed: 1. Snoozed already, and left as they were: 1.',
      1,
    ]);
    expect(await say('Once more', [first])).toEqual(['It was snoozed already: nothing has changed.', 0]);
    expect(await say('Once more', [first, second])).toEqual(['They were snoozed already: nothing has changed.', 0]);
    const reasons = (await records('no-backup')).flatMap(({ snooze: kept }) => kept?.reason ?? []);
    expect(reasons.toSorted()).toEqual(['It moves, ticket 4711.', 'Later']);
    const { rows } = await query(
      "select changes from audit_entries where action = 'dashboard.snooze' and changes ->> 'reason' in ('Later', 'Once more')",
    );
    expect(rows).toEqual([{ changes: { records: second, until: today(7), reason: 'Later' } }]);
    await query('delete from finding_snoozes');
  });

  it('of very many is one short entry of the trail [§2.5] [DECISIONS §12]', async () => {
    const ids = Array.from({ length: 1_000 }, (_, n) => `record-${n}`);
    await snooze({ kind: 'old-schema', ids, until: today(1), reason: 'Planned' });
    const { rows } = await query("select changes from audit_entries where entity_id = 'old-schema'");
    expect(rows).toEqual([
      { changes: { records: ids.slice(0, 100).join(', '), count: 1_000, until: today(1), reason: 'Planned' } },
    ]);
  });

  it('is ended by hand, once [§2.5]', async () => {
    const [first] = await records('no-backup');
    await snooze({ kind: 'no-backup', ids: [first?.id], until: today(3), reason: 'Later' });
    const wake = () => test.call(findingRoutes.wake, { query: { kind: 'no-backup', id: first?.id ?? '' }, token });
    expect((await wake()).status).toBe(200);
    expect(await finding('no-backup')).toMatchObject({ count: 3, snoozed: 0 });
    expect((await wake()).status).toBe(404);
  });

  it.each([
    ['until', { until: '2001-01-01' }],
    ['until', { until: '9999-01-01' }],
    ['until', { until: 'soon' }],
    ['reason', { reason: ' ' }],
    ['reason', { reason: 'x'.repeat(201) }],
    ['ids', { ids: [] }],
    ['kind', { kind: 'anything' }],
  ])('with a wrong %s is refused by name: %j [§2.5]', async (field, wrong) => {
    const body = { kind: 'no-backup', ids: ['x'], until: today(1), reason: 'Later', ...wrong };
    const refused = await snooze(body);
    expect(refused.status).toBe(400);
    expect(Object.keys(refused.errors ?? {})).toEqual([field]);
  });

  it('needs the permission; a Viewer sees what is found [DECISIONS §5]', async () => {
    const viewer = (await test.signInAs('Viewer')).token;
    expect((await test.call(findingRoutes.list, { token: viewer })).status).toBe(200);
    const body = { kind: 'no-backup', ids: ['x'], until: today(1), reason: 'Later' };
    expect((await test.call(findingRoutes.snooze, { body, token: viewer })).status).toBe(403);
  });
});

it('names the first few of many, and lists all [§2.5]', async () => {
  await query(
    `insert into databases (id, name, physical_name, role_name, role_password, state, created_at, schema_version, tenant_id)
    select gen_random_uuid(), 'EXTRA' || n, 'extra_' || n, 'extra_' || n, '', 'ready', $1, 1, null from generate_series(1, 20) n`,
    [test.context.now()],
  );
  expect(await finding('no-owner')).toMatchObject({ count: 20, first: { length: FINDINGS_SHOWN } });
  expect(await records('no-owner')).toHaveLength(20);
  await query("delete from databases where physical_name like 'extra%'");
});
