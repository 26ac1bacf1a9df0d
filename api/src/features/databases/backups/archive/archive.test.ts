import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findPostgresTools } from '../../../../db/client-programs/postgres-tools.ts';
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
])('is done with 1.6 MB of %s at once [§2.13]', (_, rows) => {
  const began = performance.now();
  expect(newestVersionIn(rows)).toBeUndefined();
  // Looking at everything for everything takes 41 seconds, looking at it once takes milliseconds.
  expect(performance.now() - began).toBeLessThan(10_000);
});

it('refuses an archive that lists more versions than there can be [§2.13]', () => {
  expect(() => newestVersionIn(sql('1\n'.repeat(800_000)))).toThrow(/lists more than a database of this platform has/);
});

it('refuses an archive whose texts read like a PostgreSQL that went away: none is asked when it is listed [§2.13]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-archive-'));
  const path = join(folder, 'archive');
  await writeFile(path, '');
  const said = 'pg_restore: error: server closed the connection';
  const pgRestore = join(folder, 'pg_restore');
  await writeFile(pgRestore, `#!/bin/sh\necho '${said}' >&2\nexit 1\n`, { mode: 0o755 });
  // Where the server is root, its account is another one.
  await chmod(folder, 0o755);
  const tools = { ...(await findPostgresTools(undefined, 15)), pgRestore };
  await expect(readContents(tools, path)).rejects.toMatchObject({
    code: 'damaged-archive',
    message: `This archive cannot be restored. ${said}`,
  });
  await rm(folder, { recursive: true });
});
