import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditRoutes } from '@apotheca/contract/audit';
import { authRoutes } from '@apotheca/contract/auth';
import { backupProofRoutes } from '@apotheca/contract/backup-proofs';
import { backupRoutes } from '@apotheca/contract/backups';
import { recoveryRoutes } from '@apotheca/contract/recovery';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { webhookRoutes } from '@apotheca/contract/webhooks';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import type pg from 'pg';
import { expect, it } from 'vitest';
import type { ProcessRole } from './config.ts';
import { sealPassword } from './features/databaseservers/server-address.ts';
import { deriveKeys } from './secrets.ts';
import { flipped } from './testing/archives.ts';
import { tenantInput } from './testing/builders.ts';
import { choosePort } from './testing/chosen-port.ts';
import { createPlatformDatabase, withClient } from './testing/databases.ts';
import { makeKillable } from './testing/killable-installation.ts';
import { IS_LONG_RUN } from './testing/long-run.ts';
import { type Prometheus, startPrometheus } from './testing/prometheus.ts';
import { callServer, type ServerProcess, signInToServer, startServer, withDataDir } from './testing/server-process.ts';
import { openTcpProxy, type TcpProxy } from './testing/tcp-proxy.ts';

/** Every wait only finds what hangs. */
const PATIENCE = { timeout: 240_000, interval: 200 };

const SECRET = 'a secret that only tests use, long enough';

/** A server that Prometheus watches, and what faults are planted with. */
interface Watched {
  server: ServerProcess;
  token: string;
  /** Of the control database, not by the proxy. */
  client: pg.Client;
  proxy: TcpProxy;
  prometheus: Prometheus;
  dataDir: string;
  /** The folder that backups are copied to. */
  store: string;
  restart(role: ProcessRole): Promise<void>;
  /** Waits until an alert fires. */
  fires(alert: string): Promise<void>;
}

const call = ({ server, token }: Watched, ...[route, options]: Tail<Parameters<typeof callServer>>) =>
  callServer(server.url, route, { token, ...options });
type Tail<List extends unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

const backUp = async (watched: Watched, databaseName: string): Promise<string> =>
  (await call(watched, backupRoutes.create, { query: { databaseName } })).result.id;

/** Does something while people try to sign in, so many at once, one attempt after the other. */
async function whileAsking(
  { server }: Watched,
  count: number,
  bodyOf: (number: number) => object,
  work: () => Promise<void>,
): Promise<void> {
  let isOver = false;
  const ask = async (number: number) => {
    while (!isOver) await callServer(server.url, authRoutes.authenticate, { body: bodyOf(number) });
  };
  const asking = Array.from({ length: count }, (_, number) => ask(number));
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.allSettled(asking);
  }
}

/** An operation that no worker takes, as only another version knows its kind. */
const addWaiting = ({ client }: Watched, age: string, actorId: string | null) =>
  client.query(
    `insert into operations (id, kind, database_id, database_name, input, actor_id, actor_name, address, state, steps, size_bytes,
       created_at)
     values ($1, 'later', $1, 'any', '{}', $2, 'any', '', 'queued', '{any}', 0, now() - $3::interval)`,
    [randomUUID(), actorId, age],
  );

