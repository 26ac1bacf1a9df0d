import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
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
