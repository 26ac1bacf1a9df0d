import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrateTenantSchema, newestTenantSchemaVersion } from '../../../../db/migrate.ts';
import { createEmptyDatabase, withClient } from '../../../../testing/databases.ts';
import { testTools } from '../../../../testing/postgres-version.ts';
import { readTableOfContents } from './archive-format.ts';
import { additionalObjects, IGNORED, lineOf } from './archive-objects.ts';
import { withArchive } from './archive-reader.ts';

/** The first version that a restore takes. */
const OLDEST = 8;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'apotheca-objects-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What pg_dump lists of an empty database of a version of the schema. */
async function entriesOf(version: number) {
  const database = await createEmptyDatabase();
  const path = join(folder, String(version));
  try {
    await withClient(database.url, (client) => migrateTenantSchema(client, { upTo: version }));
    const { pgDump } = await testTools();
    await promisify(execFile)(pgDump, ['-Fc', `--file=${path}`, `--dbname=${database.url}`]);
    const { size } = await stat(path);
    return await withArchive(path, size, async (reader) => (await readTableOfContents(reader)).entries);
  } finally {
    await database.drop();
  }
}

it('platform-objects.txt lists what an archive of the newest schema has; vitest -u writes it anew [§2.13]', async () => {
  const entries = await entriesOf(newestTenantSchemaVersion());
  const lines = [...entries.values()].map(lineOf).filter((line) => !IGNORED.test(line));
  await expect(`${[...new Set(lines)].sort().join('\n')}\n`).toMatchFileSnapshot('platform-objects.txt');
});

it.each(Array.from({ length: newestTenantSchemaVersion() - OLDEST }, (_, index) => OLDEST + index))(
  'an archive of version %i of the schema has nothing beyond it [§2.13]',
  async (version) => {
    expect(additionalObjects(await entriesOf(version))).toEqual([]);
  },
);
