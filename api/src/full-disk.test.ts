import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { faqImageRoutes } from '@apotheca/contract/faq-images';
import { faqRoutes } from '@apotheca/contract/faqs';
import { type Finding, findingRoutes } from '@apotheca/contract/findings';
import { operationRoutes } from '@apotheca/contract/operations';
import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import type { ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import pg from 'pg';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { openEntryList } from './features/databases/backups/archive/archive-store.ts';
import { tenantInput } from './testing/builders.ts';
import { faqInput } from './testing/faqs.ts';
import { type KillableInstallation, makeKillable } from './testing/killable-installation.ts';
import { callServer, signInToServer, withDataDir } from './testing/server-process.ts';

const MEBIBYTE = 1024 * 1024;
const PASSWORD = 'correct horse';
const FULL = 'The disk of PostgreSQL is full: nothing more can be written there. Make room on it, then try again.';

/** A small disk, mounted at a folder. */
interface Disk {
  /** Takes all of its room. */
  fill(): void;
  makeRoom(): void;
}

/** Runs `work` with a data folder of which one folder, or all, is on a disk of its own, of memory: it is full as any other is. */
function withDisk(folder: string, size: string, work: (dataDir: string, disk: Disk) => Promise<void>): Promise<void> {
  return withDataDir(async (dataDir) => {
    const place = join(dataDir, folder);
    const filler = join(place, 'filler');
    mkdirSync(place, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', place]);
    try {
      await work(dataDir, { fill: () => fill(filler), makeRoom: () => rmSync(filler) });
    } finally {
      execFileSync('umount', ['--lazy', place]);
    }
  });
}

function fill(path: string): void {
  const file = openSync(path, 'w');
  for (let size = MEBIBYTE; size >= 1; size /= 16) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  closeSync(file);
}

async function withInstallation(
  dataDir: string,
  work: (installation: KillableInstallation, call: Call) => Promise<void>,
): Promise<void> {
  const environment = {
    APOTHECA_ADMIN_PASSWORD: PASSWORD,
    APOTHECA_DEMO: 'off',
    APOTHECA_DRAIN_SECONDS: '0',
    LOG_LEVEL: 'silent',
  };
  const installation = makeKillable(dataDir, environment);
  await installation.start();
  try {
    const { url } = installation.server();
    const token = await signInToServer(url, PASSWORD);
    await work(installation, (route, options = {}) => callServer(url, route, { token, ...options }));
  } finally {
    await installation.stop();
  }
}

type Call = (
  route: ContractRoute,
  options?: { query?: Record<string, string>; body?: unknown },
) => ReturnType<typeof callServer>;

const readiness = async ({ server }: KillableInstallation) => {
  const answer = await fetch(`${server().url}/readyz`);
  return { status: answer.status, message: ((await answer.json()) as { message: string }).message };
};

/** What no call may leave: open findings, unfinished operations, unfinished files. */
async function leftovers(dataDir: string, call: Call) {
  const { findings } = (await call(reconciliationRoutes.reconcile)).result;
  const operations = (await call(operationRoutes.list)).result;
  return {
    findings,
    unfinished: operations.filter(({ state }: { state: string }) => state === 'queued' || state === 'running'),
    files: (await readdir(join(dataDir, 'backups'))).filter((name) => !name.endsWith('.dump')),
  };
}

// A disk of its own needs the rights of root. What each call answers to the system's errors has tests that need none.
it.runIf(process.getuid?.() === 0)(
  'a full disk is told by its name, costs nothing that was answered, and leaves nothing when there is room again [§8]',
  async () => {
    await withDisk('.', '400m', async (dataDir, disk) => {
      await withInstallation(dataDir, async (installation, call) => {
        await call(tenantRoutes.create, { body: tenantInput('HOME') });
        const { id: backup } = (await call(backupRoutes.create, { query: { databaseName: 'HOME' } })).result;
        const { id: faq } = (await call(faqRoutes.create, { body: faqInput({ code: 'KEPT' }) })).result;
        const writer = new pg.Client(await installation.databaseUrl());
        writer.on('error', () => {});
        await writer.connect();

        // A file of the write-ahead log with all its room is there: the commit of the message makes it.
        await writer.query('select pg_switch_wal()');
        await writer.query("select pg_logical_emit_message(true, 'room', '')");
        disk.fill();
        const picture = await sharp({ create: { width: 900, height: 700, channels: 3, background: 'red' } })
          .png()
          .toBuffer();
        const calls: [ContractRoute, Parameters<Call>[1]][] = [
          [tenantRoutes.create, { body: tenantInput('ROOMLESS') }],
          [backupRoutes.create, { query: { databaseName: 'HOME' } }],
          [backupRoutes.upload, { query: { databaseName: 'ELSEWHERE' }, body: Buffer.alloc(3 * MEBIBYTE) }],
          [faqImageRoutes.upload, { body: picture }],
          [databaseRoutes.details, { query: { databaseName: 'HOME' } }],
        ];
        for (const [route, options] of calls) {
          const { status, message } = await call(route, options);
          // What still fits into a page or a file that there is, is done.
          expect([200, 507], `${route.path}: ${message}`).toContain(status);
          if (status === 507) expect(message).toMatch(/^The (disk|folder) of /);
        }
        expect(await call(tenantRoutes.list)).toMatchObject({ status: 200 });
        const findings: Finding[] = (await call(findingRoutes.list)).result;
        expect(findings.map(({ kind }) => kind)).toContain('disk-full');

        // What is answered with success is written down; then the write-ahead log is full too, and PostgreSQL ends.
        let name = '';
        for (let turn = 0; turn < 20; turn += 1) {
          const answer = await call(faqRoutes.edit, {
            body: { ...faqInput({ name: `Turn ${turn}`, code: 'KEPT' }), id: faq },
          });
          expect([200, 507]).toContain(answer.status);
          if (answer.status === 200) name = `Turn ${turn}`;
        }
        const flood =
          "select pg_logical_emit_message(false, 'flood', repeat('x', 4000000)) from generate_series(1, 200)";
        await expect(writer.query(flood)).rejects.toThrow();
        await expect.poll(() => readiness(installation)).toEqual({ status: 503, message: FULL });
        expect(await call(tenantRoutes.list)).toMatchObject({ success: false, message: FULL });

        disk.makeRoom();
        await expect.poll(() => readiness(installation)).toEqual({ status: 200, message: 'ready' });
        const kept = (await call(faqRoutes.list)).result.find(({ code }: { code: string }) => code === 'KEPT');
        if (name !== '') expect(kept.name).toBe(name);
        expect(await call(backupRoutes.restore, { query: { id: backup, databaseName: 'RESTORED' } })).toMatchObject({
          status: 200,
        });
        await expect.poll(() => leftovers(dataDir, call)).toEqual({ findings: [], unfinished: [], files: [] });
      });
    });
  },
);

it.runIf(process.getuid?.() === 0)(
  'a full disk of the backups alone leaves everything else as it is [§8]',
  async () => {
    await withDisk('backups', '20m', async (dataDir, disk) => {
      await withInstallation(dataDir, async (_installation, call) => {
        await call(tenantRoutes.create, { body: tenantInput('HOME') });
        const { id } = (await call(backupRoutes.create, { query: { databaseName: 'HOME' } })).result;
        disk.fill();
        const restore = { query: { id, databaseName: 'RESTORED' } };
        const full = { status: 507, message: expect.stringMatching(/^The (disk|folder) of .* (full|room)/) };
        expect(await call(backupRoutes.create, { query: { databaseName: 'HOME' } })).toMatchObject(full);
        expect(await call(backupRoutes.restore, restore)).toMatchObject(full);
        const body = Buffer.alloc(3 * MEBIBYTE);
        expect(await call(backupRoutes.upload, { query: { databaseName: 'ELSEWHERE' }, body })).toMatchObject(full);
        expect(await call(tenantRoutes.create, { body: tenantInput('OTHER') })).toMatchObject({ status: 200 });
        disk.makeRoom();
        expect(await call(backupRoutes.restore, restore)).toMatchObject({ status: 200 });
        expect(await leftovers(dataDir, call)).toEqual({ findings: [], unfinished: [], files: [] });
      });
    });
  },
);

it.runIf(process.getuid?.() === 0)('a list of entries that finds no room is closed at once [§2.13]', async () => {
  await withDisk('.', '1m', async (dataDir, disk) => {
    const store = { backupDir: join(dataDir, 'backups') };
    const openFiles = async () => {
      const all = await readdir('/proc/self/fd');
      const paths = await Promise.all(all.map((each) => readlink(join('/proc/self/fd', each)).catch(() => '')));
      return paths.filter((path) => path.startsWith(dataDir));
    };
    const list = await openEntryList(store, 'first', ['1', '2']);
    expect(await openFiles()).toHaveLength(1);
    await list.close();
    disk.fill();
    await expect(openEntryList(store, 'second', ['1', '2'])).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await openFiles()).toEqual([]);
  });
});
