import type pg from 'pg';
import type { Run } from '../../../operations/operation-kind.ts';
import { inWords } from '../../../wording.ts';
import type { DatabaseRow } from '../databases.repository.ts';
import type { ArchiveKey } from './archive/archive.ts';
import type { RestorableArchive } from './archive/archive-loading.ts';
import { isPlatformObject } from './archive/archive-objects.ts';
import { damaged } from './archive/damaged-archive.ts';

/** A key or an index that a restored database must have. */
interface WantedKey {
  kind: string;
  schema: string;
  name: string;
  /** Whether it must hold for all rows. An operator may have added foreign keys that were never validated. */
  isValid: boolean;
}

const KINDS: readonly string[] = ['CONSTRAINT', 'FK CONSTRAINT', 'INDEX'] satisfies ArchiveKey['kind'][];

/**
 * Compares the keys and indexes of a restored database with those that its archive lists and that are restored.
 * @throws AppError damaged-archive
 */
export async function verifyKeys(
  { context }: Pick<Run, 'context'>,
  row: DatabaseRow,
  archive: Pick<RestorableArchive, 'keys' | 'additional'>,
): Promise<void> {
  const platform = archive.keys.filter(isPlatformObject).map((key) => ({ ...key, isValid: true }));
  const additional = archive.additional
    .filter(({ kind }) => KINDS.includes(kind))
    .map(({ kind, schema, name }) => ({ kind, schema, name, isValid: kind !== 'FK CONSTRAINT' }));
  const missing = await context.tenants.with(row, (client) => listMissingKeys(client, [...platform, ...additional]), {
    unlimited: true,
  });
  if (missing.length === 0) return;
  const tables = missing.flatMap(({ kind, name }) => (kind === 'INDEX' ? [] : [name.split(' ')[0] ?? '']));
  const names = missing.map(({ name }) => name);
  throw damaged(`The restored database lacks ${inWords(names)}, or it is not valid.`, [...new Set(tables)]);
}

async function listMissingKeys(
  client: pg.Client,
  wanted: readonly WantedKey[],
): Promise<Pick<WantedKey, 'kind' | 'name'>[]> {
  const { rows } = await client.query(
    `select w.kind, w.name
     from json_to_recordset($1::json) as w (kind text, schema text, name text, "isValid" boolean)
     where not exists (
       select from pg_constraint k
       join pg_class c on c.oid = k.conrelid
       join pg_namespace n on n.oid = c.relnamespace
       left join pg_index i on i.indexrelid = k.conindid
       where w.kind <> 'INDEX' and n.nspname = w.schema and c.relname || ' ' || k.conname = w.name
         and (k.convalidated or not w."isValid") and coalesce(i.indisvalid, true)
     ) and not exists (
       select from pg_index i
       join pg_class c on c.oid = i.indexrelid
       join pg_namespace n on n.oid = c.relnamespace
       where w.kind = 'INDEX' and n.nspname = w.schema and c.relname = w.name and i.indisvalid
     )`,
    [JSON.stringify(wanted)],
  );
  return rows;
}
