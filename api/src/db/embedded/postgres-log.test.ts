import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rotateLog } from './postgres-log.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'apotheca-log-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('a log that is too large is copied once and emptied while its writer has it open [DECISIONS §2]', async () => {
  const path = join(folder, 'server.log');
  await writeFile(path, 'short\n');
  await rotateLog(path, 100);
  expect(await readFile(path, 'utf8')).toBe('short\n');
  const writer = await open(path, 'a');
  for (const text of ['first', 'second']) {
    await writer.appendFile(`${text.repeat(100)}\n`);
    await rotateLog(path, 100);
    expect(await readFile(`${path}.1`, 'utf8')).toContain(text);
    await writer.appendFile('after\n');
    expect(await readFile(path, 'utf8')).toBe('after\n');
  }
  await writer.close();
});
