import { randomUUID } from 'node:crypto';
import { auditRoutes } from '@apotheca/contract/audit';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { type RawBuilder, sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { SERVER_ACTOR } from '../actor.ts';
import type { Platform, Trx } from '../db/platform.ts';
import { type Account, insertAccount, signInTo } from '../testing/accounts.ts';
import { useTestApp } from '../testing/app.ts';
import { tenantInput } from '../testing/builders.ts';
import { operationsEnded } from '../testing/operations.ts';
import {
  type AuditEvent,
  appendAudit,
  appendAuditBy,
  appendAudits,
  isWrittenUnder,
  verifyAudit,
} from './audit.service.ts';

const test = useTestApp();

const EVENT: AuditEvent = {
  actor: { id: null, name: 'tester', address: '198.51.100.1' },
  action: 'tests.write',
  entity: 'tests',
  entityId: '1',
};
const append = (trx: Trx, event: Partial<AuditEvent> = {}) => appendAudit(test.context, trx, { ...EVENT, ...event });
const appendAlone = (event?: Partial<AuditEvent>) =>
  test.context.platform.transaction().execute((trx) => append(trx, event));
const verify = (platform: Platform = test.context.platform) => verifyAudit(platform, test.context.keys.audit);

const entriesAfter = (id: string) =>
  test.context.platform
    .selectFrom('auditEntries')
    .select(['actorId', 'actorName', 'action', 'entity', 'entityId', 'address', 'changes', 'at'])
    .where('id', '>', id)
    .orderBy('id')
    .execute();
const lastId = async () =>
  (await test.context.platform.selectFrom('auditHead').select('lastId').executeTakeFirstOrThrow()).lastId;

/** Tampers with the trail, and undoes it. @returns what is found meanwhile */
async function findAfter<T>(tamper: (trx: Trx) => Promise<unknown>, find: (trx: Trx) => Promise<T>) {
  const undo = new Error('undo');
  let found: T | undefined;
  const tried = test.context.platform.transaction().execute(async (trx) => {
    await tamper(trx);
    found = await find(trx);
    throw undo;
  });
  await expect(tried).rejects.toBe(undo);
  return found;
}

const verifyAfter = (tamper: (trx: Trx) => Promise<unknown>) => findAfter(tamper, verify);

describe('the audit trail', () => {
  let operator: Account & { token: string };

  beforeAll(async () => {
    const account = await insertAccount(test, { role: 'Operator' });
    operator = { ...account, token: (await signInTo(test, account)).accessToken };
  });

  it('gets one entry for each write, with who, what, which record, from where and when [DECISIONS §12]', async () => {
    const before = await lastId();
    const { token } = operator;
    const { id } = (await test.call(tenantRoutes.create, { token, body: tenantInput('TRAIL') })).result;
    await test.call(tenantRoutes.edit, { token, body: { ...tenantInput('TRAIL', { city: 'Everett' }), id } });
    await test.call(tenantRoutes.deactivate, { token, query: { id } });
    // The call waits 10 s for its database to be closed.
    await operationsEnded(test.databaseUrl);
    await test.call(tenantRoutes.delete, { query: { id } });
    const entries = await entriesAfter(before);
    expect(entries.map(({ action, actorName }) => [action, actorName])).toEqual([
      ['tenants.create', operator.userName],
      ['tenants.edit', operator.userName],
      ['tenants.deactivate', operator.userName],
      ['tenants.change-access', operator.userName],
      ['tenants.delete', 'admin'],
    ]);
    const record = { entity: 'tenants', entityId: id, address: '127.0.0.1', at: test.clock.now };
    for (const entry of entries) expect(entry).toMatchObject(record);
    expect(entries[0]?.actorId).toBe(operator.id);
    expect(entries.map(({ changes }) => changes)).toEqual([
      expect.objectContaining({ code: 'TRAIL', databaseName: 'TRAIL', phone: '(425) 555-0134', city: '' }),
      { city: ['', 'Everett'], version: [1, 2] },
      { isActive: [true, false], version: [2, 3] },
      { databaseName: 'TRAIL', access: ['open', 'closed'] },
      { code: 'TRAIL', keptUntil: expect.any(String) },
    ]);
  });

  it('gets one entry for each sign-in, failed sign-in and refusal [DECISIONS §12]', async () => {
    const before = await lastId();
    await test.signIn(operator.userName);
    await test.signIn(operator.userName, 'wrong horse');
    await test.signIn('Nobody.There', 'wrong horse');
    await test.call(tenantRoutes.delete, { token: operator.token, query: { id: crypto.randomUUID() } });
    const own = { actorId: operator.id, actorName: operator.userName, entityId: operator.id, address: '127.0.0.1' };
    const nobody = { actorId: null, actorName: 'Nobody.There', entityId: '', address: '127.0.0.1' };
    expect(await entriesAfter(before)).toMatchObject([
      { action: 'auth.sign-in', ...own },
      { action: 'auth.sign-in-failed', ...own },
      { action: 'auth.sign-in-failed', ...nobody },
      { action: 'auth.refused', ...own, changes: { path: '/tenant/delete', permission: 'tenants.delete' } },
    ]);
  });

  it('can be read for sign-ins under unknown names [DECISIONS §12]', async () => {
    await test.signIn('Stranger.One', 'wrong horse');
    const { result } = await test.call(auditRoutes.list, { query: { entity: 'users', entityId: '' } });
    expect(result[0]).toMatchObject({ action: 'auth.sign-in-failed', actorId: null, actorName: 'Stranger.One' });
  });

  it('gets none for reads and invalid calls [DECISIONS §12]', async () => {
    const before = await lastId();
    await test.call(tenantRoutes.list);
    await test.call(tenantRoutes.create, { body: tenantInput('', {}) });
    await test.call(tenantRoutes.activate, { query: { id: crypto.randomUUID() } });
    await test.call(tenantRoutes.create, { body: tenantInput('POSTGRES') });
    expect(await entriesAfter(before)).toEqual([]);
  });

  it('keeps an entry only with its transaction, and has no gap [DECISIONS §12]', async () => {
    const before = await lastId();
    const undone = test.context.platform.transaction().execute(async (trx) => {
      await append(trx);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await lastId()).toBe(before);
    await appendAlone();
    expect(await lastId()).toBe(String(BigInt(before) + 1n));
    expect(await verify()).not.toHaveProperty('problem');
  });

  it.each<[string, RawBuilder<unknown>[]]>([
    ['as it is', []],
    [
      'whose newest entry was altered',
      [sql`update audit_entries set address = '' where id = (select last_id from audit_head)`],
    ],
    [
      'of which one entry was kept',
      [
        sql`insert into audit_checkpoint (last_id, last_hash, signature) select id, hash, '' from audit_entries order by id desc offset 1 limit 1`,
        sql`delete from audit_entries where id <= (select last_id from audit_checkpoint)`,
      ],
    ],
    [
      'of one entry',
      [
        sql`delete from audit_entries where id > 1`,
        sql`update audit_head set last_id = 1, last_hash = (select hash from audit_entries)`,
      ],
    ],
  ])('%s tells under which key it was written [DECISIONS §12]', async (_, statements) => {
    for (let n = 0; n < 12; n += 1) await appendAlone();
    const isUnder = (key: Uint8Array) =>
      findAfter(
        async (trx) => {
          for (const statement of statements) await statement.execute(trx);
        },
        (trx) => isWrittenUnder(key, trx),
      );
    expect(await isUnder(test.context.keys.audit)).toBe(true);
    expect(await isUnder(test.context.keys.mails)).toBe(false);
  });

  it('without entries may go on under any key [DECISIONS §12]', async () => {
    const empty = async (trx: Trx) => {
      await trx.deleteFrom('auditEntries').execute();
      await trx
        .updateTable('auditHead')
        .set({ lastId: '0', lastHash: Buffer.alloc(0) })
        .execute();
    };
    expect(await findAfter(empty, (trx) => isWrittenUnder(test.context.keys.mails, trx))).toBe(true);
  });

  it('is one chain without a gap after 50 appends at once [DECISIONS §12]', async () => {
    const before = BigInt(await lastId());
    await Promise.all(Array.from({ length: 50 }, (_, n) => appendAlone({ entityId: `parallel ${n}` })));
    const ids = test.context.platform.selectFrom('auditEntries').select('id').where('entityId', 'like', 'parallel %');
    const expected = Array.from({ length: 50 }, (_, n) => String(before + BigInt(n + 1)));
    expect((await ids.orderBy('id').execute()).map(({ id }) => id)).toEqual(expected);
    expect(await verify()).toEqual({ entries: Number(before) + 50 });
  });

  it('is one chain where two servers append by statements and in transactions, some of which are undone [DECISIONS §12]', async () => {
    const before = BigInt(await lastId());
    const { platform, keys } = test.context;
    // What another process knows of the trail is kept apart, by the key.
    const servers = [test.context, { ...test.context, keys: { ...keys, audit: Uint8Array.from(keys.audit) } }];
    const undo = (trx: Trx) => append(trx).then(() => Promise.reject(new Error('undone')));
    const appends = Array.from({ length: 40 }, (_, n) => {
      const event = { ...EVENT, entityId: `mixed ${n}` };
      const server = servers[n % 2] ?? test.context;
      if (n % 8 === 5)
        return platform
          .transaction()
          .execute(undo)
          .catch(() => false);
      if (n % 8 === 6) return platform.transaction().execute((trx) => appendAudit(server, trx, event).then(() => true));
      return appendAuditBy(server, platform, event);
    });
    const appended = (await Promise.all(appends)).filter(Boolean).length;
    expect(appended).toBe(35);
    expect(await verify()).toEqual({ entries: Number(before) + appended });
  });

  it('takes one statement for an entry of its own while nobody else appends [DECISIONS §12]', async () => {
    let results = 0;
    const counted = test.context.platform.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        results += 1;
        return result;
      },
    });
    const appendOne = () => appendAuditBy(test.context, counted, EVENT);
    await appendOne();
    results = 0;
    expect(await appendOne()).toBe(true);
    expect(results).toBe(1);
  });

  it.each([
    ['a name longer than its field', { actor: { ...SERVER_ACTOR, name: `${'a'.repeat(255)}😀` } }],
    ['half a surrogate pair', { actor: { ...SERVER_ACTOR, name: 'anna\ud83d' } }],
    ['any text among the changes', { changes: { text: 'a"b\\c\u0000\ud83d\u2028😀', ключ: [null, 1e21, -0.1] } }],
    ['numbers and blanks as they were written', { changes: { '': '  ', number: 1.0, list: [] } }],
  ])('stores %s unaltered [DECISIONS §12]', async (_, event) => {
    await appendAlone(event);
    expect(await verify()).not.toHaveProperty('problem');
  });
});

