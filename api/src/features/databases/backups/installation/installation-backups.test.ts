import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readStorePlaces } from '../../../../backup-stores.ts';
import { useTestApp } from '../../../../testing/app.ts';
import { PATIENCE } from '../../../../testing/lost-machine.ts';
import { type S3Server, startS3Server } from '../../../../testing/s3-server.ts';
import { emptyStore, filesInStore } from '../../../../testing/store-folder.ts';
import { startInstallationBackups } from './installation-backups.ts';
import { claimInstallation } from './installation-copies.repository.ts';
import { measureInstallationBackups } from './installation-figures.ts';
import { objectName, planRemoval } from './installation-manifest.ts';

const run = promisify(execFile);
const test = useTestApp();
const secrets = { secret: 'the secret of this installation', adminPassword: 'admin', postgresPassword: 'postgres' };
const keptApart = { secrets, settings: { APOTHECA_PARK_DAYS: '3' } };

let s3: S3Server;
let disk = '';
let identity = '';
let recipient = '';
const failures: unknown[] = [];
let worker: ReturnType<typeof startInstallationBackups> | undefined;

beforeAll(async () => {
  process.env.AWS_ACCESS_KEY_ID = 'test';
  process.env.AWS_SECRET_ACCESS_KEY = 'test';
  s3 = await startS3Server();
  disk = await mkdtemp(join(tmpdir(), 'apotheca-store-'));
  identity = await generateX25519Identity();
  recipient = await identityToRecipient(identity);
});
afterAll(async () => {
  await s3.close();
  await rm(disk, { recursive: true });
});
afterEach(async () => {
  await stop();
  s3.faults.choose(() => undefined);
  await test.context.pool.query('delete from installation_copies');
  for (const { path } of s3.objects()) await rm(path);
  await emptyStore(disk);
  failures.length = 0;
});

function start(lease = 60): void {
  worker = startInstallationBackups(test.context, keptApart, (error) => failures.push(error), { poll: 10, lease });
}
async function stop(): Promise<void> {
  await worker?.stop();
  worker = undefined;
}
function useStores(setting: string, recipients: readonly string[] = [recipient]): void {
  test.context.stores = { places: readStorePlaces(setting), recipients };
}
const rows = async () =>
  (
    await test.context.pool.query(
      'select state, object, attempts, last_error as reason, due_at > now() as rests from installation_copies',
    )
  ).rows;
const whenCopied = () =>
  vi.waitFor(async () => expect(await rows()).toMatchObject([{ state: 'copied', rests: true }]), PATIENCE);
const becomeDue = () => test.context.pool.query('update installation_copies set due_at = now()');
const names = async () => (await filesInStore(disk)).toSorted();

