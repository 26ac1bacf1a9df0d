import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../app.ts';
import { openPlatform } from '../db/platform.ts';
import { makeEngine } from '../operations/engine.ts';
import type { OperationsContext } from '../operations/operation-kind.ts';
import { useTestApp } from '../testing/app.ts';
import { measureParts, partsOf } from './parts.ts';

const test = useTestApp();
let clusterDir: string;
const away = openPlatform({ url: 'postgresql://nobody:secret@127.0.0.1:1/none', maxConnections: 1 });

beforeAll(async () => {
  clusterDir = await mkdtemp(join(tmpdir(), 'apotheca-cluster-'));
});
afterAll(async () => {
  await rm(clusterDir, { recursive: true, force: true });
  await away.platform.destroy();
});

const runsAs = (pid: number) => writeFile(join(clusterDir, 'postmaster.pid'), `${pid}\n${clusterDir}\n`);

/** What /readyz answers of a server with parts that are changed. */
async function readiness(change: Partial<OperationsContext>, isWorking?: () => boolean) {
  const app = await buildApp({ ...test.context, ...change }, { logLevel: 'silent', isWorking });
  try {
    const { statusCode, payload } = await app.inject('/readyz');
    return { statusCode, payload, body: JSON.parse(payload) };
  } finally {
    await app.close();
  }
}

async function upParts(change: Partial<OperationsContext>, isWorking?: () => boolean): Promise<string[]> {
  const registry = new Registry();
  measureParts(partsOf({ ...test.context, ...change }, isWorking), registry);
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith('part_up'));
}

describe('/readyz', () => {
  it('tells how each part stands that the process has [DECISIONS §13]', async () => {
    await runsAs(process.pid);
    expect(await readiness({ clusterDir }, () => true)).toMatchObject({
      statusCode: 200,
      body: {
        message: 'ready',
        result: { parts: { controlDatabase: 'up', embeddedPostgres: 'up', operations: 'up', disk: 'up' } },
      },
    });
  });

  it('is 503 while the control database is away, and tells what else is, without what it was reached by [DECISIONS §13]', async () => {
    // A process that has ended: the largest id that Linux gives is 2 ** 22.
    await runsAs(2 ** 30);
    const { statusCode, payload, body } = await readiness({ ...away, clusterDir }, () => true);
    expect({ statusCode, body }).toMatchObject({
      statusCode: 503,
      body: {
        title: 'Database unavailable',
        result: { parts: { controlDatabase: 'down', embeddedPostgres: 'down', operations: 'up', disk: 'up' } },
      },
    });
    expect(payload).not.toMatch(/nobody|secret|127\.0\.0\.1/);
  });

  it('stays 200 where another part is down: a balancer would take the console away [DECISIONS §13]', async () => {
    expect(await readiness({}, () => false)).toMatchObject({
      statusCode: 200,
      body: { result: { parts: { controlDatabase: 'up', operations: 'down', disk: 'up' } } },
    });
  });
});

it('/metrics has the same as figures [DECISIONS §13]', async () => {
  expect(await upParts({}, () => false)).toEqual([
    'part_up{part="controlDatabase"} 1',
    'part_up{part="operations"} 0',
    'part_up{part="disk"} 1',
  ]);
  expect(await upParts(away)).toContain('part_up{part="controlDatabase"} 0');
});

it('operations are down before the engine of a process is started, and up while it looks for them [DECISIONS §13]', async () => {
  expect(makeEngine(test.context, () => {}).isWorking()).toBe(false);
  await expect.poll(() => test.engine.isWorking()).toBe(true);
});
