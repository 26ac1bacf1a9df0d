import { tenantRoutes } from '@apotheca/contract/tenants';
import { webhookRoutes } from '@apotheca/contract/webhooks';
import { expect, it, onTestFinished } from 'vitest';
import { ADMINISTRATOR } from '../../testing/administrator.ts';
import { tenantInput } from '../../testing/builders.ts';
import { withClient } from '../../testing/databases.ts';
import { makeKillable } from '../../testing/killable-installation.ts';
import { IS_LONG_RUN } from '../../testing/long-run.ts';
import { patiently } from '../../testing/patiently.ts';
import { callServer, signInToServer, withDataDir } from '../../testing/server-process.ts';
import { startReceiver } from '../../testing/webhook-receiver.ts';

const KILLS = IS_LONG_RUN ? 20 : 2;
/** These only find what hangs. */
const PATIENCE = { timeout: 240_000, interval: 50 };
const LIMIT = (KILLS + 5) * 60_000;

it(
  `every event is delivered, of each record in order, over ${KILLS} kills of the server [DECISIONS §13]`,
  async () => {
    const receiver = await startReceiver();
    onTestFinished(receiver.close);
    await withDataDir(async (dataDir) => {
      const installation = makeKillable(dataDir, {
        APOTHECA_ADMIN_PASSWORD: ADMINISTRATOR.password,
        APOTHECA_DEMO: 'off',
        APOTHECA_SUSPENSION: 'flag',
        APOTHECA_WEBHOOK_HOSTS: '127.0.0.1',
      });
      await installation.start();
      try {
        const query = async (statement: string, values: unknown[] = []) =>
          withClient(await installation.databaseUrl(), async (client) => (await client.query(statement, values)).rows);
        const signIn = async () => {
          const { url } = installation.server();
          const token = await signInToServer(url);
          return (...[route, options]: [Parameters<typeof callServer>[1], Parameters<typeof callServer>[2]?]) =>
            callServer(url, route, { ...options, token });
        };
        let call = await signIn();
        const body = {
          name: 'Killed',
          kind: 'standard',
          url: receiver.url,
          eventTypes: ['tenants.suspended', 'tenants.resumed'],
        };
        expect((await call(webhookRoutes.create, { body })).status).toBe(200);
        /** Waits until everything that was written so far is delivered. */
        const everythingDelivered = async () => {
          const written = await query(
            `select entity_id, action, encode(substring(hash for 16), 'hex') as hash from audit_entries
             where action in ('tenants.deactivate', 'tenants.activate') order by id`,
          );
          await expect
            .poll(
              async () => (await query(`select from webhook_deliveries where state = 'delivered'`)).length,
              PATIENCE,
            )
            .toBe(written.length);
          return written;
        };
        const tenants: string[] = [];
        for (const code of ['ONE', 'TWO'])
          tenants.push((await call(tenantRoutes.create, { body: tenantInput(code) })).result.id);
        for (let kill = 0; kill < KILLS; kill += 1) {
          const before = receiver.calls.length;
          // Every other time nobody answers: what is on its way when the server is killed is told again.
          receiver.answer = () => (kill % 2 === 0 ? 'hang' : 200);
          const route = kill % 2 === 0 ? tenantRoutes.deactivate : tenantRoutes.activate;
          const writes = tenants.map((id) => patiently(() => call(route, { query: { id } })).catch(() => undefined));
          await expect.poll(() => receiver.calls.length, PATIENCE).toBeGreaterThan(before);
          await installation.killServer();
          await Promise.all(writes);
          receiver.answer = () => 200;
          // As if the minute of their claims had passed.
          await query('update webhook_deliveries set claimed_until = null');
          await installation.start();
          call = await signIn();
          // What is told again after this would end the next wait before anything of that round is written.
          await everythingDelivered();
        }
        const written = await everythingDelivered();
        expect(written.length).toBeGreaterThanOrEqual(KILLS);
        for (const tenant of tenants) {
          const expected = written.filter(({ entity_id: id }) => id === tenant).map(({ hash }) => `evt_${hash}`);
          const received = receiver.calls
            .map(({ body: text }) => JSON.parse(text))
            .filter(({ data }) => data.id === tenant);
          // Each at least once; without the doubles in the order of the writes.
          expect([...new Set(received.map(({ id }) => id))]).toEqual(expected);
          // Also with them nothing goes back behind what was told later.
          const places = received.map(({ id }) => expected.indexOf(id));
          expect(places).toEqual(places.toSorted((a, b) => a - b));
        }
      } finally {
        await installation.stop();
      }
    });
  },
  LIMIT,
);
