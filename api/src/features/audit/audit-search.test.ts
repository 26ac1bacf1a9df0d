import { type AuditTrailEntry, auditPage, auditRoutes, SEARCH_PAGE } from '@apotheca/contract/audit';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { appendAudit, readSearchPage } from '../../audit/audit.service.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';

const test = useTestApp();
/** Entries of a long history, of which each tenth is a failure: more than many of the stretches that a search reads at once. */
const OLD = 140_000;

/** Asks until a page is full or all was looked at: on a busy machine one call may not get so far. */
async function search(query: Record<string, string> = {}): Promise<AuditTrailEntry[]> {
  const found: AuditTrailEntry[] = [];
  for (let before = query.before; ; ) {
    const answer = await test.call(auditRoutes.search, { query: { ...query, ...(before && { before }) } });
    const { entries, further } = auditPage.parse(answer.result);
    found.push(...entries);
    if (!further || found.length >= SEARCH_PAGE) return found.slice(0, SEARCH_PAGE);
    before = further.before;
  }
}
const ids = async (query: Record<string, string>) => (await search(query)).map(({ id }) => id);
const append = (event: {
  action: string;
  name?: string;
  address?: string;
  entityId?: string;
  changes?: Record<string, unknown>;
}) =>
  test.context.platform.transaction().execute((trx) =>
    appendAudit(test.context, trx, {
      actor: { id: null, name: event.name ?? 'Tester', address: event.address ?? '198.51.100.1' },
      action: event.action,
      entity: 'tests',
      entityId: event.entityId ?? '',
      ...(event.changes && { changes: event.changes }),
    }),
  );
/** The newest id. */
const newest = async () => (await search())[0]?.id ?? '';

