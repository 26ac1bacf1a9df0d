import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditRoutes } from '@apotheca/contract/audit';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { appendAudit, verifyAudit } from '../../audit/audit.service.ts';
import { findAnchor } from '../../audit/signatures.ts';
import { NO_STORES, readStorePlaces } from '../../backup-stores.ts';
import { useTestApp } from '../../testing/app.ts';
import { aheadByYear } from '../../testing/clock-ahead.ts';
import { emptyStore, filesInStore } from '../../testing/store-folder.ts';
import { removeAnchorsFrom } from './anchors.ts';
import { getVerification, startVerification } from './audit.service.ts';
import { measureAudit } from './audit-figures.ts';
import { keepTrail, startAuditUpkeep } from './audit-upkeep.ts';

const test = useTestApp();
/** Every wait only finds what hangs. */
const PATIENCE = { timeout: 300_000, interval: 20 };
const DAY = 86_400;
const errors: string[] = [];
const anchors: string[] = [];
const listener = {
  onError: (error: unknown) => errors.push(String(error)),
  onAnchor: (line: string) => anchors.push(line),
};

let disk = '';
beforeAll(async () => {
  disk = await mkdtemp(join(tmpdir(), 'apotheca-anchors-'));
});
afterAll(() => rm(disk, { recursive: true }));
beforeEach(async () => {
  errors.length = 0;
  anchors.length = 0;
  test.context.stores = NO_STORES;
  test.context.auditDays = 0;
  await emptyStore(disk);
  await sql`update audit_verification set requested_at = null, ended_at = null, problem = ''`.execute(
    test.context.platform,
  );
});

const state = () => getVerification(test.context);
const request = () => startVerification(test.context, { id: null, name: 'admin', address: '127.0.0.1' });
const keep = () => keepTrail(test.context, listener, new AbortController().signal);
const run = (statement: ReturnType<typeof sql>) => statement.execute(test.context.platform);
const verify = () => verifyAudit(test.context.platform, test.context.keys.audit);
const append = (count = 1) =>
  test.context.platform.transaction().execute(async (trx) => {
    for (let n = 0; n < count; n += 1) {
      const actor = { id: null, name: 'tester', address: '198.51.100.1' };
      await appendAudit(test.context, trx, { actor, action: 'tests.write', entity: 'tests', entityId: String(n) });
    }
  });
const head = () =>
  test.context.platform.selectFrom('auditHead').select(['lastId', 'lastHash']).executeTakeFirstOrThrow();
const useDisk = () => {
  test.context.stores = { places: readStorePlaces(`file:${disk}`), recipients: [] };
};
const figures = async () => {
  const registry = new Registry();
  measureAudit(test.context, registry);
  return registry.metrics();
};
const verifiedSeconds = (metrics: string) => Number(/^audit_trail_verified_seconds (\S+)$/m.exec(metrics)?.[1]);

/** Tampers with the trail, and puts everything back. @returns what `look` found meanwhile */
async function whileTampered<T>(tamper: () => Promise<unknown>, look: () => Promise<T>): Promise<T> {
  const tables = ['audit_entries', 'audit_head', 'audit_checkpoint'];
  for (const table of tables) await run(sql`create table ${sql.table(`kept_${table}`)} as table ${sql.table(table)}`);
  try {
    await tamper();
    return await look();
  } finally {
    for (const table of tables) {
      await run(sql`delete from ${sql.table(table)}`);
      await run(sql`insert into ${sql.table(table)} table ${sql.table(`kept_${table}`)}`);
      await run(sql`drop table ${sql.table(`kept_${table}`)}`);
    }
  }
}

/** Removes the newest entries as somebody would who can write to the database, but has not the key. */
async function windBack(count: number): Promise<void> {
  await run(sql`delete from audit_entries where id > (select last_id - ${count} from audit_head)`);
  await run(sql`
    update audit_head set last_id = e.id, last_hash = e.hash from (select id, hash from audit_entries order by id desc limit 1) e`);
}

