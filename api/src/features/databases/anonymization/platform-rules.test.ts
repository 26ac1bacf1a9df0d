import { expect, it } from 'vitest';
import { migrateTenantDatabase } from '../../../db/migrate.ts';
import { createEmptyDatabase, withClient } from '../../../testing/databases.ts';

/** Comments of migrations that are older than the rules, on columns that identify nobody. */
const OLDER = ['charged for one use unit', 'paid for one order unit', 'paid for one use unit', 'order units'];

it('platform-rules.txt lists the rules of the newest schema; vitest -u writes it anew [DECISIONS §9]', async () => {
  const database = await createEmptyDatabase();
  await migrateTenantDatabase(database.url);
  const { rows } = await withClient(database.url, (client) =>
    client.query<{ name: string; comment: string | null }>(`
      select c.relname || '.' || a.attname as name, col_description(c.oid, a.attnum) as comment
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      order by c.relname collate "C", a.attnum`),
  );
  await database.drop();
  const lines = rows.map(({ name, comment }) => {
    const rule = OLDER.includes(comment ?? '') ? 'not identifying' : comment;
    expect(rule, name).toMatch(/^(identifier: [a-z ()]+|not identifying)$/);
    return `${name} ${rule}\n`;
  });
  await expect(lines.join('')).toMatchFileSnapshot('platform-rules.txt');
});
