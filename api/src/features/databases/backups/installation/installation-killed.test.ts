import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { withClient } from '../../../../testing/databases.ts';
import { withMachine } from '../../../../testing/lost-machine.ts';
import { type S3Server, startS3Server } from '../../../../testing/s3-server.ts';

const INSTALLATION = 'installation-';

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3Server();
});
afterAll(() => s3.close());

it('a backup of the installation whose server is killed in mid-upload leaves nothing, and is made after the next start [DECISIONS §13]', async () => {
  const credentials = { AWS_ACCESS_KEY_ID: 'KEY1', AWS_SECRET_ACCESS_KEY: 'HUSH' };
  await withMachine(
    async ({ installation, dataDir, backUpInstallation }) => {
      await backUpInstallation();
      const names = () =>
        s3
          .objects()
          .map(({ name }) => name)
          .filter((name) => name.startsWith(INSTALLATION));
      const before = names();
      const reachedPart = Promise.withResolvers<void>();
      s3.faults.choose((call, path) => {
        // The start of the server also writes an anchor of the audit trail.
        if (call !== 'part' || !path.includes(INSTALLATION)) return undefined;
        reachedPart.resolve();
        return { hold: new Promise(() => {}) };
      });
      // As if a day had passed, and the lease of a server that was killed with it.
      const makeDue = async () =>
        withClient(await installation.databaseUrl(), (client) =>
          client.query("update installation_copies set due_at = now(), copied_at = now() - interval '2 days'"),
        );
      await makeDue();
      await reachedPart.promise;
      await installation.killServer();
      expect(s3.rests()).toHaveLength(1);
      s3.faults.choose(() => undefined);
      await installation.start();
      await makeDue();
      await backUpInstallation();
      expect(s3.rests()).toEqual([]);
      // One before goes when a new one of its day is whole.
      expect(names()).not.toEqual([]);
      const dayOf = (name: string) => name.slice(0, `${INSTALLATION}20261123`.length);
      await vi.waitFor(() => expect(names()).toHaveLength(new Set(names().map(dayOf)).size), { timeout: 60_000 });
      expect(names()).not.toEqual(before);
      expect(await readdir(join(dataDir, 'backups'))).toEqual([]);
    },
    { setting: s3.setting, ...credentials },
  );
});
