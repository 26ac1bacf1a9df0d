import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startEmbeddedPostgres, stopRunning } from './embedded-postgres.ts';
import { freePort } from './free-port.ts';

vi.mock('./free-port.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('./free-port.ts')>();
  return { freePort: vi.fn(original.freePort) };
});

const refused = () => Promise.reject(new Error('pg_ctl ended with code 1'));

/** Answers of `isRunning`, one after another. */
const answers =
  (...all: boolean[]) =>
  async () =>
    all.shift() ?? false;

it('a server that stops while it is being stopped is no error [DECISIONS §2]', async () => {
  await expect(stopRunning(answers(true, false), refused)).resolves.toBeUndefined();
});

it('a server that cannot be stopped is an error [DECISIONS §2]', async () => {
  await expect(stopRunning(answers(true, true), refused)).rejects.toThrow('pg_ctl ended with code 1');
});

it('a server that does not run is not stopped [DECISIONS §2]', async () => {
  await expect(stopRunning(answers(false), refused)).resolves.toBeUndefined();
});

it('a port that another process takes before the server listens is left for another one [DECISIONS §2]', async () => {
  const occupant = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void occupant.close());
  await once(occupant, 'listening');
  const { port } = occupant.address() as AddressInfo;
  vi.mocked(freePort).mockResolvedValueOnce(port);
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-port-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), password: 'test' });
  onTestFinished(postgres.stop);
  expect(new URL(postgres.url).port).not.toBe(String(port));
});

it('a server that does not take the password of its start is stopped, so that its folder can be replaced [DECISIONS §2]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-password-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'postgres');
  await (await startEmbeddedPostgres({ dataDir, password: 'first' })).stop();
  await expect(startEmbeddedPostgres({ dataDir, password: 'second' })).rejects.toMatchObject({ code: '28P01' });
  await expect(stat(join(dataDir, 'postmaster.pid'))).rejects.toMatchObject({ code: 'ENOENT' });
  const postgres = await startEmbeddedPostgres({ dataDir, password: 'first' });
  onTestFinished(postgres.stop);
});

it('a server that another process has started is left to it by a start with a wrong password [DECISIONS §2]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-password-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'postgres');
  const postgres = await startEmbeddedPostgres({ dataDir, password: 'first' });
  onTestFinished(postgres.stop);
  await expect(startEmbeddedPostgres({ dataDir, password: 'second' })).rejects.toMatchObject({ code: '28P01' });
  await stat(join(dataDir, 'postmaster.pid'));
});

it.each([
  ['cannot load libicuuc.so.60', 'once more\ncannot load libicuuc.so.60'],
  ['initdb: error: no room', 'initdb: error: no room\ninitdb: removing data directory'],
])('a cluster that cannot be made says why: %s [DECISIONS §2]', async (reason, said) => {
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-initdb-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // Whoever runs it need not be who made it.
  await chmod(folder, 0o755);
  const initdb = join(folder, 'initdb');
  await writeFile(initdb, `#!/bin/sh\necho '${said}' >&2\nexit 127\n`, { mode: 0o755 });
  const programs = { initdb, pg_ctl: initdb, postgres: initdb };
  const start = startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), password: 'test', programs });
  await expect(start).rejects.toThrow(new Error(`${initdb} ended with code 127: ${reason}`));
});

describe('a postmaster.pid that was left behind', () => {
  /** What a cluster's postmaster.pid says, where another process of the same account has the number of its postmaster now. */
  const leftBehind = async (state: string, workingDirectory: (dataDir: string) => string) => {
    const folder = await mkdtemp(join(tmpdir(), 'apotheca-left-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const dataDir = join(folder, 'postgres');
    const file = join(dataDir, 'postmaster.pid');
    const first = await startEmbeddedPostgres({ dataDir, password: 'test' });
    const lines = (await readFile(file, 'utf8')).split('\n');
    await first.stop();
    const { uid, gid } = await stat(dataDir);
    const other = spawn('sleep', ['infinity'], { uid, gid, cwd: workingDirectory(dataDir), stdio: 'ignore' });
    onTestFinished(() => void other.kill());
    await once(other, 'spawn');
    await writeFile(file, [other.pid, ...lines.slice(1, 7), state.padEnd(8), ''].join('\n'));
    return { dataDir, file, other: String(other.pid) };
  };

  it.each(['ready', 'starting', 'stopping'])(
    'by a server that was %s is removed where its number is another process’s now [DECISIONS §2]',
    async (state) => {
      const { dataDir, file, other } = await leftBehind(state, () => '/');
      const postgres = await startEmbeddedPostgres({ dataDir, password: 'test' });
      onTestFinished(postgres.stop);
      expect((await readFile(file, 'utf8')).split('\n')[0]).not.toBe(other);
    },
  );

  it('is waited for where its process works in the cluster, until the start is to end [DECISIONS §2]', async () => {
    const { dataDir, file, other } = await leftBehind('starting', (folder) => folder);
    const stopping = new AbortController();
    const start = startEmbeddedPostgres({ dataDir, password: 'test', signal: stopping.signal });
    stopping.abort();
    await expect(start).rejects.toThrow('it was stopped while the embedded PostgreSQL was starting or stopping');
    expect((await readFile(file, 'utf8')).split('\n')[0]).toBe(other);
  });
});
