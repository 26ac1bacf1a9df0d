import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runProgram, THIRD_FILE } from './client-program.ts';

/** Like the folder of backups, it is closed to everybody but its owner. */
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'apotheca-closed-'));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

/** The output of a shell script that is run as pg_restore would be. */
async function outputOf(script: string, files: { input?: number; third?: number } = {}): Promise<string> {
  let output = '';
  const onOutput = (chunk: Buffer) => {
    output += chunk.toString();
  };
  await runProgram('/bin/sh', ['-c', script], { onOutput, files });
  return output;
}

it('a client program gets none of the server’s settings and secrets [§2.13]', async () => {
  vi.stubEnv('APOTHECA_SECRET', 'not to be told to anybody');
  vi.stubEnv('APOTHECA_ADMIN_PASSWORD', 'nor this');
  vi.stubEnv('DATABASE_URL', 'postgresql://postgres:this@127.0.0.1/apotheca');
  vi.stubEnv('PGSSLMODE', 'prefer');
  vi.stubEnv('PGSSLCRL', '/etc/apotheca/revoked.pem');
  const names = (await outputOf('env')).split('\n').map((line) => line.split('=')[0]);
  expect(names).toEqual(expect.arrayContaining(['PATH', 'PGSSLCRL', 'LC_ALL']));
  // Each connection string says its own TLS: that of DATABASE_URL is not that of other servers.
  const kept = ['DATABASE_URL', 'HOME', 'PGSSLMODE'];
  expect(names.filter((name = '') => name.startsWith('APOTHECA_') || kept.includes(name))).toEqual([]);
});

it.runIf(process.getuid?.() === 0)('where the server is root, a client program has no rights [§2.13]', async () => {
  expect(await outputOf('id -u; id -g; id -G; pwd')).toBe('65534\n65534\n65534\n/\n');
  const path = join(folder, 'secret');
  await writeFile(path, 'secret', { mode: 0o600 });
  expect(await outputOf(`cat ${path} 2>/dev/null; true`)).toBe('');
});

it('it reads files that it inherits open from a folder that is closed to it [§2.13]', async () => {
  const archive = join(folder, 'archive');
  const list = join(folder, 'list');
  await writeFile(archive, 'archive', { mode: 0o600 });
  await writeFile(list, 'list', { mode: 0o644 });
  const files = [await open(archive, 'r'), await open(list, 'r')] as const;
  await rm(list);
  expect(await outputOf(`cat; cat ${THIRD_FILE}`, { input: files[0].fd, third: files[1].fd })).toBe('archivelist');
  await Promise.all(files.map((file) => file.close()));
});

it.runIf(process.platform === 'linux')('it has limits of its own: memory, files, no core dump [§2.13]', async () => {
  expect(await outputOf('ulimit -v; ulimit -n; ulimit -c')).toBe(`${2 * 1024 ** 2}\n256\n0\n`);
});