describe('the verification of the night', () => {
  it('is made once a night, after one in the morning UTC, and says what it found [DECISIONS §13]', async () => {
    test.clock.now = new Date('2026-11-21T12:00:00Z');
    await keep();
    const entries = Number((await head()).lastId);
    expect(await state()).toMatchObject({
      isUnderWay: false,
      endedOnUtc: '2026-11-21T12:00:00.000Z',
      verified: entries,
      problem: '',
    });
    test.clock.now = new Date('2026-11-22T00:59:00Z');
    await keep();
    expect((await state()).endedOnUtc).toBe('2026-11-21T12:00:00.000Z');
    test.clock.now = new Date('2026-11-22T01:00:00Z');
    await keep();
    expect((await state()).endedOnUtc).toBe('2026-11-22T01:00:00.000Z');
    expect(anchors).toHaveLength(2);
    expect(errors).toEqual([]);
    expect(await figures()).toMatch(/^audit_trail_intact 1$/m);
    expect(await figures()).toMatch(/^audit_trail_verified_seconds 1795309200$/m);
  });

  it('counts from the first entry while there was none, so that an alert tells of it [DECISIONS §13]', async () => {
    const { at } = await test.context.platform
      .selectFrom('auditEntries')
      .select('at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(await figures()).toContain(`audit_trail_verified_seconds ${at.getTime() / 1_000}\n`);
    expect(await figures()).not.toMatch(/^audit_trail_intact /m);
  });

  it('tells of a break in its result, as an error and in the figures, and anchors and removes nothing [DECISIONS §13]', async () => {
    await append(3);
    test.context.auditDays = 1;
    test.clock.advance(3 * DAY);
    const { lastId } = await head();
    const problem = `Entry ${lastId} was altered, or the secret is another one.`;
    await whileTampered(
      () => run(sql`update audit_entries set action = 'x' where id = ${lastId}`),
      async () => {
        await keep();
        expect(await state()).toMatchObject({ isUnderWay: false, problem });
        expect(await figures()).toMatch(/^audit_trail_intact 0$/m);
        const newest = test.context.platform
          .selectFrom('auditEntries')
          .select(['action', 'changes'])
          .orderBy('id', 'desc');
        expect(await newest.executeTakeFirst()).toEqual({ action: 'audit.verify-failed', changes: { problem } });
      },
    );
    expect(errors).toEqual([`Error: The audit trail is broken: ${problem}`]);
    expect(anchors).toEqual([]);
    expect(await run(sql`select from audit_checkpoint`)).toMatchObject({ rows: [] });
  });

  it('can be asked for, which is audited, and is under way once [DECISIONS §13]', async () => {
    await keep();
    const { accessToken: token } = (await test.signIn()).result;
    const ask = () => test.call(auditRoutes.verify, { body: {}, token });
    expect(await ask()).toMatchObject({
      message: 'The audit trail is being verified.',
      result: { isUnderWay: true, checked: 0 },
    });
    expect((await ask()).message).toBe('The audit trail is being verified already.');
    const asked = await test.call(auditRoutes.search, { query: { action: 'audit.verify' }, token });
    expect(asked.result.entries).toMatchObject([{ actorName: 'admin' }]);
    await keep();
    const { result } = await test.call(auditRoutes.verification, { token });
    expect(result).toMatchObject({ isUnderWay: false, problem: '' });
    expect(result.verified).toBe(result.entries);
  });

  it('runs in one of two servers that both find it due [DECISIONS §13]', async () => {
    await Promise.all([keep(), keep(), keep()]);
    expect(anchors).toHaveLength(1);
  });

  it('that was stopped half-way is begun anew by the next server [DECISIONS §13]', async () => {
    const stopped = new AbortController();
    stopped.abort();
    await expect(keepTrail(test.context, listener, stopped.signal)).rejects.toThrow();
    expect(await state()).toMatchObject({ isUnderWay: true, endedOnUtc: null });
    const upkeep = startAuditUpkeep(test.context, listener, { poll: 10 });
    await vi.waitFor(async () => expect((await state()).isUnderWay).toBe(false), PATIENCE);
    await request();
    await vi.waitFor(() => expect(anchors).toHaveLength(2), PATIENCE);
    await upkeep.stop();
    expect(errors).toEqual([]);
  });
});

describe('an anchor', () => {
  it('names the newest entry, and only this server can sign one [DECISIONS §13]', async () => {
    await keep();
    const [line = ''] = anchors;
    const { audit } = test.context.keys;
    expect(findAnchor(audit, `{"level":30,"msg":"${line}"}`)).toMatchObject(await head());
    expect(findAnchor(test.context.keys.token, line)).toBeUndefined();
    const forged = line.replace(/ \d+ /, ' 1 ');
    expect(findAnchor(audit, forged)).toBeUndefined();
    expect(findAnchor(audit, `${line}\n${forged}`)).toMatchObject(await head());
  });

  it('in a store shows that the newest ten entries were removed and the head wound back [DECISIONS §13]', async () => {
    useDisk();
    await append(10);
    await keep();
    const names = await filesInStore(disk);
    expect(names).toHaveLength(1);
    const { lastId } = await head();
    const last = Number(lastId);
    const problem = await whileTampered(
      () => windBack(10),
      async () => {
        expect(await verify()).not.toHaveProperty('problem');
        await run(sql`update audit_verification set ended_at = null`);
        await keep();
        return (await state()).problem;
      },
    );
    expect(problem).toMatch(
      new RegExp(`^Entries ${last - 9} to ${last} are missing: an anchor of \\S+ knows of them\\.$`),
    );
    // A break is never anchored.
    expect(await filesInStore(disk)).toEqual(names);
  });

  it('in a store shows that entries were replaced by others [DECISIONS §13]', async () => {
    useDisk();
    await append(10);
    await keep();
    const { lastId } = await head();
    const problem = await whileTampered(
      async () => {
        await windBack(3);
        await append(5);
      },
      async () => {
        await run(sql`update audit_verification set ended_at = null`);
        await keep();
        return (await state()).problem;
      },
    );
    expect(problem).toMatch(
      new RegExp(`^Entry ${lastId} is another one than an anchor of \\S+ knows: entries were replaced\\.$`),
    );
  });

  it('of entries that are gone is removed by a recovery, and the trail is right from then on [DECISIONS §13]', async () => {
    useDisk();
    await append(3);
    test.clock.advance(DAY);
    await keep();
    await append(5);
    test.clock.advance(DAY);
    await keep();
    const kept = await filesInStore(disk);
    const { lastId } = await head();
    await whileTampered(
      async () => {
        await windBack(2);
        await append(3);
      },
      async () => {
        test.clock.advance(DAY);
        await keep();
        expect(errors.splice(0)).toEqual([expect.stringContaining('were replaced')]);
        const { signal } = new AbortController();
        const forget = () =>
          removeAnchorsFrom(test.context, String(Number(lastId) - 1), { signal, onError: listener.onError });
        expect(await forget()).toBe(lastId);
        expect(await filesInStore(disk)).toEqual(kept.toSorted().slice(0, 1));
        expect(await forget()).toBeUndefined();
        test.clock.advance(DAY);
        await keep();
        expect(errors).toEqual([]);
      },
    );
  });

  it('that somebody else put into the store counts as none, and a store that is away hinders nothing [DECISIONS §13]', async () => {
    useDisk();
    await keep();
    const [name = ''] = await filesInStore(disk);
    const forged = (await readFile(join(disk, name), 'utf8')).replace(/ \d+ /, ' 999999 ');
    await writeFile(join(disk, name.replace(/\d{19}/, '9'.repeat(19))), forged);
    await run(sql`update audit_verification set ended_at = null`);
    await keep();
    expect(await state()).toMatchObject({ problem: '' });
    expect(errors).toEqual([]);
    test.context.stores = { places: readStorePlaces('file:/nowhere/at/all'), recipients: [] };
    await run(sql`update audit_verification set ended_at = null`);
    await keep();
    expect(await state()).toMatchObject({ isUnderWay: false, problem: '' });
    expect(errors.join()).toMatch(/cannot be read from .*cannot be kept in /s);
  });

  it('is kept for the last thirty verifications [DECISIONS §13]', async () => {
    useDisk();
    for (let n = 0; n < 33; n += 1) {
      await append();
      await run(sql`update audit_verification set ended_at = null`);
      await keep();
    }
    expect((await filesInStore(disk)).length).toBe(30);
  });
});

describe('a process whose clock is ahead', () => {
  const keepAhead = () =>
    keepTrail({ ...test.context, ...aheadByYear(test.context.platform) }, listener, new AbortController().signal);

  it('removes nothing that is to be kept, and begins no verification of a night to come [DECISIONS §13]', async () => {
    const before = test.clock.now;
    test.clock.now = new Date();
    test.context.auditDays = 30;
    // All is put back: from some day on this entry would be too new for the tests of retention, and those from before it too old to stay.
    await whileTampered(append, async () => {
      const { lastId } = await head();
      await keepAhead();
      expect(errors).toEqual([]);
      const { rows } = await sql`select from audit_entries where id = ${lastId}`.execute(test.context.platform);
      expect(rows).toHaveLength(1);
    });
    await run(sql`update audit_verification set ended_at = now()`);
    const ended = (await state()).endedOnUtc;
    await keepAhead();
    expect((await state()).endedOnUtc).toBe(ended);
    test.clock.now = before;
  });

  it('verifies in a first start, and the next right clock does not wait for that moment to come [DECISIONS §13]', async () => {
    const before = test.clock.now;
    const real = Date.now();
    test.clock.now = new Date(real + 365 * DAY * 1_000);
    await keep();
    expect((await state()).endedOnUtc).toBe(test.clock.now.toISOString());
    expect(anchors).toHaveLength(1);
    // For as long as the clock is ahead this one counts.
    await keep();
    expect(anchors).toHaveLength(1);
    test.clock.now = new Date(real + 2 * DAY * 1_000);
    expect(verifiedSeconds(await figures())).toBeLessThan(real / 1_000);
    await keep();
    expect((await state()).endedOnUtc).toBe(test.clock.now.toISOString());
    expect(verifiedSeconds(await figures())).toBe(test.clock.now.getTime() / 1_000);
    // Of a clock that is behind, the control database's knows that such a moment has been.
    await run(sql`update audit_verification set ended_at = now()`);
    const { endedOnUtc } = await state();
    test.clock.now = new Date(real - 365 * DAY * 1_000);
    await keep();
    expect((await state()).endedOnUtc).toBe(endedOnUtc);
    test.clock.now = before;
  });
});

describe('retention', () => {
  it('removes what is too old, is audited, and what is left verifies [DECISIONS §13]', async () => {
    await append(5);
    const removed = Number((await head()).lastId);
    test.clock.advance(40 * DAY);
    await append(5);
    test.context.auditDays = 30;
    await keep();
    expect(errors).toEqual([]);
    const { rows } = await sql<{ first: string; count: string }>`
      select min(id) as first, count(*) as count from audit_entries`.execute(test.context.platform);
    expect(rows).toEqual([{ first: String(removed + 1), count: '6' }]);
    expect(await verify()).toEqual({ entries: 6 });
    const told =
      await sql`select actor_name as "actorName", changes from audit_entries where action = 'audit.remove'`.execute(
        test.context.platform,
      );
    expect(told.rows).toMatchObject([{ actorName: 'server', changes: { firstId: '1', lastId: String(removed) } }]);
    expect(await state()).toMatchObject({ entries: 6 });
    // Nothing more is too old.
    await run(sql`update audit_verification set ended_at = null`);
    await keep();
    expect(await verify()).toEqual({ entries: 6 });
  });

  const first = async () => {
    const { rows } = await sql<{ id: string }>`select min(id) as id from audit_entries`.execute(test.context.platform);
    return Number(rows[0]?.id);
  };
  const problemAfter = (tamper: () => Promise<unknown>) => whileTampered(tamper, async () => (await verify()).problem);

  it('leaves a trail in which a removed beginning is found, with or without a forged checkpoint [DECISIONS §13]', async () => {
    const altered = 'The note of which entries were removed because of their age was altered.';
    const id = await first();
    const removeFirst = () => run(sql`delete from audit_entries where id = ${id}`);
    expect(await problemAfter(removeFirst)).toBe(`Entry ${id} is missing.`);
    expect(await problemAfter(() => run(sql`delete from audit_checkpoint`))).toBe('Entry 1 is missing.');
    const moveCheckpoint = () =>
      run(
        sql`update audit_checkpoint set last_id = ${id}, last_hash = (select hash from audit_entries where id = ${id})`,
      );
    expect(await problemAfter(() => moveCheckpoint().then(removeFirst))).toBe(altered);
    // The hash of an entry is a signature too, but none of a checkpoint.
    const signWithHash = () => run(sql`update audit_checkpoint set signature = last_hash`);
    expect(await problemAfter(() => moveCheckpoint().then(signWithHash).then(removeFirst))).toBe(altered);
  });

  it('leaves a trail in which an older checkpoint is found [DECISIONS §13]', async () => {
    const id = await first();
    await run(sql`create table older as table audit_checkpoint`);
    test.clock.advance(40 * DAY);
    await append();
    test.context.auditDays = 30;
    await keep();
    expect(await first()).toBeGreaterThan(id);
    const older = () =>
      run(sql`delete from audit_checkpoint`).then(() => run(sql`insert into audit_checkpoint table older`));
    expect(await problemAfter(older)).toBe(`Entry ${id} is missing.`);
    expect(await verify()).not.toHaveProperty('problem');
  });
});
