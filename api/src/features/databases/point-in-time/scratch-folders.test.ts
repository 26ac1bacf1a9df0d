import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useTestApp } from '../../../testing/app.ts';
import { makeScratchFolder, removeLeftScratch } from './scratch-folders.ts';

const test = useTestApp();
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'apotheca-moments-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('what a kill left goes, and not what is under way or is no operation’s [DECISIONS §13]', async () => {
  const context = { ...test.context, clusterDir: join(folder, 'postgres') };
  const [left, underWay] = [randomUUID(), randomUUID()];
  // In a pause, or else the engine would take it for abandoned.
  await test.context.pool.query(
    `insert into operations (id, kind, database_id, database_name, input, actor_name, address, state, steps, size_bytes, created_at, resume_at)
     values ($1, 'restore-moment', $1, 'ACME', '{}', 'admin', '', 'running', '{}', 0, now(), now() + interval '60 seconds')`,
    [underWay],
  );
  for (const id of [left, underWay]) await makeScratchFolder(context, id);
  for (const name of ['lost+found', '.nfs0000']) await mkdir(join(folder, 'moments', name));
  await removeLeftScratch(context);
  expect((await readdir(join(folder, 'moments'))).toSorted()).toEqual(['.nfs0000', underWay, 'lost+found'].toSorted());
});

it('the archive lies where only the server can get to it, whatever the umask [DECISIONS §13]', async () => {
  const umask = process.umask(0o000);
  try {
    const context = { ...test.context, clusterDir: join(folder, 'postgres') };
    const { archivePath } = await makeScratchFolder(context, randomUUID());
    expect((await stat(dirname(archivePath))).mode & 0o077).toBe(0);
  } finally {
    process.umask(umask);
  }
});