it('many entries at once are as many one after the other would be [DECISIONS §12]', async () => {
  const before = await lastId();
  const odd = { note: 'two\nlines, \\ and "quotes", \u0000, ΣΊΣΥΦΟΣ, ’' };
  const events = [
    EVENT,
    { ...EVENT, actor: { ...EVENT.actor, name: 'half of a pair \uD83D' }, entityId: '2', changes: odd },
    { ...EVENT, actor: { ...EVENT.actor, id: randomUUID() }, entityId: '3', changes: { n: [1, 1e21] } },
  ];
  const { platform } = test.context;
  await platform.transaction().execute((trx) => appendAudits(test.context, trx, events));
  await platform.transaction().execute((trx) => appendAudits(test.context, trx, []));
  for (const event of events) await appendAlone(event);
  const entries = await entriesAfter(before);
  expect(entries).toHaveLength(6);
  expect(entries.slice(0, 3)).toEqual(entries.slice(3));
  expect(await verify()).toEqual({ entries: Number(await lastId()) });
});

describe('verifyAudit', () => {
  beforeAll(async () => {
    for (let n = 0; n < 5; n += 1) await appendAlone({ changes: { n } });
  });

  const altered = (id: unknown) => `Entry ${id} was altered, or the secret is another one.`;
  const HEAD = 'The note of which entry is the newest was altered.';

  it('counts the entries of an unaltered trail [DECISIONS §12]', async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from audit_entries`.execute(
      test.context.platform,
    );
    expect(await verify()).toEqual({ entries: rows[0]?.count });
  });

  it.each([
    ['at', sql`at + interval '1 ms'`],
    ['actor_id', sql`gen_random_uuid()`],
    ['actor_name', sql`actor_name || ' '`],
    ['action', sql`'tests.read'`],
    ['entity', sql`''`],
    ['entity_id', sql`'2'`],
    ['address', sql`'127.0.0.1'`],
    ['changes', sql`'{}'`],
    ['changes', sql`replace(changes::text, ':', ': ')::json`],
    ['hash', sql`sha256(hash)`],
  ] as [string, RawBuilder<unknown>][])(
    'finds an altered %s, %#, and says in which entry [DECISIONS §12]',
    async (column, value) => {
      const id = String(BigInt(await lastId()) - 2n);
      const found = await verifyAfter((trx) =>
        sql`update audit_entries set ${sql.ref(column)} = ${value} where id = ${id}`.execute(trx),
      );
      expect(found).toEqual({ entries: Number(id) - 1, problem: altered(id) });
    },
  );

  it('finds an altered newest entry, which no entry follows [DECISIONS §12]', async () => {
    const id = await lastId();
    const found = await verifyAfter((trx) => sql`update audit_entries set action = 'x' where id = ${id}`.execute(trx));
    expect(found?.problem).toBe(altered(id));
  });

  it('finds that the first, a middle, the last or all entries were removed [DECISIONS §12]', async () => {
    const last = Number(await lastId());
    const problemAfter = async (removed: RawBuilder<unknown>) =>
      (await verifyAfter((trx) => sql`delete from audit_entries where ${removed}`.execute(trx)))?.problem;
    expect(await problemAfter(sql`id = 1`)).toBe('Entry 1 is missing.');
    expect(await problemAfter(sql`id = ${last - 2}`)).toBe(`Entry ${last - 2} is missing.`);
    expect(await problemAfter(sql`id = ${last}`)).toBe(`Entries after ${last - 1} are missing.`);
    expect(await problemAfter(sql`id > ${last - 3}`)).toBe(`Entries after ${last - 3} are missing.`);
    expect(await problemAfter(sql`true`)).toBe('Entries after 0 are missing.');
  });

  it('finds a removed entry after which the others were renumbered [DECISIONS §12]', async () => {
    const last = Number(await lastId());
    const found = await verifyAfter(async (trx) => {
      await sql`delete from audit_entries where id = ${last - 1}`.execute(trx);
      await sql`update audit_entries set id = ${last - 1} where id = ${last}`.execute(trx);
      await sql`update audit_head set last_id = ${last - 1}`.execute(trx);
    });
    expect(found?.problem).toBe(altered(last - 1));
  });

  it('finds two entries that were swapped [DECISIONS §12]', async () => {
    const last = Number(await lastId());
    const found = await verifyAfter(async (trx) => {
      for (const [from, to] of [
        [last - 1, 0],
        [last - 2, last - 1],
        [0, last - 2],
      ]) {
        await sql`update audit_entries set id = ${to} where id = ${from}`.execute(trx);
      }
    });
    expect(found?.problem).toBe(altered(last - 2));
  });

  it('finds a genuine entry of another history in place of one that others follow [DECISIONS §12]', async () => {
    const last = Number(await lastId());
    const found = await verifyAfter(async (trx) => {
      await append(trx, { action: 'tests.restored-away' });
      await sql`create temporary table other_history on commit drop as select * from audit_entries where id > ${last}`.execute(
        trx,
      );
      await sql`delete from audit_entries where id > ${last}`.execute(trx);
      await sql`update audit_head set last_id = ${last}, last_hash = (select hash from audit_entries where id = ${last})`.execute(
        trx,
      );
      await append(trx);
      await append(trx);
      await sql`delete from audit_entries where id = ${last + 1}`.execute(trx);
      await sql`insert into audit_entries select * from other_history`.execute(trx);
    });
    expect(found?.problem).toBe(altered(last + 2));
  });

  it('finds an entry that somebody else wrote [DECISIONS §12]', async () => {
    const last = Number(await lastId());
    const found = await verifyAfter((trx) =>
      sql`insert into audit_entries select ${last + 1}, at, actor_id, actor_name, action, entity, entity_id, address, changes, hash
          from audit_entries where id = ${last}`.execute(trx),
    );
    expect(found?.problem).toBe(altered(last + 1));
  });

  it('finds an altered head [DECISIONS §12]', async () => {
    const problemAfter = async (change: RawBuilder<unknown>) =>
      (await verifyAfter((trx) => sql`update audit_head set ${change}`.execute(trx)))?.problem;
    expect(await problemAfter(sql`last_hash = sha256(last_hash)`)).toBe(HEAD);
    expect(
      await problemAfter(
        sql`last_id = last_id - 1, last_hash = (select hash from audit_entries where id = last_id - 1)`,
      ),
    ).toBe(HEAD);
    expect(await problemAfter(sql`last_id = 0, last_hash = ''`)).toBe(HEAD);
  });

  it('refuses a trail that was written with another secret [DECISIONS §12]', async () => {
    expect(await verifyAudit(test.context.platform, new Uint8Array(32))).toEqual({ entries: 0, problem: altered(1) });
  });

  it('reads on after a thousand entries [DECISIONS §12]', async () => {
    const last = Number(await lastId());
    const missing = await verifyAfter(async (trx) => {
      for (let id = last; id < 2001; id += 1) await append(trx);
      await sql`delete from audit_entries where id = 2001`.execute(trx);
    });
    expect(missing).toEqual({ entries: 2000, problem: 'Entries after 2000 are missing.' });
  });
});
