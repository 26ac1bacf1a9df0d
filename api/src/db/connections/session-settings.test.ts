import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, inject, it } from 'vitest';
import { withClient } from '../../testing/databases.ts';
import { withDatabaseName } from './connection-string.ts';
import { type SessionKind, sessionSettings } from './session-settings.ts';

const url = withDatabaseName(inject('postgresUrl'), 'postgres');
const KINDS: SessionKind[] = ['call', 'operation', 'read', 'change', 'upkeep'];
const NAMES = [
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'tcp_keepalives_idle',
  'tcp_keepalives_interval',
  'tcp_keepalives_count',
  'tcp_user_timeout',
];

it.each(KINDS)('PostgreSQL limits a session for %s, and checks its link [DECISIONS §3]', async (kind) => {
  const settings = await withClient(sessionSettings(url, kind), async (client) => {
    const { rows } = await client.query('select name, setting::int from pg_settings where name = any($1)', [NAMES]);
    return new Map<string, number>(rows.map(({ name, setting }) => [name, setting]));
  });
  for (const name of NAMES) expect(settings.get(name), name).toBeGreaterThan(0);
  // A session that holds a lock which calls need may not be idle for longer.
  if (kind !== 'change' && kind !== 'upkeep') expect(settings.get('idle_in_transaction_session_timeout')).toBe(10_000);
});

it('a session that holds a lock while others work is not ended, whatever the server does with idle ones [DECISIONS §8]', async () => {
  const role = `idle_${randomBytes(4).toString('hex')}`;
  await withClient(url, (client) => client.query(`create role ${role} login superuser password 'idle'`));
  try {
    await withClient(url, (client) => client.query(`alter role ${role} set idle_session_timeout = '1s'`));
    const own = new URL(url);
    [own.username, own.password] = [role, 'idle'];
    const { rows } = await withClient(sessionSettings(own.href, 'operation'), (client) =>
      client.query('show idle_session_timeout'),
    );
    expect(rows).toEqual([{ idle_session_timeout: '0' }]);
  } finally {
    await withClient(url, (client) => client.query(`drop role ${role}`));
  }
});

it('settings of the connection string come first [DECISIONS §2]', async () => {
  const own = new URL(url);
  own.searchParams.set('options', '-c lock_timeout=7s');
  const [lock, idle] = await withClient(sessionSettings(own.href, 'call'), async (client) => [
    (await client.query('show lock_timeout')).rows[0].lock_timeout,
    (await client.query('show idle_in_transaction_session_timeout')).rows[0].idle_in_transaction_session_timeout,
  ]);
  expect([lock, idle]).toEqual(['7s', '10s']);
});

it.each(['read', 'change'] as const)(
  'nothing sets another search path for a session for %s [DECISIONS §6]',
  async (kind) => {
    const own = new URL(url);
    own.searchParams.set('options', '-c search_path=public');
    const { rows } = await withClient(sessionSettings(own.href, kind), (client) => client.query('show search_path'));
    expect(rows).toEqual([{ search_path: 'pg_catalog' }]);
  },
);

it('the server makes no connection in another way [DECISIONS §3]', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const files = globSync('**/*.ts', { cwd: root, exclude: ['**/*.test.ts', 'testing/**'] });
  const made = files.flatMap(
    (file) =>
      readFileSync(root + file, 'utf8').match(
        /(new (pg\.(Client|Pool)|PrimaryClient|PgBoss)|withPrimaryClient)\(.*/g,
      ) ?? [],
  );
  expect(made.length).toBeGreaterThan(5);
  const allowed = [
    /(new (PrimaryClient|pg\.Pool)|withPrimaryClient)\((settings\)|.*(sessionSettings\(|\.\.\.settings))/,
    /new PgBoss\(\{/,
    // A PostgreSQL that is not Apotheca's has settings of its own (decision 058).
    /new pg\.Client\(await foreignSettings\(/,
    // The console of PgBouncer is no PostgreSQL, and has no settings.
    /new pg\.Client\(\{ \.\.\.console, \.\.\.OF_CONSOLE \}/,
    // Finds out which host is the primary.
    /new pg\.Client\(\{ \.\.\.settings, connectionTimeoutMillis: HOST_LIMIT/,
  ];
  expect(made.filter((line) => !allowed.some((form) => form.test(line)))).toEqual([]);
});