/** How each rule is made to fire, in this order. Those that end with the process come last. */
const FAULTS: Record<string, { isSampled?: boolean; plant(watched: Watched): Promise<unknown> }> = {
  ApothecaOperationsWait: { isSampled: true, plant: (watched) => addWaiting(watched, '11 minutes', randomUUID()) },
  ApothecaOwnOperationsWait: { plant: (watched) => addWaiting(watched, '7 hours', null) },
  ApothecaBackupCannotBeRestored: {
    isSampled: true,
    async plant(watched) {
      const id = await backUp(watched, 'DAMAGED');
      const path = join(watched.dataDir, 'backups', `${id}.dump`);
      const archive = await readFile(path);
      await writeFile(path, flipped(archive, archive.length - 2_000));
      await call(watched, backupProofRoutes.prove, { query: { id } });
    },
  },
  // The proof before has failed.
  ApothecaOperationsFail: { isSampled: true, plant: async () => {} },
  ApothecaCopiesFail: {
    async plant(watched) {
      await rename(watched.store, `${watched.store}-away`);
      await backUp(watched, 'WATCHED');
    },
  },
  ApothecaInstallationBackupFails: {
    async plant({ client }) {
      const failures = async () => {
        // In place of pauses between attempts.
        await client.query("update installation_copies set due_at = now(), mark = '' where run is null");
        const { rows } = await client.query('select attempts from installation_copies');
        return rows[0]?.attempts ?? 0;
      };
      await expect.poll(failures, PATIENCE).toBeGreaterThan(2);
    },
  },
  // The store is away, so none is made in its place.
  ApothecaInstallationBackupOld: {
    plant: ({ client }) => client.query("update installation_copies set copied_at = now() - interval '3 days'"),
  },
  ApothecaCopiesWait: {
    async plant({ client }) {
      await client.query(`
        with made as (
          insert into backups (id, database_name, origin, state, created_at)
          select gen_random_uuid(), 'any', 'made', 'ready', now() from generate_series(1, 101)
          returning id
        )
        insert into backup_copies (backup_id, store, state, due_at)
        select made.id, copies.store, 'waiting', now() + interval '1 hour'
        from made, (select distinct store from backup_copies) copies`);
    },
  },
  ApothecaEventsLate: {
    async plant(watched) {
      const url = 'http://127.0.0.1:1/nobody-listens';
      const body = { name: 'late', kind: 'standard', url, eventTypes: ['tenants.created'], isActive: true };
      expect((await call(watched, webhookRoutes.create, { body })).status).toBe(200);
      for (const code of ['EVENT1', 'EVENT2']) await call(watched, tenantRoutes.create, { body: tenantInput(code) });
      const age = "update webhook_deliveries set occurred_at = now() - interval '2 hours'";
      await expect.poll(async () => (await watched.client.query(age)).rowCount, PATIENCE).toBe(2);
    },
  },
  ApothecaEventsGivenUp: {
    plant: ({ client }) =>
      client.query(`
        update webhook_deliveries set state = 'failed', ended_at = now()
        where entry_id = (select min(entry_id) from webhook_deliveries)`),
  },
  ApothecaMailsFail: {
    async plant(watched) {
      await watched.client.query("update users set email = 'ada@example.org' where user_name = 'admin'");
      await call(watched, recoveryRoutes.request, { body: { email: 'ada@example.org' } });
    },
  },
  ApothecaAuditTrailBroken: {
    async plant(watched) {
      await watched.client.query("update audit_entries set address = '203.0.113.7' where id = 2");
      await call(watched, auditRoutes.verify);
    },
  },
  ApothecaAuditTrailUnverified: {
    plant: ({ client }) => client.query("update audit_verification set ended_at = now() - interval '4 days'"),
  },
  ApothecaDatabaseServerAway: {
    plant: ({ client }) =>
      client.query(
        `insert into database_servers (name, host, port, user_name, password) values ('Away', '127.0.0.1', 1, 'any', $1)`,
        [sealPassword(deriveKeys(SECRET), 'any')],
      ),
  },
  ApothecaDatabaseServersFull: { plant: ({ client }) => client.query('update database_servers set capacity = 1') },
  ApothecaPoolExhausted: {
    isSampled: true,
    async plant(watched) {
      // Attempts to sign in take a connection each, and wait with it for the lock.
      await watched.client.query('begin; lock table sign_in_attempts in access exclusive mode');
      await whileAsking(
        watched,
        20,
        (number) => ({ username: `nobody ${number}`, password: 'wrong' }),
        async () => {
          await watched.fires('ApothecaPoolExhausted');
          await watched.client.query('rollback');
        },
      );
    },
  },
  ApothecaPartDown: {
    async plant(watched) {
      watched.proxy.set('reset');
      await whileAsking(
        watched,
        1,
        () => ({ username: 'nobody', password: 'wrong' }),
        async () => {
          await watched.fires('ApothecaPartDown');
          await watched.fires('ApothecaErrors');
          watched.proxy.heal();
        },
      );
    },
  },
  // While the database was away all calls were answered 503.
  ApothecaErrors: { plant: async () => {} },
  ApothecaAway: { isSampled: true, plant: ({ server }) => server.kill() },
  ApothecaNoWorker: {
    async plant({ restart, prometheus }) {
      await restart('web');
      // It fires for the killed process, too.
      const whileUp = 'absent(part_up{part="operations"} == 1) and on () up == 1';
      await expect.poll(() => prometheus.value(whileUp), PATIENCE).toBe(1);
    },
  },
  // There is no worker, who would mark it.
  ApothecaBackupsLate: {
    async plant({ client }) {
      const { rows } = await client.query("select id from databases where name = 'WATCHED'");
      const [{ id }] = rows;
      await client.query(
        `insert into backup_schedules (database_id, frequency, hour, weekday, keep_hourly, keep_daily, keep_weekly, keep_monthly)
         values ($1, 'hourly', 0, 1, 24, 7, 4, 12)`,
        [id],
      );
      await client.query(
        `update backups set created_at = now() - interval '20 days', proof = '{"result": "proved"}' where database_id = $1`,
        [id],
      );
      // It failed, and is tried again tomorrow.
      await client.query(
        `insert into backup_schedule_runs (database_id, rule, due_at, retry_at)
         select database_id, rule, now() - interval '3 days', now() + interval '1 day'
         from effective_backup_schedules where database_id = $1`,
        [id],
      );
    },
  },
  // The same database has not been proved since.
  ApothecaProofsOld: { plant: async () => {} },
};

