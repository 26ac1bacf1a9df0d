import { authRoutes } from '@apotheca/contract/auth';
import type { ContractRoute } from '@apotheca/contract/route';
import { expect, it, onTestFinished } from 'vitest';
import { createPlatformDatabase, withClient } from '../../../testing/databases.ts';
import { CLIENT, startProvider } from '../../../testing/provider.ts';
import { CONSOLE, signInByProvider } from '../../../testing/provider-sign-in.ts';
import { callServer, startServer, withDataDir } from '../../../testing/server-process.ts';

/** Makes whoever stores a provider's answer wait for this lock. */
const LOCK = 1234;
const STORING_WAITS = `
  create function wait_before_storing() returns trigger language plpgsql as $$
  begin
    perform set_config('lock_timeout', '0', true);
    perform pg_advisory_xact_lock(${LOCK});
    return new;
  end $$;
  create trigger wait_before_storing before insert or update of refresh_token on provider_sessions
  for each row execute function wait_before_storing()`;
/** Only finds what hangs. */
const PATIENCE = { timeout: 240_000, interval: 20 };

it('a server that is killed after a provider has answered and before that is kept: signing in again is all that it takes [DECISIONS §13]', async () => {
  const provider = await startProvider();
  onTestFinished(provider.close);
  await provider.open(CONSOLE);
  await provider.account('person', { preferred_username: 'person', groups: ['everybody'] });
  const database = await createPlatformDatabase();
  onTestFinished(database.drop);
  await withDataDir(async (dataDir) => {
    const settings = {
      id: 'clinic',
      name: 'Clinic',
      issuer: provider.issuer,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      roles: { everybody: 'Viewer' },
      createUsers: true,
      parameters: { prompt: 'consent' },
    };
    const start = () =>
      startServer({
        DATABASE_URL: database.url,
        APOTHECA_DATA_DIR: dataDir,
        APOTHECA_DEMO: 'off',
        APOTHECA_PUBLIC_URL: CONSOLE,
        APOTHECA_OIDC_PROVIDERS: JSON.stringify([settings]),
      });
    let server = await start();
    try {
      const query = (statement: string) =>
        withClient(database.url, async (client) => (await client.query(statement)).rows);
      const call = (route: ContractRoute, { body }: { body: unknown }) => callServer(server.url, route, { body });
      const signIn = () => signInByProvider({ call }, 'person');
      /** Kills the server while it is about to store what the provider has answered to `work`, and starts it again. */
      const killedWhileStoring = (work: () => Promise<unknown>) =>
        withClient(database.url, async (holder) => {
          await holder.query('select pg_advisory_lock($1)', [LOCK]);
          const answered = work().catch(() => 'no answer');
          const waiting = `from pg_stat_activity where wait_event = 'advisory' and datname = current_database()`;
          // On an open session: on a busy machine a new one for each look takes long, and the call that waits is given up after 8 s.
          await expect.poll(async () => (await holder.query(`select ${waiting}`)).rowCount, PATIENCE).toBe(1);
          await server.kill();
          expect(await answered).toBe('no answer');
          // Its session would store the answer as soon as it can, and find only then that nobody is there any more.
          await query(`select pg_terminate_backend(pid, 10000) ${waiting}`);
          server = await start();
        });
      await query(STORING_WAITS);

      await killedWhileStoring(signIn);
      expect(await query('select from provider_sessions')).toEqual([]);
      const first = await signIn();
      expect(first).toMatchObject({ status: 200 });

      // The provider's last answer is ten minutes old.
      await query(`update provider_sessions set checked_at = checked_at - interval '10 minutes'`);
      const { accessToken, refreshToken } = first.result;
      const refresh = () => call(authRoutes.refresh, { body: { accessToken, refreshToken } });
      await killedWhileStoring(refresh);
      // The turn of the killed server is over.
      await query(`update provider_sessions set asking_since = asking_since - interval '1 minute'`);
      // It has used up the provider's token, and the next one died with it.
      expect(await refresh()).toMatchObject({ status: 401, title: 'Session ended' });
      expect(await signIn()).toMatchObject({ status: 200 });
    } finally {
      await server.kill();
    }
  });
});
