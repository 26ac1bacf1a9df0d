import { expect, it } from 'vitest';
import { migrateTenantDatabase } from '../../../db/migrate.ts';
import { createEmptyDatabase, withClient } from '../../../testing/databases.ts';

it('tenant-columns.txt lists the columns of the newest schema; vitest -u writes it anew [§2.13]', async () => {
  const database = await createEmptyDatabase();
  await migrateTenantDatabase(database.url);
  const { rows } = await withClient(database.url, (client) =>
    client.query<{ line: string }>(`
      select concat_ws(' ', c.relname, a.attname,
        case when a.attnotnull and not a.atthasdef and a.attidentity = '' then 'required' else 'optional' end,
        format_type(a.atttypid, a.atttypmod)) as line
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      order by c.relname collate "C", a.attnum`),
  );
  await database.drop();
  await expect(rows.map(({ line }) => `${line}\n`).join('')).toMatchFileSnapshot('tenant-columns.txt');
});
