import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiKeyRoutes } from '@apotheca/contract/api-keys';
import { credentialRoutes } from '@apotheca/contract/credentials';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { withDatabaseName } from '../db/connections/connection-string.ts';
import { withClient } from '../testing/databases.ts';
import { makeKillable } from '../testing/killable-installation.ts';
import { PATIENCE, readLogins, readUnits, runRecovery, startRecovery, withMachine } from '../testing/lost-machine.ts';
import { type S3Server, startS3Server } from '../testing/s3-server.ts';
import { callServer, signInToServer } from '../testing/server-process.ts';

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3Server();
});
afterAll(() => s3.close());

/** A module that lets the clock of a process be a year ahead. */
const AHEAD = `data:text/javascript,${encodeURIComponent(`
  const now = () => RightDate.now() + 365 * 86_400_000;
  const RightDate = Date;
  globalThis.Date = class extends RightDate {
    constructor(...of) { super(...(of.length > 0 ? of : [now()])); }
    static now() { return now(); }
  };`)}`;

// Only finds what hangs.
vi.setConfig({ testTimeout: 900_000 });

it('takes the newest archives of an S3 store, says what is newer, unknown and missing, and leaves nothing that is not true [DECISIONS §13]', async () => {
  const credentials = { AWS_ACCESS_KEY_ID: 'KEY1', AWS_SECRET_ACCESS_KEY: 'HUSH' };
  await withMachine(
    async ({ installation, dataDir, key, store, settings, call, makeTenant, backUp, backUpInstallation }, folder) => {
      for (const code of ['KNOWN', 'CHANGED', 'NEVER', 'GONE', 'FLIPPED']) await makeTenant(code);
      await backUp('KNOWN');
      await backUp('FLIPPED');
      const flipped = await backUp('FLIPPED');
      const first = await backUp('CHANGED');
      const { result: tenants } = await call(tenantRoutes.list);
      const idOf = (wanted: string) => tenants.find(({ code }: { code: string }) => code === wanted).id;
      const id = idOf('GONE');
      const reader = { id: idOf('KNOWN'), access: 'read', overlapMinutes: 0 };
      expect(await call(credentialRoutes.rotate, { body: reader })).toMatchObject({ success: true });
      expect(await call(tenantRoutes.delete, { query: { id } })).toMatchObject({ success: true });
      const control = await installation.databaseUrl();
      // No worker takes it, as only another version knows its kind.
      await withClient(control, (client) =>
        client.query(
          `insert into operations (id, kind, database_id, database_name, input, actor_name, address, state, steps, size_bytes, created_at)
           select gen_random_uuid(), 'later', id, name, '{}', 'admin', 'test', 'queued', '{Copying}', 0, now()
           from databases where name = 'NEVER'`,
        ),
      );
      const { result: apiKey } = await call(apiKeyRoutes.create, {
        body: { name: 'nightly', scopes: ['tenants.read'] },
      });
      await backUpInstallation();
      expect(await call(apiKeyRoutes.delete, { query: { id: apiKey.id } })).toMatchObject({ success: true });
      const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
      const logins = await readLogins(control, secrets);
      const changed = logins.find(({ name }) => name === 'CHANGED');
      await withClient(withDatabaseName(control, changed?.physicalName ?? ''), (client) =>
        client.query("insert into public.units (name, abbreviation) values ('Later', 'l')"),
      );
      const second = await backUp('CHANGED');
      await makeTenant('LATER');
      await backUp('LATER');
      const [{ path = '', content = Buffer.of() } = {}] = s3.objects().filter(({ name }) => name.startsWith(flipped));
      content.writeUInt8(content.readUInt8(content.length - 9) ^ 1, content.length - 9);
      await writeFile(path, content);
      await installation.killPostgres();
      await rm(dataDir, { recursive: true });

      const recovered = join(folder, 'new');
      const environment = { ...store, APOTHECA_DATA_DIR: recovered };
      // Begun by a clock that is a year ahead, and gone on with by the right one.
      const begun = startRecovery({ ...environment, NODE_OPTIONS: `--import=${AHEAD}` }, ['--identity', key]);
      await vi.waitFor(() => expect(begun.output()).toContain('Recovering from'), { ...PATIENCE, interval: 5 });
      begun.kill();
      await begun.ended;
      const found = await runRecovery(environment, ['--identity', key]);
      expect(found.output).toContain('3 of 4 databases are back.');
      expect(found.output).toMatch(/^NEWER CHANGED: as of /m);
      expect(found.output).toMatch(/^OLDER FLIPPED: as of .*; the backup of .* cannot be used: /m);
      expect(found.output).toMatch(/^MISSING NEVER: no store has a backup of it$/m);
      expect(found.output).toMatch(/^UNKNOWN db_\w+_later: /m);
      expect(found.output).toContain('Parked databases are in no backup, and gone: GONE');
      expect(found.output).toContain('Operations that were under way have ended as failed: 1');
      expect(found.output).toMatch(/^What was revoked, .* after \d{4}-.* UTC is as it was before:$/m);
      expect(found.output.split('\n').filter((line) => line.startsWith('CHECK '))).toEqual([
        'CHECK 1 API key: a revoked one is valid again, a new one is unknown',
        'CHECK 1 active user: who was deactivated can sign in again, with role, password and second factor of then',
        "CHECK 1 login of tenants' databases: a revoked one works again, a rotated one with the password of then",
        'CHECK 4 active tenants: a deleted one is there again, the database of a deactivated one is open',
      ]);
      expect(found.output).not.toMatch(/KEY1|HUSH|AGE-SECRET|PROBLEM/);
      expect(found.code).toBe(2);
      // Until the server is started, what is missing may still be found.
      expect((await runRecovery(environment, ['--identity', key])).output).toContain('3 of 4 databases are back.');

      const server = makeKillable(recovered, settings);
      await server.start();
      try {
        const url = await server.databaseUrl();
        const units = await Promise.all(
          logins.filter(({ name }) => name !== 'NEVER').map((login) => readUnits(url, login)),
        );
        expect(units).toEqual([['CHANGED', 'Later'], ['FLIPPED'], ['KNOWN']]);
        const { rows } = await withClient(url, (client) =>
          client.query(
            `select
            (select count(*)::int from operations where state in ('queued', 'running')) as unfinished,
            (select count(*)::int from databases where state <> 'ready') as unready,
            (select array_agg(backup_id::text order by backup_id::text) from backup_copies
             where state = 'copied' and backup_id = any($1)) as copied`,
            [[first, second]],
          ),
        );
        expect(rows).toEqual([{ unfinished: 0, unready: 0, copied: [first, second].toSorted() }]);
        const { url: address } = server.server();
        const { result } = await callServer(address, tenantRoutes.list, { token: await signInToServer(address) });
        expect(result).toHaveLength(4);
        // As it was told: it was revoked after the backup of the control database.
        expect(await callServer(address, tenantRoutes.list, { token: apiKey.key })).toMatchObject({ success: true });
      } finally {
        await server.stop();
      }
    },
    { setting: s3.setting, ...credentials },
  );
});