describe('backups of the installation', () => {
  it('seal secret and settings to the operator, after a dump that has nobody signed in [DECISIONS §13]', async () => {
    useStores(`file:${disk}`);
    start();
    await whenCopied();
    const [name = ''] = await names();
    expect(name).toBe(objectName(test.context.now(), secrets.secret));
    const sealed = await readFile(join(disk, name));
    expect(sealed.includes(secrets.secret)).toBe(false);
    // By hand, as docs/operations.md says.
    const key = join(disk, 'key');
    await writeFile(key, `${identity}\n`);
    const opened = `age --decrypt --identity '${key}' '${join(disk, name)}'`;
    const { stdout } = await run('sh', ['-c', `${opened} | tail -n 3 | head -n 1`]);
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, ...keptApart });
    const { stdout: contents } = await run('sh', ['-c', `${opened} | pg_restore --list`]);
    expect(contents).toMatch(/TABLE DATA public users /);
    // Nothing of it is on this machine.
    expect(await readdir(test.context.backupDir)).toEqual([]);
  });

  const makeOne = async () => {
    await becomeDue();
    start();
    await whenCopied();
    await stop();
    await becomeDue();
  };
  const isWanted = async () => {
    const attempt = { run: randomUUID(), lease: 60, longest: 3_600 };
    return (await claimInstallation(test.context.platform, [`file:${disk}`], attempt)) !== undefined;
  };

  it('are made again when something has changed, or after a day [DECISIONS §13]', async () => {
    useStores(`file:${disk}`);
    await makeOne();
    expect(await isWanted()).toBe(false);
    await test.context.pool.query("update installation_copies set copied_at = now() - interval '25 hours'");
    expect(await isWanted()).toBe(true);
    await makeOne();
    expect(await isWanted()).toBe(false);
    await test.signIn();
    expect(await isWanted()).toBe(true);
  });

  it.each(['copying', 'copied', 'failed'])(
    'are not put off by a clock that was ahead, as one that is %s [DECISIONS §13]',
    async (state) => {
      useStores(`file:${disk}`);
      await makeOne();
      const set = (ahead: string) =>
        test.context.pool.query(
          `update installation_copies set state = $1, due_at = now() + $2::interval, copied_at = now() + $2::interval`,
          [state, ahead],
        );
      await set('1 hour');
      expect(await isWanted()).toBe(false);
      await set('1 year');
      expect(await isWanted()).toBe(true);
    },
  );

  it('say why one failed, and are tried again; nothing of a failed one stays [DECISIONS §13]', async () => {
    useStores(s3.setting);
    s3.faults.choose((call) => (call === 'complete' ? { refuse: 507 } : undefined));
    start();
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{ state: 'failed', attempts: 1 }]), PATIENCE);
    expect(await rows()).toMatchObject([{ reason: expect.stringContaining('No room for this.') }]);
    expect(s3.rests()).toEqual([]);
    const registry = new Registry();
    measureInstallationBackups(test.context, registry);
    expect(await registry.metrics()).toMatch(/installation_backup_failures\{store="s3:[^"]+"\} 1\n/);
    expect(await registry.metrics()).toMatch(/installation_backup_timestamp_seconds\{store="s3:[^"]+"\} 0\n/);
    s3.faults.choose(() => undefined);
    await becomeDue();
    await whenCopied();
    expect(s3.objects()).toHaveLength(1);
    expect(failures).toEqual([]);
  });

  it('that fail three times in a row are told in the audit trail, once [DECISIONS §13]', async () => {
    useStores(s3.setting);
    s3.faults.choose((call) => (call === 'complete' ? { refuse: 507 } : undefined));
    const entries = () =>
      test.context.platform
        .selectFrom('auditEntries')
        .select(['actorName', 'changes'])
        .where('action', '=', 'installation.backup-failed')
        .execute();
    start();
    for (const attempts of [1, 2, 3, 4]) {
      await vi.waitFor(async () => expect(await rows()).toMatchObject([{ state: 'failed', attempts }]), PATIENCE);
      expect(await entries()).toHaveLength(attempts < 3 ? 0 : 1);
      await becomeDue();
    }
    const [store] = test.context.stores.places.map(({ name }) => name);
    const changes = { store, reason: expect.stringContaining('No room for this.') };
    expect(await entries()).toEqual([{ actorName: 'server', changes }]);
    expect(failures).toHaveLength(1);
  });

  it('are not made where nothing can be sealed [DECISIONS §13]', async () => {
    useStores(`file:${disk}`, []);
    start();
    await stop();
    expect(await names()).toEqual([]);
    // Left of a time with a recipient.
    await test.context.pool.query(
      "insert into installation_copies (store, state, attempts) values ($1, 'failed', 3) on conflict (store) do update set attempts = 3",
      [`file:${disk}`],
    );
    const registry = new Registry();
    measureInstallationBackups(test.context, registry);
    expect(await registry.metrics()).toMatch(/installation_backup_timestamp_seconds\{store="file:[^"]+"\} 0\n/);
    expect(await registry.metrics()).not.toContain('installation_backup_failures{');
  });

  it('keep the newest of each of seven days, and leave those of others alone [DECISIONS §13]', async () => {
    const at = (day: number, hour: number) => objectName(new Date(Date.UTC(2026, 9, day, hour)), secrets.secret);
    const older = Array.from({ length: 9 }, (_, day) => [at(day + 1, 3), at(day + 1, 20)]).flat();
    const others = [objectName(new Date(0), 'of another installation'), 'something else'];
    const kept = Array.from({ length: 7 }, (_, day) => at(day + 3, 20));
    const removed = planRemoval([...older, ...others].toSorted(), at(9, 20));
    expect(older.filter((name) => !removed.includes(name))).toEqual(kept);
    expect(removed.filter((name) => others.includes(name))).toEqual([]);
    for (const name of [...older, ...others]) await writeFile(join(disk, name), '');
    useStores(`file:${disk}`);
    start();
    await whenCopied();
    await stop();
    // The one that was made now is of a day of its own.
    const own = objectName(test.context.now(), secrets.secret);
    expect(await names()).toEqual([...kept.slice(1), own, ...others].toSorted());
  });

  it('keep the one that was made last, although a clock that was ahead has named seven of later days [DECISIONS §13]', async () => {
    const at = (year: number, day: number) => objectName(new Date(Date.UTC(year, 9, day)), secrets.secret);
    const ahead = Array.from({ length: 7 }, (_, day) => at(2030, day + 1));
    for (const days of [1, 3, 7, 9]) {
      const real = Array.from({ length: days }, (_, day) => at(2026, day + 1));
      const removed = planRemoval([...ahead, ...real], real.at(-1) ?? '');
      expect(removed).toEqual([...real.slice(0, -7).toReversed(), ...ahead.slice(0, Math.min(days, 7)).toReversed()]);
    }
    for (const name of ahead) await writeFile(join(disk, name), '');
    useStores(`file:${disk}`);
    start();
    await whenCopied();
    await stop();
    const own = objectName(test.context.now(), secrets.secret);
    expect(await names()).toEqual([...ahead.slice(1), own].toSorted());
  });
});
