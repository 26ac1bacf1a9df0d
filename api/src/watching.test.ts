import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { authRoutes } from '@apotheca/contract/auth';
import { databaseRoutes } from '@apotheca/contract/databases';
import { OPERATION_KINDS } from '@apotheca/contract/operations';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from './app.ts';
import { insertAccount } from './testing/accounts.ts';
import { useTestApp } from './testing/app.ts';
import { tenantInput } from './testing/builders.ts';
import { rulesOf } from './testing/prometheus.ts';

const test = useTestApp();
const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(root + path, 'utf8');

/** The figures of a server that has all that can be set. */
async function figures(): Promise<string> {
  const context = {
    ...test.context,
    stores: { places: [{ kind: 'file' as const, path: '/mnt/nas', name: 'file:/mnt/nas' }], recipients: [] },
    walArchive: { folder: '/mnt/wal' } as never,
    mail: {} as never,
  };
  const app = await buildApp(context, { logLevel: 'silent', isWorking: () => true });
  try {
    return (await app.inject('/metrics')).payload;
  } finally {
    await app.close();
  }
}

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);
const series = (text: string, name: string) => text.split('\n').filter((line) => line.startsWith(`${name}{`));
/** The names of figures, without what prom-client tells of Node and the process. */
const namesOf = (text: string) => matches(text, /^# TYPE (\S+)/gm).filter((name) => !/^(nodejs|process)_/.test(name));

/** What PromQL has besides names of figures: functions, words and labels. */
function namesIn(expression: string): string[] {
  const bare = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, '')
    .replace(/\[[^\]]*\]/g, '');
  return matches(bare, /\b([a-z_]\w*)\b(?!\s*\()/g).filter((name) => !['and', 'or', 'unless', 'up'].includes(name));
}

/** What the dashboard and the alerts ask Prometheus. */
function expressions(): string[] {
  const { panels } = JSON.parse(read('examples/watching/dashboard.json'));
  const shown = panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) => targets.map(({ expr }) => expr));
  const alerts = rulesOf(read('examples/watching/apotheca.rules.yml')).map(({ expr }) => expr);
  expect(shown.length).toBeGreaterThan(20);
  expect(alerts.length).toBeGreaterThan(15);
  return [...shown, ...alerts];
}

describe('what watches', () => {
  let text: string;
  let known: string[];
  beforeAll(async () => {
    text = await figures();
    known = matches(text, /^# TYPE (\S+)/gm).flatMap((name) => [
      name,
      `${name}_count`,
      `${name}_sum`,
      `${name}_bucket`,
    ]);
  });

  it('asks for figures of Apotheca only: others in the same Prometheus have the same names [DECISIONS §13]', () => {
    const isOfAnyJob = (expression: string) =>
      [...namesIn(expression), 'up'].some((name) =>
        new RegExp(`\\b${name}\\b(?!\\{job="apotheca"[,}])`).test(expression.replace(/ by \([^)]*\)/g, '')),
      );
    expect(isOfAnyJob('sum by (up) (up{job="apotheca"}) + part_up{job="apotheca", part="any"}')).toBe(false);
    expect(isOfAnyJob('up{job="apotheca"} + part_up')).toBe(true);
    expect(expressions().filter(isOfAnyJob)).toEqual([]);
  });

  it('names only figures that there are, in rules and dashboard [DECISIONS §13]', () => {
    expect(
      expressions()
        .flatMap(namesIn)
        .filter((name) => !known.includes(name)),
    ).toEqual([]);
  });

  it('shows every figure of the product on the dashboard [DECISIONS §13]', () => {
    const dashboard = read('examples/watching/dashboard.json');
    expect(namesOf(text).filter((name) => !new RegExp(`\\b${name}(_bucket|_sum|_count)?\\b`).test(dashboard))).toEqual(
      [],
    );
  });

  it('is described in docs/operations.md, each figure in a row, and each alert [DECISIONS §13]', () => {
    const [, page = ''] = /^### Metrics\n([\s\S]*?)^### The log/m.exec(read('docs/operations.md')) ?? [];
    expect(matches(page, /^\| `([a-z_]+)` \|/gm).toSorted()).toEqual(namesOf(text).toSorted());
    const alerts = rulesOf(read('examples/watching/apotheca.rules.yml')).map(({ alert }) => alert);
    expect(matches(page, /^\| `(Apotheca\w+)` \|/gm)).toEqual(alerts);
  });
});

