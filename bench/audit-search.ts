import { setTimeout } from 'node:timers/promises';
import { auditRoutes } from '@apotheca/contract/audit';
import { BASE_PATHS } from '@apotheca/contract/route';
import type pg from 'pg';
import { type Access, call } from './calls.ts';
import { type Installation, signIn } from './installation.ts';
import { takeTurns, time } from './measurements.ts';
import { type RunningProcess, startServer } from './processes.ts';
import { withClient } from './rows.ts';
import { type Comparison, compare, type Table } from './tables.ts';

const ENTRIES = 1_000_000;
/** The oldest of them have a word, an action and a half of another kind of their own. */
const OLD = 400_000;
const ROUNDS = 5;

const EXPORTED = 200_000;
/** How long a slow reader waits before each part, in milliseconds. */
const SLOW_READER = 5;

/** When an entry of {@link fillTrail} was written. */
const writtenAt = (id: number) => new Date(Date.UTC(2025, 0, 1) + id * 20_000).toISOString();

/** What is looked for, and how much of the trail matches. */
const CASES: Record<string, Record<string, string>> = {
  'no filter': {},
  'a day': { from: '2025-03-01T00:00:00Z', to: '2025-03-02T00:00:00Z' },
  'a common action': { action: 'users.edit' },
  'an action that there is not': { action: 'nothing.done' },
  'an action of 200,000 old entries': { action: 'olden.write' },
  'a person': { actor: 'person17' },
  'a record': { entityId: '00000000-0000-4000-8000-000000000017' },
  'two common filters that exclude each other': { action: 'users.edit', entity: 'tenants' },
  'a common word': { text: 'everett' },
  'a rare word': { text: 'rare17' },
  'a word that there is not': { text: 'nowhere' },
  'a word of 400,000 old entries': { text: 'xanadu' },
  'a common word and one that there is not': { text: 'everett nowhere' },
  'two common words that exclude each other': { text: 'kent xanadu' },
  'twelve common words, two of which exclude each other': {
    text: 'everett ever street stre shore drive hill road kent xanadu version code',
  },
};

/** The audit trail with 1,000,000 entries: each kind of filter beside a page by the primary key, which is the least that a search costs. */
export async function benchAuditSearch({ environment }: Installation): Promise<Table[]> {
  await withClient(environment.DATABASE_URL, fillTrail);
  const server = await startServer(environment);
  try {
    const access = { url: server.url, token: await signIn(server.url) };
    const comparisons: Comparison[] = [];
    const notes: string[] = [];
    for (const [name, query] of Object.entries(CASES)) {
      let calls = 0;
      // Another id each time: the server keeps answers.
      const ask = async (filter: Record<string, string>) => {
        calls += 1;
        return call(access, auditRoutes.search, { query: { ...filter, before: String(ENTRIES + calls) } });
      };
      const { ours, floor } = await takeTurns(ROUNDS, {
        ours: () => time(() => ask(query)),
        floor: () => time(() => ask({})),
      });
      comparisons.push({ name, unit: ' ms', ours, floor });
      const { entries, further } = (await ask(query)).result;
      const isWhole = further === null || entries.length > 0;
      if (!isWhole) notes.push(`${name}: searched back to entry ${further.before}, then asked whether to go on`);
    }
    return [
      compare(`A page of the audit trail with ${ENTRIES.toLocaleString('en-US')} entries`, comparisons, notes),
      await measureExports(server, access),
    ];
  } finally {
    await server.stop();
  }
}

/** The most memory of the server while it exports many entries, beside a tenth of them; also to who reads slowly. */
async function measureExports(server: RunningProcess, access: Access): Promise<Table> {
  const comparisons: Comparison[] = [];
  for (const format of ['csv', 'json']) {
    for (const pause of [0, SLOW_READER]) {
      const { ours, floor } = await takeTurns(2, {
        ours: () => peakOfExport(server, access, { format, from: writtenAt(ENTRIES - EXPORTED) }, pause),
        floor: () => peakOfExport(server, access, { format, from: writtenAt(ENTRIES - EXPORTED / 10) }, pause),
      });
      const name = `${format}${pause > 0 ? ', read slowly' : ''}`;
      comparisons.push({ name, unit: ' MiB', ours, floor, target: { atMost: 1.2 } });
    }
  }
  const [many, few] = [EXPORTED, EXPORTED / 10].map((count) => count.toLocaleString('en-US'));
  return compare(`Peak memory while ${many} entries are exported, beside ${few}`, comparisons);
}

/** Downloads an export. @param pause milliseconds before each part is read @returns the server's peak of memory meanwhile, in MiB */
async function peakOfExport(
  server: RunningProcess,
  { url, token }: Access,
  query: Record<string, string>,
  pause: number,
): Promise<number> {
  server.forgetPeak();
  const address = `${url}${BASE_PATHS.api}${auditRoutes.export.path}?${new URLSearchParams(query)}`;
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok || !response.body) throw new Error(`${address}: ${response.status}`);
  for await (const _part of response.body) if (pause > 0) await setTimeout(pause);
  return server.peakMemory();
}

/** Fills the trail up; its hashes are none, as nobody verifies it here. */
async function fillTrail(client: pg.Client): Promise<void> {
  await client.query('delete from audit_entries');
  const index = "select pg_get_indexdef('audit_entries__terms__idx'::regclass) as made";
  const { rows } = await client.query<{ made: string }>(index);
  await client.query('drop index audit_entries__terms__idx');
  await client.query(
    `insert into audit_entries (id, at, actor_id, actor_name, action, entity, entity_id, address, changes, hash)
    select n, timestamptz '2025-01-01' + n * interval '20 seconds', null, 'person' || n % 40,
      case when n <= $2 then case when n % 2 = 0 then 'olden.write' else 'olden.read' end
        when n % 2 = 0 then 'tenants.edit' else 'users.edit' end,
      case when n % 2 = 0 then 'tenants' else 'users' end,
      '00000000-0000-4000-8000-' || lpad((n % 5000)::text, 12, '0'), '203.0.113.' || n % 50,
      json_build_object(
        'code', 'CODE' || n % 3000, 'city', json_build_array('Everett', case when n <= $2 then 'Xanadu' else 'Kent' end),
        'street', json_build_array(n % 700 || ' Shore Drive', n % 900 || ' Hill Road'),
        'note', case when n % 10007 = 17 then 'rare17' else '' end, 'version', json_build_array(n % 30, n % 30 + 1)
      ),
      '\\x00'
    from generate_series(1, $1::bigint) as n`,
    [ENTRIES, OLD],
  );
  await client.query(rows[0]?.made ?? '');
  await client.query('update audit_head set last_id = $1', [ENTRIES]);
  await client.query('vacuum analyze audit_entries');
}
