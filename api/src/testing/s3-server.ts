import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FaultyS3, openFaultyS3 } from './faulty-s3.ts';

const PROCESS = fileURLToPath(new URL('./s3-server-process.ts', import.meta.url));
const BUCKET = 'archives';

/** A process that speaks like S3, behind a proxy that makes faults. */
export interface S3Server {
  faults: FaultyS3;
  /** The setting of a store there, and the store's name. */
  setting: string;
  name: string;
  /** The objects that it has on its disk. */
  objects(): { name: string; path: string; content: Buffer }[];
  /** Files of unfinished uploads on its disk. */
  rests(): string[];
  /** SIGKILL; {@link start} starts it again with what it has on its disk. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function startS3Server(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-s3-'));
  let running = await launch(folder);
  const faults = await openFaultyS3(running.port);
  await fetch(`http://127.0.0.1:${running.port}/${BUCKET}`, { method: 'PUT' });
  const kill = async () => {
    // A test that failed may have left it killed.
    if (running.child.signalCode !== null) return;
    const gone = once(running.child, 'exit');
    running.child.kill('SIGKILL');
    await gone;
  };
  return {
    faults,
    setting: `s3://${BUCKET}/clinic?endpoint=${faults.url}`,
    name: `s3://${BUCKET}/clinic at ${new URL(faults.url).host}`,
    objects: () =>
      globSync('buckets/*/objects/clinic/*.data', { cwd: folder }).map((found) => {
        const path = join(folder, found);
        return { name: basename(found, '.data'), path, content: readFileSync(path) };
      }),
    rests: () => globSync('_multipart/*', { cwd: folder }),
    kill,
    async start() {
      running = await launch(folder);
      // Somebody else may have the port of before by now.
      faults.passTo(running.port);
    },
    async close() {
      await faults.close();
      await kill();
      await rm(folder, { recursive: true });
    },
  };
}

async function launch(folder: string) {
  const child = spawn(process.execPath, [PROCESS, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [ready] = await once(child.stdout, 'data');
  return { child, port: Number(String(ready)) };
}