describe('the figures', () => {
  it('of operations are there for each kind before the first one, and count how they end [DECISIONS §13]', async () => {
    expect(series(await figures(), 'operations')).toHaveLength(2 * OPERATION_KINDS.length);
    const app = await buildApp(test.context, { logLevel: 'silent' });
    const count = async () => series((await app.inject('/metrics')).payload, 'operations_ended_total');
    const before = await count();
    expect(before).toHaveLength(3 * OPERATION_KINDS.length);
    expect(before.every((line) => line.endsWith(' 0'))).toBe(true);
    await test.call(tenantRoutes.create, { body: tenantInput('COUNTED') });
    await test.call(databaseRoutes.copy, { query: { copyFrom: 'COUNTED', databaseName: 'COPY' } });
    await sql`update databases set physical_name = 'db_gone' where name = 'COPY'`.execute(test.context.platform);
    const query = { copyFrom: 'COPY', databaseName: 'OTHER' };
    expect((await test.call(databaseRoutes.copy, { query })).status).toBeGreaterThanOrEqual(400);
    await sql`delete from databases where name = 'COPY'`.execute(test.context.platform);
    await expect
      .poll(async () => (await count()).filter((line) => !line.endsWith(' 0')))
      .toEqual([
        'operations_ended_total{kind="clone",state="succeeded"} 1',
        'operations_ended_total{kind="clone",state="failed"} 1',
      ]);
    await app.close();
  });

  it('of operations tell of a failure that this process has not seen end, for an hour [DECISIONS §13]', async () => {
    await sql`
      insert into operations (id, kind, database_id, database_name, input, actor_name, address, state, steps, size_bytes, created_at, finished_at)
      select gen_random_uuid(), 'restore', gen_random_uuid(), 'any', '{}', 'any', '', state, '{any}', 0, now(), now() + distance
      from (values ('failed', interval '-59 minutes'), ('failed', '-61 minutes'), ('failed', '1 day'), ('cancelled', '-1 minute'))
        as ended (state, distance)`.execute(test.context.platform);
    const text = await figures();
    expect(series(text, 'operations_ended_total')).toContain('operations_ended_total{kind="restore",state="failed"} 0');
    expect(series(text, 'operations_failed_lately')).toHaveLength(OPERATION_KINDS.length);
    expect(series(text, 'operations_failed_lately')).toContain('operations_failed_lately{kind="restore"} 1');
    await test.context.platform.deleteFrom('operations').where('kind', '=', 'restore').execute();
  });

  it('of pools say how many connections a process may have, and uses [DECISIONS §13]', async () => {
    const text = await figures();
    expect(series(text, 'pool_connections_most')).toEqual([
      'pool_connections_most{pool="calls"} 10',
      'pool_connections_most{pool="operations"} 10',
      'pool_connections_most{pool="tenants"} 8',
    ]);
    const held = await test.context.utilityPool.connect();
    const inUse = series(await figures(), 'pool_connections_in_use').find((line) => line.includes('operations'));
    held.release();
    expect(Number(inUse?.split(' ')[1])).toBeGreaterThan(0);
  });

  it('of mails count those that wait for the first time, and those that failed [DECISIONS §13]', async () => {
    await sql`
      insert into mails (id, sealed, valid_until, due_at, attempts)
      select gen_random_uuid(), '', ${test.clock.now}::timestamptz + interval '1 day', ${test.clock.now}, attempts
      from unnest(array[0, 1, 2, 7, 9]) as attempts`.execute(test.context.platform);
    expect(series(await figures(), 'mails_waiting')).toEqual([
      'mails_waiting{state="new"} 2',
      'mails_waiting{state="retried"} 3',
    ]);
    await test.context.platform.deleteFrom('mails').execute();
  });

  it('of mails leave out those that nobody may read: no mail server can be blamed for them [DECISIONS §13]', async () => {
    const { id } = await insertAccount(test, { isActive: false });
    await sql`
      insert into mails (id, sealed, valid_until, due_at, attempts, reader_id)
      values (gen_random_uuid(), '', ${test.clock.now}::timestamptz + interval '1 day', ${test.clock.now}, 2, ${id})`.execute(
      test.context.platform,
    );
    const retried = async () => series(await figures(), 'mails_waiting').filter((line) => line.includes('retried'));
    expect(await retried()).toEqual(['mails_waiting{state="retried"} 0']);
    await test.context.platform.updateTable('users').set({ isActive: true }).where('id', '=', id).execute();
    expect(await retried()).toEqual(['mails_waiting{state="retried"} 1']);
  });

  it('of sessions count the open ones [DECISIONS §13]', async () => {
    const open = async () => {
      const line = series(await figures(), 'sessions_open').find((one) => one.includes('"console"'));
      return Number(line?.split(' ')[1]);
    };
    const before = await open();
    const { accessToken, refreshToken } = (await test.signIn()).result;
    expect(await open()).toBe(before + 1);
    await test.call(authRoutes.logout, { token: accessToken, body: { refreshToken } });
    expect(await open()).toBe(before);
  });
});