async function withWatched(work: (watched: Watched) => Promise<void>): Promise<void> {
  const database = await createPlatformDatabase();
  const proxy = await openTcpProxy(database.url);
  const store = await mkdtemp(join(tmpdir(), 'apotheca-store-'));
  await withDataDir(async (dataDir) => {
    const settings = {
      PORT: String(await choosePort()),
      DATABASE_URL: proxy.url,
      APOTHECA_DATA_DIR: dataDir,
      APOTHECA_SECRET: SECRET,
      APOTHECA_DEMO: 'off',
      APOTHECA_PROOF_MINUTES: '0',
      APOTHECA_MAX_CONNECTIONS: '20',
      APOTHECA_BACKUP_STORES: `file:${store}`,
      APOTHECA_BACKUP_RECIPIENT: await identityToRecipient(await generateX25519Identity()),
      APOTHECA_WEBHOOK_HOSTS: '127.0.0.1',
      APOTHECA_SMTP_URL: 'smtp://127.0.0.1:1',
      APOTHECA_MAIL_FROM: 'console@example.org',
      APOTHECA_PUBLIC_URL: 'http://localhost',
      LOG_LEVEL: 'silent',
    };
    const server = await startServer(settings);
    const prometheus = await startPrometheus(new URL(server.url).host);
    await withClient(database.url, async (client) => {
      const token = await signInToServer(server.url);
      const isFiring = async (alert: string) =>
        (await prometheus.rules()).some(({ name, isFiring }) => name === alert && isFiring);
      const watched: Watched = {
        server,
        token,
        client,
        proxy,
        prometheus,
        dataDir,
        store,
        fires: (alert) => expect.poll(() => isFiring(alert), { ...PATIENCE, message: `${alert} fires` }).toBe(true),
        async restart(role) {
          watched.server = await startServer({ ...settings, APOTHECA_ROLE: role });
        },
      };
      try {
        await work(watched);
      } finally {
        await watched.server.kill();
        await prometheus.stop();
        await proxy.close();
      }
    });
  });
  await Promise.all([store, `${store}-away`].map((folder) => rm(folder, { recursive: true, force: true })));
  await database.drop();
}

