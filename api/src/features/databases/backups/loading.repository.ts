import type pg from 'pg';
import { quoteIdentifier } from '../../../db/cluster/names.ts';

/** A statement that rebuilds keys or indexes of a table. */
export interface RebuildStatement {
  /** Without its schema. */
  table: string;
  statement: string;
}

/** The statements that rebuild what was dropped, in the order in which they must run. */
export interface RebuildStatements {
  /** Primary keys and unique constraints, one statement for each table. */
  keys: RebuildStatement[];
  indexes: RebuildStatement[];
  /** Foreign keys, not yet validated. */
  foreignKeys: RebuildStatement[];
  /** Validate the foreign keys of a table. */
  validations: RebuildStatement[];
}

interface Definition {
  /** Without its schema. */
  table: string;
  /** The table's name as SQL writes it, with its schema. */
  tableName: string;
  /** The name of the constraint or index as SQL writes it. An index has its schema. */
  name: string;
  definition: string;
}

/** Names of the tables of `public`. */
export async function listPublicTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  return rows.map(({ name }) => name);
}

/** Names of the sequences of `public`. */
export async function listPublicSequences(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S'`,
  );
  return rows.map(({ name }) => name);
}

/** Allows or forbids a role to insert permissions: their table is the only one of the platform's own that a restore loads. */
export async function allowPermissionInserts(client: pg.Client, roleName: string, allowed: boolean): Promise<void> {
  const role = quoteIdentifier(roleName);
  await client.query(
    allowed ? `grant insert on apotheca.permissions to ${role}` : `revoke insert on apotheca.permissions from ${role}`,
  );
}

/**
 * Drops all foreign keys, and the keys and indexes of large tables: without them rows load faster, and indexes are built faster
 * afterwards. Check constraints stay.
 * @returns the statements that rebuild them
 */
export async function dropKeysAndIndexes(
  client: pg.Client,
  isLarge: (table: string) => boolean,
): Promise<RebuildStatements> {
  const foreignKeys = await listConstraints(client, ['f']);
  const keys = (await listConstraints(client, ['p', 'u'])).filter(({ table }) => isLarge(table));
  const indexes = (await listPlainIndexes(client)).filter(({ table }) => isLarge(table));
  await client.query('begin');
  // Foreign keys come first, because they depend on the other keys.
  for (const { statement } of [...alterTables(foreignKeys, dropConstraint), ...alterTables(keys, dropConstraint)]) {
    await client.query(statement);
  }
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await client.query('commit');
  return {
    keys: alterTables(keys, ({ name, definition }) => `add constraint ${name} ${definition}`),
    indexes: indexes.map(({ table, definition }) => ({ table, statement: definition })),
    foreignKeys: alterTables(foreignKeys, ({ name, definition }) => `add constraint ${name} ${definition} not valid`),
    validations: alterTables(foreignKeys, ({ name }) => `validate constraint ${name}`),
  };
}

const dropConstraint = ({ name }: Definition): string => `drop constraint ${name}`;

/** Prepares a session for building indexes. They need not be durable before the restore is. */
export async function tuneForIndexBuilds(client: pg.Client): Promise<void> {
  await client.query(`set maintenance_work_mem = '128MB'; set synchronous_commit = off`);
}

export async function rebuild(client: pg.Client, { statement }: RebuildStatement): Promise<void> {
  await client.query(statement);
}

/** The tables that a restore loads. */
const IS_LOADED = `(c.relnamespace = 'public'::regnamespace or c.oid = 'apotheca.permissions'::regclass)`;

async function listConstraints(client: pg.Client, kinds: string[]): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(
    `select c.relname as table, c.oid::regclass::text as "tableName", quote_ident(k.conname) as name,
       pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.contype = any($1::"char"[]) and ${IS_LOADED}
     order by k.contype <> 'p', k.conname`,
    [kinds],
  );
  return rows;
}

/** The indexes that do not belong to a constraint. */
async function listPlainIndexes(client: pg.Client): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(
    `select c.relname as table, c.oid::regclass::text as "tableName", i.indexrelid::regclass::text as name,
       pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indrelid
     where ${IS_LOADED} and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype <> 'f')
     order by i.indexrelid`,
  );
  return rows;
}

/** One ALTER TABLE statement for each table. */
function alterTables(
  definitions: readonly Definition[],
  clause: (definition: Definition) => string,
): RebuildStatement[] {
  const groups = [...Map.groupBy(definitions, ({ tableName }) => tableName)];
  return groups.map(([tableName, group]) => ({
    table: group[0]?.table ?? '',
    statement: `alter table ${tableName} ${group.map(clause).join(', ')}`,
  }));
}
