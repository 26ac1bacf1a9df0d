import type pg from 'pg';
import { quoteIdentifier } from '../../../db/cluster/names.ts';

/** A statement that makes a table whole again. */
export interface RebuildStatement {
  /** Without its schema. */
  table: string;
  statement: string;
}

/** What was taken away, in the order in which it is to be made again. */
export interface RebuildStatements {
  /** Primary keys and unique constraints, one statement a table. */
  keys: RebuildStatement[];
  indexes: RebuildStatement[];
  /** Foreign keys, not yet held against the rows. */
  references: RebuildStatement[];
  /** Hold the rows of a table against all its foreign keys. */
  validations: RebuildStatement[];
}

interface Definition {
  /** Without its schema. */
  table: string;
  /** The table's name as SQL writes it, with its schema. */
  tableName: string;
  /** As SQL writes it; that of an index with its schema. */
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

/** Lets a role fill the one table of the platform's own that a backup brings back, or no longer. */
export async function allowPermissionInserts(client: pg.Client, roleName: string, allowed: boolean): Promise<void> {
  const role = quoteIdentifier(roleName);
  await client.query(
    allowed ? `grant insert on apotheca.permissions to ${role}` : `revoke insert on apotheca.permissions from ${role}`,
  );
}

/**
 * Takes away foreign keys, and the keys and indexes of large tables, because rows come in and indexes are built faster without; checks
 * stay.
 */
export async function dropKeysAndIndexes(
  client: pg.Client,
  isLarge: (table: string) => boolean,
): Promise<RebuildStatements> {
  const references = await listConstraints(client, ['f']);
  const keys = (await listConstraints(client, ['p', 'u'])).filter(({ table }) => isLarge(table));
  const indexes = (await listPlainIndexes(client)).filter(({ table }) => isLarge(table));
  await client.query('begin');
  // Foreign keys rest on the other keys.
  for (const { statement } of [...changes(references, dropping), ...changes(keys, dropping)]) {
    await client.query(statement);
  }
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await client.query('commit');
  return {
    keys: changes(keys, ({ name, definition }) => `add constraint ${name} ${definition}`),
    indexes: indexes.map(({ table, definition }) => ({ table, statement: definition })),
    references: changes(references, ({ name, definition }) => `add constraint ${name} ${definition} not valid`),
    validations: changes(references, ({ name }) => `validate constraint ${name}`),
  };
}

const dropping = ({ name }: Definition): string => `drop constraint ${name}`;

/** Prepares a session for building indexes: what it makes need not be durable before the end of the restore is. */
export async function tuneForIndexBuilds(client: pg.Client): Promise<void> {
  await client.query(`set maintenance_work_mem = '128MB'; set synchronous_commit = off`);
}

/** Runs one of the statements that were {@link RebuildStatements}. */
export async function rebuild(client: pg.Client, { statement }: RebuildStatement): Promise<void> {
  await client.query(statement);
}

const LOADED = `(c.relnamespace = 'public'::regnamespace or c.oid = 'apotheca.permissions'::regclass)`;

async function listConstraints(client: pg.Client, kinds: string[]): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(
    `select c.relname as table, c.oid::regclass::text as "tableName", quote_ident(k.conname) as name,
       pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.contype = any($1::"char"[]) and ${LOADED}
     order by k.contype <> 'p', k.conname`,
    [kinds],
  );
  return rows;
}

/** The indexes that no constraint brings along. */
async function listPlainIndexes(client: pg.Client): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(
    `select c.relname as table, c.oid::regclass::text as "tableName", i.indexrelid::regclass::text as name,
       pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indrelid
     where ${LOADED} and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype <> 'f')
     order by i.indexrelid`,
  );
  return rows;
}

/** One ALTER TABLE a table. */
function changes(definitions: readonly Definition[], clause: (definition: Definition) => string): RebuildStatement[] {
  const groups = [...Map.groupBy(definitions, ({ tableName }) => tableName)];
  return groups.map(([tableName, group]) => ({
    table: group[0]?.table ?? '',
    statement: `alter table ${tableName} ${group.map(clause).join(', ')}`,
  }));
}
