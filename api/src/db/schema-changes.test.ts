import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PRODUCT_VERSION } from '../product-version.ts';
import { createPlatformDatabase, withClient } from '../testing/databases.ts';
import {
  breakingSchemaChanges,
  describeSchema,
  releasedSchema,
  type SchemaColumn,
  servedTooLong,
} from './schema-changes.ts';

/** Columns that a migration says are read no longer by the version before: `-- contract: table.column`. */
const UNREAD = globSync('migrations/platform/*.sql', { cwd: import.meta.dirname }).flatMap((file) =>
  [...readFileSync(new URL(file, import.meta.url), 'utf8').matchAll(/^-- contract: (\w+\.\w+)$/gm)].map(
    ([, name = '']) => name,
  ),
);

const released = releasedSchema();

/** What is found when the released schema is changed. */
function changesOf(plant: (columns: SchemaColumn[]) => void): string[] {
  const planted = structuredClone(released);
  plant(planted);
  return breakingSchemaChanges(released, planted);
}

function column(columns: SchemaColumn[], table: string, name: string): SchemaColumn {
  const found = columns.find((each) => each.table === table && each.column === name);
  if (!found) throw new Error(`There is no column ${table}.${name}.`);
  return found;
}

describe('the schema of the control database', () => {
  it('goes on serving the version that was released last (decision 074) [DECISIONS §13]', async () => {
    const database = await createPlatformDatabase();
    const now = await withClient(database.url, describeSchema);
    const floor = await withClient(database.url, (client) => client.query('select oldest_version from schema_floor'));
    await database.drop();
    expect(released.length).toBeGreaterThan(300);
    expect(breakingSchemaChanges(released, now, UNREAD)).toEqual([]);
    expect(servedTooLong(released, now, floor.rows[0].oldest_version, PRODUCT_VERSION)).toEqual([]);
  });
});

describe('a change that breaks the version before is found:', () => {
  it.each<[string, (columns: SchemaColumn[]) => void, string]>([
    [
      'a column that is gone',
      (columns) => void columns.splice(columns.indexOf(column(columns, 'users', 'role_id')), 1),
      'users.role_id is gone',
    ],
    [
      'another type',
      (columns) => Object.assign(column(columns, 'tenants', 'code'), { type: 'integer' }),
      'tenants.code was text COLLATE',
    ],
    [
      'a column that must be filled now',
      (columns) => Object.assign(column(columns, 'users', 'deleted_at'), { nullable: false }),
      'users.deleted_at must not be null any more',
    ],
    [
      'a default that is gone',
      (columns) => Object.assign(column(columns, 'users', 'id'), { optional: false }),
      'users.id has no default any more',
    ],
    [
      'a new column that must be given',
      (columns) =>
        void columns.push({ table: 'users', column: 'colour', type: 'text', optional: false, nullable: false }),
      'users.colour is new and must be given',
    ],
  ])('%s [DECISIONS §13]', (_what, plant, expected) => {
    const [found, ...others] = changesOf(plant);
    expect(found?.startsWith(expected.replace(/ COLLATE$/, '')), found).toBe(true);
    expect(others).toEqual([]);
  });

  it('but not new tables, new columns that may be left out, and columns that were read no longer [DECISIONS §13]', () => {
    const more: SchemaColumn[] = [
      { table: 'colours', column: 'name', type: 'text', optional: false, nullable: false },
      { table: 'users', column: 'colour', type: 'text', optional: true, nullable: true },
    ];
    const less = released.filter(({ table, column }) => `${table}.${column}` !== 'users.role_id');
    expect(breakingSchemaChanges(released, [...less, ...more], ['users.role_id'])).toEqual([]);
  });

  it('a column that is gone while versions before the one that was released last are still served [DECISIONS §13]', () => {
    const less = released.filter(({ table, column }) => `${table}.${column}` !== 'users.role_id');
    expect(servedTooLong(released, less, '0.9.0', '0.10.0')).toEqual([
      'users.role_id is gone, but schema_floor has 0.9.0: what is older than 0.10.0 may read it',
    ]);
    expect(servedTooLong(released, less, '0.10.0', '0.10.0')).toEqual([]);
    expect(servedTooLong(released, released, '0.9.0', '0.10.0')).toEqual([]);
  });
});