describe('GET /audit/search', () => {
  beforeAll(async () => {
    // Through the pool for operations: a statement of a call is ended after 15 seconds, which a busy machine may need for so many rows.
    // Not all at once either: an anonymization in another file waits for whatever writes in the same cluster.
    for (let first = 1; first <= OLD; first += 10_000) {
      await sql`
      insert into audit_entries (id, at, actor_name, action, entity, entity_id, address, changes, hash)
      select last_id + n, timestamptz '2025-01-01' + n * interval '1 minute', 'Old Hand',
        case when n % 10 = 0 then 'olden.write-failed' else 'olden.write' end, 'olden', 'record-' || n % 100, '203.0.113.7',
        case when n = 70007 then '{"city":["Everett","Xanadu"]}' else '{"city":["Everett","Kent"]}' end::json, sha256(n::text::bytea)
      from audit_head, generate_series(${first}::int, ${Math.min(first + 9_999, OLD)}::int) as n`.execute(
        test.context.utility,
      );
    }
    await sql`update audit_head set last_id = last_id + ${OLD}`.execute(test.context.platform);
    for (let n = 0; n < SEARCH_PAGE + 20; n += 1) await append({ action: 'recent.write', changes: { n } });
    await append({
      action: 'recent.refused',
      name: 'Ann O’Hara',
      address: '2001:db8::7',
      entityId: "it's \\ 'quoted'",
    });
    await append({
      action: 'recent.write',
      name: 'Beth',
      changes: { street: ['', 'Line one\nSecond line'], note: 'ΣΊΣΥΦΟΣ' },
    });
  });

  it('answers the newest entries first, a page at a time, without a gap and none twice [DECISIONS §13]', async () => {
    const first = await search();
    expect(first).toHaveLength(SEARCH_PAGE);
    const second = await search({ before: first.at(-1)?.id ?? '' });
    const numbers = [...first, ...second].map(({ id }) => Number(id));
    const last = numbers[0] ?? 0;
    expect(numbers).toEqual(Array.from({ length: 2 * SEARCH_PAGE }, (_, n) => last - n));
    expect(first[0]).toMatchObject({
      actorName: 'Beth',
      action: 'recent.write',
      entity: 'tests',
      outcome: 'succeeded',
    });
  });

  it('answers the pages of a filter without a gap and none twice, from the newest to the oldest [DECISIONS §13]', async () => {
    const found: number[] = [];
    for (let before = ''; found.length % SEARCH_PAGE === 0; before = String(found.at(-1))) {
      const page = await ids({ outcome: 'failed', entityId: 'record-10', ...(before && { before }) });
      if (page.length === 0) break;
      found.push(...page.map(Number));
    }
    const { rows } = await sql<{ id: string }>`
      select id from audit_entries where entity_id = 'record-10' order by id desc`.execute(test.context.platform);
    expect(found).toEqual(rows.map(({ id }) => Number(id)));
    expect(found).toHaveLength(OLD / 100);
  });

  it.each<[string, Record<string, string>, number]>([
    ['a user name in any case', { actor: 'ann o’hara' }, 1],
    ['an action', { action: 'recent.refused' }, 1],
    ['an outcome', { outcome: 'refused' }, 1],
    ['a record', { entity: 'tests', entityId: "it's \\ 'quoted'" }, 1],
    ['an address', { address: '2001:db8::7' }, 1],
    ['a word of the changes, long ago', { text: 'xanadu' }, 1],
    ['the beginning of a word', { text: 'XAN' }, 1],
    ['a word after a line break', { text: 'second' }, 1],
    ['a word in other letters than ASCII', { text: 'σίσυφ' }, 1],
    ['several words, wherever they are', { text: 'write street beth' }, 1],
    ['a short word as it is', { text: 'o’ha' }, 1],
    ['a common word', { text: 'everett' }, SEARCH_PAGE],
    ['what was common long ago', { action: 'olden.write' }, SEARCH_PAGE],
    ['a common word and one that there is not', { text: 'everett nowhere' }, 0],
    ['filters that exclude each other', { action: 'olden.write', outcome: 'failed' }, 0],
    ['an action that there is not', { action: 'recent' }, 0],
    ['a part of a user name', { actor: 'ann' }, 0],
    ['text that is syntax', { text: "' & | ! :* \\" }, SEARCH_PAGE],
    ['what is empty', { actor: '', entity: ' ', text: '' }, SEARCH_PAGE],
  ])('finds %s [DECISIONS §13]', async (_what, query, count) => {
    expect(await ids(query)).toHaveLength(count);
  });

  it('finds what was done from a moment on and before another one, also together with a filter [DECISIONS §13]', async () => {
    const at = (minutes: number) => new Date(Date.UTC(2025, 0, 1, 0, minutes)).toISOString();
    const found = await search({ from: at(90_001), to: at(90_041) });
    expect(found).toHaveLength(40);
    expect([found.at(0)?.onUtc, found.at(-1)?.onUtc]).toEqual([at(90_040), at(90_001)]);
    expect(await search({ from: at(90_001), to: at(90_041), outcome: 'failed' })).toHaveLength(4);
    expect(await search({ to: at(1) })).toEqual([]);
    expect(await search({ from: '2100-01-01T00:00:00Z' })).toEqual([]);
    expect(await search({ from: '2100-01-01T00:00:00Z', text: 'everett' })).toEqual([]);
  });

  it('answers what it has found when the time is over, and goes on from there without a gap [DECISIONS §13]', async () => {
    const { pool } = test.context;
    const wanted = { outcome: 'failed', entityId: 'record-10' } as const;
    const whole = await readSearchPage(pool, wanted, 20 * SEARCH_PAGE, 60_000);
    const found: AuditTrailEntry[] = [];
    let calls = 0;
    for (let before: string | undefined; ; calls += 1) {
      // Without patience a call looks into one stretch.
      const { entries, further } = await readSearchPage(pool, { ...wanted, before }, 20 * SEARCH_PAGE, -1);
      found.push(...entries);
      if (!further) break;
      expect(Number(further.before)).toBeLessThan(Number(before ?? Number.POSITIVE_INFINITY));
      const { rows } = await sql<{ at: Date }>`
        select at from audit_entries where id = ${further.before}`.execute(test.context.platform);
      expect(new Date(further.onUtc)).toEqual(rows[0]?.at);
      before = further.before;
    }
    expect(calls).toBeGreaterThan(OLD / 10_000);
    expect(found).toEqual(whole.entries);
    expect(whole).toMatchObject({ entries: { length: OLD / 100 }, further: null });
  });

  it('ends with the oldest entry where a page is exactly full [DECISIONS §13]', async () => {
    const { pool } = test.context;
    const { entries, further } = await readSearchPage(pool, { text: 'xanadu' }, 1, 60_000);
    expect(further?.before).toBe(entries[0]?.id);
    expect(await readSearchPage(pool, { text: 'xanadu', before: further?.before }, 1, 60_000)).toEqual({
      entries: [],
      further: null,
    });
  });

  it('has sign-ins under unknown names, and who was refused [DECISIONS §12]', async () => {
    await test.signIn('Stranger.Two', 'wrong password');
    const { token } = await test.signInAs('Viewer');
    await test.call(tenantRoutes.create, { token, body: tenantInput('NEVER') });
    expect((await search({ actor: 'stranger.two' }))[0]).toMatchObject({
      action: 'auth.sign-in-failed',
      outcome: 'failed',
      actorId: null,
    });
    expect((await search({ outcome: 'refused', entity: 'users' }))[0]).toMatchObject({ action: 'auth.refused' });
  });

  it('finds what a person did by their id, and is for those who may read the trail [DECISIONS §13]', async () => {
    const { id, token } = await test.signInAs('Operator');
    expect(await search({ actor: id })).toMatchObject([{ action: 'auth.sign-in', actorId: id }]);
    expect(await test.call(auditRoutes.search, { token })).toMatchObject({ status: 200 });
    expect(await test.call(auditRoutes.search, { token: null })).toMatchObject({ status: 401 });
  });

  it.each([
    [{ from: 'yesterday' }, 'from must be a moment such as 2026-01-31T08:15:00Z'],
    [{ from: '0001-01-01T00:00:00+01:00' }, 'from must be a moment such as 2026-01-31T08:15:00Z'],
    [{ outcome: 'fine' }, 'outcome must be one of: succeeded, failed, refused'],
    [{ before: 'x' }, 'before must be the id of an entry'],
    [{ text: 'a'.repeat(257) }, 'text should not be more than 256 characters'],
  ])('refuses %o [DECISIONS §13]', async (query, message) => {
    expect(await test.call(auditRoutes.search, { query: query as Record<string, string> })).toMatchObject({
      status: 400,
      message,
    });
  });

  it('takes any text among the changes, also one long word [DECISIONS §13]', async () => {
    const before = await newest();
    for (const word of ['ж'.repeat(300), 'x'.repeat(5_000), '😀'.repeat(700)]) {
      await append({ action: 'recent.write', changes: { word } });
      expect(await ids({ text: word.slice(0, 100) })).toEqual([await newest()]);
    }
    expect(Number(await newest())).toBe(Number(before) + 3);
  });
});
