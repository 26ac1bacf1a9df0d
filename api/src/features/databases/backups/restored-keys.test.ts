import { backupRoutes } from '@apotheca/contract/backups';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { beforeAll, expect, it } from 'vitest';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { queryTenant } from '../../../testing/tenant-query.ts';
import { getDatabaseByName } from '../databases.service.ts';
import { type ArchiveKey, readContents } from './archive/archive.ts';
import { archivePath } from './archive/archive-store.ts';
import { verifyKeys } from './restored-keys.ts';

const test = useTestApp();
let keys: ArchiveKey[];

beforeAll(async () => {
  await test.call(tenantRoutes.create, { body: tenantInput('KEYED') });
  const { result } = await test.call(backupRoutes.create, { query: { databaseName: 'KEYED' } });
  ({ keys } = await readContents(await test.context.findTools(), archivePath(test.context, result.id)));
});

const run = (text: string) => queryTenant(test, 'KEYED', text);
const verify = async () => verifyKeys(test, await getDatabaseByName(test.context, 'KEYED'), { keys, additional: [] });

it('an archive lists all keys and indexes of the platform, and a database that has them passes [DECISIONS §13]', async () => {
  const [counted] = await run(`
    select (select count(*)::int from pg_constraint where contype in ('p', 'u', 'f') and connamespace = 'public'::regnamespace) as constraints,
      (select count(*)::int from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace = 'public'::regnamespace) as indexes`);
  const inPublic = keys.filter(({ schema }) => schema === 'public');
  const keyed = inPublic.filter(({ kind }) => kind === 'CONSTRAINT').length;
  expect(inPublic.filter(({ kind }) => kind !== 'INDEX')).toHaveLength(counted.constraints);
  expect(inPublic.filter(({ kind }) => kind === 'INDEX')).toHaveLength(counted.indexes - keyed);
  await verify();
});

it.each([
  [
    'a missing foreign key',
    'FK CONSTRAINT',
    (table: string, name: string) => `alter table ${table} drop constraint ${name}`,
  ],
  [
    'a foreign key that was not validated',
    'FK CONSTRAINT',
    (table: string, name: string, definition: string) =>
      `alter table ${table} drop constraint ${name}; alter table ${table} add constraint ${name} ${definition} not valid`,
  ],
])('%s is named with its table [DECISIONS §13]', async (_, kind, change) => {
  const [table = '', name = ''] =
    keys.find((key) => key.kind === kind && key.schema === 'public')?.name.split(' ') ?? [];
  const [{ definition }] = await run(
    `select pg_get_constraintdef(oid) as definition from pg_constraint where conname = '${name}'`,
  );
  await run(change(table, name, definition));
  await expect(verify()).rejects.toMatchObject({
    code: 'damaged-archive',
    message: `The restored database lacks ${table} ${name}, or it is not valid.`,
    details: { result: { tables: [table] } },
  });
  await run(
    `alter table ${table} drop constraint if exists ${name}; alter table ${table} add constraint ${name} ${definition}`,
  );
  await verify();
});

it('a missing and an invalid index are named [DECISIONS §13]', async () => {
  const [one, other] = keys
    .filter(({ kind, schema }) => kind === 'INDEX' && schema === 'public')
    .map(({ name }) => name);
  await run(`drop index ${one}; update pg_index set indisvalid = false where indexrelid = '${other}'::regclass`);
  await expect(verify()).rejects.toThrow(`The restored database lacks ${one} and ${other}, or it is not valid.`);
});
