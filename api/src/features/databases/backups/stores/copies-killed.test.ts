import { execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { backupRoutes } from '@apotheca/contract/backups';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ADMINISTRATOR } from '../../../../testing/administrator.ts';
import { tenantInput } from '../../../../testing/builders.ts';
import { withClient } from '../../../../testing/databases.ts';
import { makeKillable } from '../../../../testing/killable-installation.ts';
import { startS3Server } from '../../../../testing/s3-server.ts';
import { callServer, runServer, signInToServer, withDataDir } from '../../../../testing/server-process.ts';

const run = promisify(execFile);
const PATIENCE = { timeout: 240_000, interval: 50 };

/** How the names of backups of the installation begin: they lie beside the archives. */
const INSTALLATION = 'installation-';
const AUDIT_ANCHOR = 'audit-anchor-';

/** Restores a copy by hand as docs/operations.md says, but that the store's client is not ours. @returns what pg_restore says of the archive */
async function decryptByTheGuide(
  copy: string,
  identity: string,
  folder: string,
): Promise<{ path: string; list: string }> {
  const guide = await readFile(new URL('../../../../../../docs/operations.md', import.meta.url), 'utf8');
  const [, , commands = ''] = /To restore from an encrypted copy by hand:\n+(```sh\n(.*?)```)/s.exec(guide) ?? [];
  expect(commands).toMatch(/^aws s3 cp .*\nage --decrypt .*\npg_restore --list /);
  await copyFile(copy, join(folder, 'ID.dump.age'));
  await writeFile(join(folder, 'apotheca.key'), `${identity}\n`);
  const { stdout } = await run('sh', ['-e', '-c', commands.replace(/^aws .*\n/, '')], { cwd: folder });
  return { path: join(folder, 'ID.dump'), list: stdout };
}

it('a copy whose server is killed in mid-upload is whole after the next start, and is restored by hand [DECISIONS §13]', async () => {
  const s3 = await startS3Server();
  onTestFinished(() => s3.close());
  const identity = await generateX25519Identity();
  await withDataDir(async (dataDir) => {
    const installation = makeKillable(dataDir, {
      APOTHECA_ADMIN_PASSWORD: ADMINISTRATOR.password,
      APOTHECA_DEMO: 'off',
      APOTHECA_BACKUP_STORES: s3.setting,
      APOTHECA_BACKUP_RECIPIENT: await identityToRecipient(identity),
      AWS_ACCESS_KEY_ID: 'KEY1',
      AWS_SECRET_ACCESS_KEY: 'HUSH',
    });
    await installation.start();
    try {
      const call = async (
        ...[route, options]: [Parameters<typeof callServer>[1], Parameters<typeof callServer>[2]?]
      ) => {
        const { url } = installation.server();
        return callServer(url, route, { ...options, token: await signInToServer(url) });
      };
      await call(tenantRoutes.create, { body: tenantInput('KILLED') });
      const reachedPart = Promise.withResolvers<void>();
      s3.faults.choose((name, path) => {
        if (name !== 'part' || path.includes(INSTALLATION) || path.includes(AUDIT_ANCHOR)) return undefined;
        reachedPart.resolve();
        return { hold: new Promise(() => {}) };
      });
      const { result: made } = await call(backupRoutes.create, { query: { databaseName: 'KILLED' } });
      await reachedPart.promise;
      await installation.killServer();
      s3.faults.choose(() => undefined);
      // As if the minute of its lease had passed.
      await withClient(await installation.databaseUrl(), (client) =>
        client.query('update backup_copies set due_at = now()'),
      );
      await installation.start();
      const list = async () => (await call(backupRoutes.list)).result;
      await vi.waitFor(async () => expect((await list())[0].copies[0].state).toBe('copied'), PATIENCE);
      // That of the installation may just be on its way.
      await vi.waitFor(() => expect(s3.rests()).toEqual([]), PATIENCE);
      const archives = s3
        .objects()
        .filter(({ name }) => !name.startsWith(INSTALLATION) && !name.startsWith(AUDIT_ANCHOR));
      expect(archives.map(({ name }) => name)).toEqual([`${made.id}.dump.age`]);
      const { path, list: contents } = await decryptByTheGuide(archives[0]?.path ?? '', identity, dataDir);
      const { stdout } = await run('sha256sum', [path]);
      expect(stdout.slice(0, 64)).toBe(made.sha256);
      expect(contents).toMatch(/dbname: db_\w+_killed$/m);
      expect(JSON.stringify(await list())).not.toMatch(/KEY1|HUSH/);
      expect(installation.server().output()).not.toMatch(/KEY1|HUSH/);
    } finally {
      await installation.stop();
    }
  });
});

it('a start with a recipient that is none, or a store in the folder of backups, is refused [DECISIONS §13]', async () => {
  await withDataDir(async (dataDir) => {
    const environment = { APOTHECA_DATA_DIR: dataDir, APOTHECA_BACKUP_STORES: `file:${join(dataDir, 'backups')}` };
    const wrong = await runServer({ ...environment, APOTHECA_BACKUP_RECIPIENT: 'age1qqq' });
    expect(wrong).toMatchObject({
      code: 1,
      output: expect.stringContaining('Recipient 1 of APOTHECA_BACKUP_RECIPIENT is'),
    });
    const same = await runServer(environment);
    expect(same).toMatchObject({
      code: 1,
      output: expect.stringContaining('names the folder that archives are written to'),
    });
  });
});
