import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Fault } from '../testing/faulty-s3.ts';
import { makeKillable } from '../testing/killable-installation.ts';
import { IS_LONG_RUN } from '../testing/long-run.ts';
import { PATIENCE, readLogins, readUnits, runRecovery, startRecovery, withMachine } from '../testing/lost-machine.ts';
import { type S3Server, startS3Server } from '../testing/s3-server.ts';

const CODES = ['ONE', 'TWO'];

// Only finds what hangs.
vi.setConfig({ testTimeout: 900_000 });

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3Server();
});
afterAll(() => s3.close());

/** A request at which the server of the bucket is killed, and what the run says. */
interface Kill {
  what: string;
  /** @param path with the query */
  isAt(path: string): boolean;
  fault?: Fault;
  code: number;
  says: RegExp;
}

const isList = (path: string) => path.includes('list-type');
const isInstallation = (path: string) => path.includes('installation-');
const isArchive = (path: string) => !isList(path) && /[0-9a-f]{8}-[0-9a-f-]{27}\.dump\.age/.test(path);
/** That the store was away, and not that what it has is damaged. */
const GONE = 'ECONNREFUSED|ECONNRESET|socket hang up|aborted';

const KILLS: Kill[] = [
  {
    what: 'in the midst of an archive',
    isAt: isArchive,
    fault: 'break-off',
    code: 2,
    says: new RegExp(`^MISSING (ONE|TWO); the backup of .* cannot be used: .*(${GONE})`, 'm'),
  },
  {
    what: 'in the midst of the backup of the installation',
    isAt: (path) => isInstallation(path) && !isList(path),
    fault: 'break-off',
    code: 1,
    says: new RegExp(
      `^Not recovered: installation-.* cannot be opened: .*(${GONE}).*\\. Try again once the store answers`,
      'm',
    ),
  },
  {
    what: 'before backups of the installation are listed',
    isAt: (path) => isList(path) && isInstallation(path),
    code: 1,
    says: new RegExp(`^Not recovered: s3://.* cannot be read: .*(${GONE})`, 'm'),
  },
  {
    what: 'before the archives are listed',
    isAt: (path) => isList(path) && !isInstallation(path),
    code: 2,
    says: new RegExp(`^PROBLEM s3://.* cannot be read: .*(${GONE})`, 'm'),
  },
  {
    what: 'before an archive is read',
    isAt: isArchive,
    code: 2,
    says: new RegExp(`^MISSING (ONE|TWO); the backup of .* cannot be used: .*(${GONE})`, 'm'),
  },
];

/** Kills the server of the bucket at a request. @returns once it is gone */
async function killStoreAt({ isAt, fault }: Kill): Promise<void> {
  const reached = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  let isFirst = true;
  s3.faults.choose((_call, path) => {
    if (!isFirst || !isAt(path)) return undefined;
    isFirst = false;
    reached.resolve();
    return fault ?? { hold: gone.promise };
  });
  await reached.promise;
  await s3.kill();
  gone.resolve();
}

it('a store that is killed during recovery is told of, no older archive is taken for it, and the next run brings all back [DECISIONS §13]', async () => {
  const credentials = { AWS_ACCESS_KEY_ID: 'KEY1', AWS_SECRET_ACCESS_KEY: 'HUSH' };
  await withMachine(
    async ({ installation, dataDir, key, store, settings, makeTenant, backUp, backUpInstallation }, folder) => {
      for (const code of CODES) await makeTenant(code);
      // Each has an older archive too.
      for (const code of [...CODES, ...CODES]) await backUp(code);
      await backUpInstallation();
      const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
      const logins = await readLogins(await installation.databaseUrl(), secrets);
      await installation.killPostgres();
      await rm(dataDir, { recursive: true });
      const before = s3.objects().map(({ name }) => name);

      for (const kill of IS_LONG_RUN ? KILLS : KILLS.slice(0, 1)) {
        const recovered = join(folder, 'new');
        const environment = { ...store, APOTHECA_DATA_DIR: recovered, APOTHECA_BACKUP_IDENTITY: key };
        const gone = killStoreAt(kill);
        const cut = startRecovery(environment);
        await Promise.race([gone, cut.ended]);
        const { code, output } = await cut.ended;
        expect({ what: kill.what, code, output }).toMatchObject({
          code: kill.code,
          output: expect.stringMatching(kill.says),
        });
        expect(output).not.toMatch(/^OLDER |damaged|KEY1|HUSH|AGE-SECRET/m);
        await s3.start();
        s3.faults.choose(() => undefined);
        const whole = await runRecovery(environment);
        expect(whole).toMatchObject({ code: 0, output: expect.stringContaining('2 of 2 databases are back.') });
        expect((await readdir(recovered)).toSorted()).toEqual(['backups', 'postgres', 'recovered.env', 'secrets.json']);
        expect((await readdir(join(recovered, 'backups'))).filter((name) => !name.endsWith('.dump'))).toEqual([]);
        // Nothing of the store was changed.
        expect(s3.objects().map(({ name }) => name)).toEqual(before);
        // Without the store, in which it would put backups of its own.
        const server = makeKillable(recovered, { ...settings, APOTHECA_BACKUP_STORES: '' });
        await server.start();
        try {
          const url = await server.databaseUrl();
          for (const login of logins) expect(await readUnits(url, login)).toEqual([login.name]);
        } finally {
          await server.killPostgres();
          await rm(recovered, { recursive: true });
        }
      }
    },
    { setting: s3.setting, ...credentials },
  );
});

if (IS_LONG_RUN) {
  it('a folder that is taken away during recovery is told of, and the next run brings all back [DECISIONS §13]', async () => {
    await withMachine(async ({ installation, dataDir, key, store, makeTenant, backUp, backUpInstallation }, folder) => {
      for (const code of CODES) await makeTenant(code);
      for (const code of CODES) await backUp(code);
      await backUpInstallation();
      await installation.killPostgres();
      await rm(dataDir, { recursive: true });
      const copies = (store.APOTHECA_BACKUP_STORES ?? '').slice('file:'.length);
      // The key lies beside the copies.
      const kept = join(folder, 'key.txt');
      await rename(key, kept);
      const environment = { ...store, APOTHECA_DATA_DIR: join(folder, 'new'), APOTHECA_BACKUP_IDENTITY: kept };
      const cut = startRecovery(environment);
      await vi.waitFor(() => expect(cut.output()).toMatch('Control database: as of'), { ...PATIENCE, interval: 5 });
      await rename(copies, `${copies}-away`);
      const { code, output } = await cut.ended;
      await rename(`${copies}-away`, copies);
      expect(code).toBe(2);
      expect(output).toMatch(/^(PROBLEM file:|MISSING ).*ENOENT/m);
      expect(await runRecovery(environment)).toMatchObject({
        code: 0,
        output: expect.stringContaining('2 of 2 databases are back.'),
      });
    });
  });
}