/** Prometheus has asked the server, and found out of each rule that it can be evaluated. */
async function expectHealthy({ prometheus }: Watched): Promise<void> {
  const asked = async () => [await prometheus.value('up'), await prometheus.value('sum(operations_ended_total) >= 4')];
  await expect.poll(asked, PATIENCE).toEqual([1, expect.any(Number)]);
  await expect.poll(async () => (await prometheus.rules()).every(({ evaluated }) => evaluated), PATIENCE).toBe(true);
  const rules = await prometheus.rules();
  expect(rules.length).toBeGreaterThan(15);
  expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
  // On a slow machine an answer may come too late for Prometheus, which takes the server for away until the next one.
  const firing = async () => {
    const now = await prometheus.rules();
    return [now.length, ...now.filter(({ isFiring }) => isFiring)];
  };
  await expect.poll(firing, PATIENCE).toEqual([rules.length]);
}

it('each alert fires on its fault, and none before, in Prometheus that asks a real server [DECISIONS §13]', async () => {
  await withWatched(async (watched) => {
    for (const code of ['WATCHED', 'DAMAGED']) {
      expect((await call(watched, tenantRoutes.create, { body: tenantInput(code) })).status).toBe(200);
      await backUp(watched, code);
      await backUp(watched, code);
    }
    await expectHealthy(watched);
    const planted = Object.entries(FAULTS).filter(([, { isSampled }]) => IS_LONG_RUN || isSampled);
    for (const [alert, { plant }] of planted) {
      await plant(watched);
      // What these waited for was seen while it lasted.
      if (!['ApothecaPoolExhausted', 'ApothecaPartDown'].includes(alert)) await watched.fires(alert);
    }
  });
});

/** The one that needs the embedded PostgreSQL, and so a server of its own. */
const WAL_ARCHIVE = 'ApothecaWalArchiveFails';

if (IS_LONG_RUN) {
  it('the alert of the WAL archive fires while that is away [DECISIONS §13]', async () => {
    await withDataDir(async (folder) => {
      const archive = join(folder, 'archive');
      await mkdir(archive);
      const installation = makeKillable(join(folder, 'data'), {
        APOTHECA_DEMO: 'off',
        APOTHECA_WAL_ARCHIVE: archive,
        LOG_LEVEL: 'silent',
      });
      await installation.start();
      const prometheus = await startPrometheus(new URL(installation.server().url).host);
      const isFiring = async () => (await prometheus.rules()).find(({ name }) => name === WAL_ARCHIVE)?.isFiring;
      try {
        // Until then the first backup of the cluster may be under way, and would be the one that fails.
        await expect.poll(() => prometheus.value('wal_archive_newest_backup_seconds'), PATIENCE).toBeGreaterThan(0);
        expect(await isFiring()).toBe(false);
        await rename(archive, `${archive}.away`);
        // One or two files that wait are no alarm.
        await withClient(await installation.databaseUrl(), async (client) => {
          for (let file = 0; file < 3; file += 1) {
            await client.query("select pg_logical_emit_message(true, 'any', 'any')");
            await client.query('select pg_switch_wal()');
          }
        });
        await expect.poll(isFiring, PATIENCE).toBe(true);
      } finally {
        await prometheus.stop();
        await installation.stop();
      }
    });
  });
}

it('there is a fault for each alert [DECISIONS §13]', async () => {
  const rules = await readFile(join(import.meta.dirname, '../../examples/watching/apotheca.rules.yml'), 'utf8');
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  expect([...Object.keys(FAULTS), WAL_ARCHIVE].toSorted()).toEqual(alerts.toSorted());
});
