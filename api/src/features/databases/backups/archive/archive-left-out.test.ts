import { createHash } from 'node:crypto';
import { backupRoutes } from '@apotheca/contract/backups';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateTenantDatabase } from '../../../../db/migrate.ts';
import { useTestApp } from '../../../../testing/app.ts';
import { useArchives } from '../../../../testing/archives.ts';
import { createEmptyDatabase, withClient } from '../../../../testing/databases.ts';

const test = useTestApp();
const archives = useArchives(test);

const reason = 'Of an archive from elsewhere only the rows of the platform’s tables are restored.';
const LEFT_OUT = [
  { kind: 'schema', name: 'billing', rows: null, reason },
  { kind: 'table', name: 'billing.invoices', rows: 20_000, reason },
  { kind: 'table', name: 'notes', rows: 0, reason },
  { kind: 'view', name: 'recent', rows: null, reason },
  { kind: 'table', name: 'visits', rows: 3, reason },
  { kind: 'sequence', name: 'visits_id_seq', rows: null, reason },
];

let foreign: Awaited<ReturnType<typeof createEmptyDatabase>>;
beforeAll(async () => {
  foreign = await createEmptyDatabase();
  await migrateTenantDatabase(foreign.url);
  await withClient(foreign.url, (client) =>
    client.query(`
      create table public.visits (id serial, note text);
      insert into public.visits (note) values (E'one\\ntwo'), (E'\\\\.'), ('');
      create table public.notes (note text);
      create view public.recent as select note from public.visits;
      create schema billing;
      create table billing.invoices as select n, md5(n::text) as text from generate_series(1, 20000) n`),
  );
});
afterAll(() => foreign.drop());

const byName = (tables: { name: string }[]) => tables.toSorted((one, two) => one.name.localeCompare(two.name));

describe('what an archive from elsewhere has beyond the platform’s schema', () => {
  it.each([
    ['as pg_dump makes it', []],
    ['not compressed', ['-Z0']],
  ])('is named by plan and result, tables with their rows: %s [§2.13]', async (how, args) => {
    const archive = await archives.dump(args, foreign.url);
    const { result } = await archives.upload(archive, { sha256: createHash('sha256').update(archive).digest('hex') });
    const databaseName = `FOREIGN ${how.length}`;
    const plan = await test.call(backupRoutes.planRestore, { query: { id: result.id, databaseName } });
    expect(backupRoutes.planRestore.result.parse(plan.result)).toEqual(plan.result);
    expect(byName(plan.result.leftOut)).toEqual(LEFT_OUT);
    const restored = await archives.restore(result.id, databaseName);
    expect(restored).toMatchObject({
      status: 200,
      message: expect.stringContaining(' Not restored: '),
    });
    expect(byName(restored.result.leftOut)).toEqual(LEFT_OUT);
    expect(test.background).toEqual([]);
  });

  it('does not exist in the platform’s own backups [§2.13]', async () => {
    const { result } = await archives.upload(archives.sealed);
    const plan = await test.call(backupRoutes.planRestore, { query: { id: result.id, databaseName: 'OWN' } });
    expect(plan.result.leftOut).toEqual([]);
    const restored = await archives.restore(result.id, 'OWN');
    expect(restored).toMatchObject({ message: 'Success! OWN has been restored.', result: { leftOut: [] } });
  });
});
