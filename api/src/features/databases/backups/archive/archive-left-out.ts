import { stat } from 'node:fs/promises';
import type { LeftOutTable } from '@apotheca/contract/backups';
import { rowsInWords, tablesInWords } from '../../../../wording.ts';
import { damaged } from './archive.ts';
import { countRows, findBlock } from './archive-blocks.ts';
import { type ListedRows, readTableOfContents } from './archive-format.ts';
import { isLoaded } from './archive-loading.ts';
import { FormatError, withArchive } from './archive-reader.ts';

/** The platform's own records. Each database has its own, so a restore does not load them. */
const PLATFORM_TABLES = ['schema_version', 'applied_operations', 'purged_tables'];
/** How many tables a sentence names. */
const MAX_NAMES = 10;

/**
 * The tables of an archive that are not restored, because the platform has no such tables.
 * @param limit how long counting their rows may take, in milliseconds. Tables that are not counted by then have null.
 * @throws AppError damaged-archive
 */
export async function findLeftOut(path: string, limit: number): Promise<LeftOutTable[]> {
  const timeout = AbortSignal.timeout(limit);
  const { size } = await stat(path);
  try {
    return await withArchive(path, size, async (reader) => {
      const { compression, rows } = await readTableOfContents(reader);
      const start = reader.position();
      const tables: LeftOutTable[] = [];
      for (const [id, table] of [...rows].filter(([, { schema, name }]) => isLeftOut(schema, name))) {
        const isFound = table.isPresent && (await findBlock(reader, id, table.position ?? start, timeout));
        const ifNotFound = table.isPresent ? null : 0;
        const count = isFound ? await countRows(reader, compression, table, timeout) : ifNotFound;
        tables.push({ name: nameOf(table), rows: count });
      }
      return tables;
    });
  } catch (error) {
    if (error instanceof FormatError) throw damaged(`The archive cannot be read: ${error.message}.`);
    throw error;
  }
}

function isLeftOut(schema: string, name: string): boolean {
  if (schema === 'apotheca' && PLATFORM_TABLES.includes(name)) return false;
  return !isLoaded({ id: '', kind: 'TABLE DATA', schema, name });
}

/** The name for people. An archive from elsewhere may have control characters in its names. */
function nameOf({ schema, name }: ListedRows): string {
  const full = schema === 'public' ? name : `${schema}.${name}`;
  return full.replace(/\p{C}/gu, '\uFFFD');
}

/** A sentence about tables that are not restored, with a space before it. Empty when there are none. */
export function describeLeftOut(tables: readonly LeftOutTable[]): string {
  if (tables.length === 0) return '';
  const names = tables.slice(0, MAX_NAMES).map(({ name, rows }) => `${name} (${amountOf(rows)})`);
  const more = tables.length > MAX_NAMES ? ` and ${tables.length - MAX_NAMES} more` : '';
  return ` Not restored, as the platform has no such tables: ${tablesInWords(tables.length)}, ${names.join(', ')}${more}.`;
}

const amountOf = (rows: number | null): string => (rows === null ? 'rows not counted' : rowsInWords(rows));
