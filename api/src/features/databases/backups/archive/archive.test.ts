import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testTools } from '../../../../testing/postgres-version.ts';
import { newestVersionIn, readContents } from './archive.ts';

const sql = (rows: string) =>
  `SET row_security = off;\n\nCOPY apotheca.schema_version (version, applied_at) FROM stdin;\n${rows}\\.\n\n--\n`;

it('finds the newest version of the schema among those that an archive lists [§2.13]', () => {
  expect(newestVersionIn(sql('1\tx\n10\tx\n9\tx\n'))).toBe(10);
  expect(newestVersionIn(sql(''))).toBeUndefined();
  expect(newestVersionIn(sql('1\tx\n').replace('\\.', ''))).toBeUndefined();
  expect(newestVersionIn('')).toBeUndefined();
});

it.each([
  ['openings without an end', '\nCOPY apotheca.schema_version (version, a) FROM stdin;\n'.repeat(32_000)],
  ['brackets without an end', `\nCOPY apotheca.schema_version (version, ${') FROM stdin'.repeat(130_000)}`],
  ['rows without an end', `\nCOPY apotheca.schema_version (version, a) FROM stdin;\n${'1\n'.repeat(800_000)}`],
])('reads 1.6 MB of %s in linear time [§2.13]', (_, rows) => {
  const began = performance.now();
  expect(newestVersionIn(rows)).toBeUndefined();
  // A quadratic search takes 41 seconds, a linear one milliseconds.
  expect(performance.now() - began).toBeLessThan(10_000);
});

it('refuses an archive that lists more versions than there can be [§2.13]', () => {
  expect(() => newestVersionIn(sql('1\n'.repeat(800_000)))).toThrow(/lists more than a database of this platform has/);
});

it('refuses an archive that makes pg_restore report a lost connection while it lists entries [§2.13]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-archive-'));
  const path = join(folder, 'archive');
  await writeFile(path, '');
  const said = 'pg_restore: error: server closed the connection';
  const pgRestore = join(folder, 'pg_restore');
  await writeFile(pgRestore, `#!/bin/sh\necho '${said}' >&2\nexit 1\n`, { mode: 0o755 });
  // When the server is root, pg_restore runs with another account.
  await chmod(folder, 0o755);
  const tools = { ...(await testTools()), pgRestore };
  await expect(readContents(tools, path)).rejects.toMatchObject({
    code: 'damaged-archive',
    message: `This archive cannot be restored. ${said}`,
  });
  await rm(folder, { recursive: true });
});

it('does not take an archive of a newer pg_dump for damaged, and says what to install [§2.13]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-archive-'));
  const path = join(folder, 'archive');
  // The head of the custom format: its version is 1.99, numbers have 4 bytes, positions 8.
  await writeFile(path, Buffer.concat([Buffer.from('PGDMP'), Buffer.from([1, 99, 0, 4, 8, 1])]));
  await expect(readContents(await testTools(), path)).rejects.toMatchObject({
    code: 'tools-missing',
    message: expect.stringMatching(/^A newer pg_dump made this archive than .* install PostgreSQL client programs/),
  });
  await rm(folder, { recursive: true });
});
