import { stat } from 'node:fs/promises';
import type { LeftOutTable } from '@apotheca/contract/backups';
import { rowsInWords, tablesInWords } from '../../../../wording.ts';
import { damaged } from './archive.ts';
import { countRows, findBlock } from './archive-blocks.ts';
import { type AnnouncedRows, readTableOfContents } from './archive-format.ts';
import { isLoaded } from './archive-loading.ts';
import { FormatError, withArchive } from './archive-reader.ts';

/** The platform's own records, which every database has of its own. */
const PLATFORM_TABLES = ['schema_version', 'applied_operations', 'purged_tables'];
/** So many are named in a sentence. */
const MOST_NAMES = 10;

/**
 * The tables of an archive whose rows restoring does not load, because the platform has no such tables.
 * @param effort how long counting their rows may take, in milliseconds; what is not counted by then has null
 * @throws AppError damaged-archive
 */
export async function findLeftOut(path: string, effort: number): Promise<LeftOutTable[]> {
  const late = AbortSignal.timeout(effort);
  const { size } = await stat(path);
  try {
    return await withArchive(path, size, async (reader) => {
      const { compression, rows } = await readTableOfContents(reader);
      const start = reader.position();
      const tables: LeftOutTable[] = [];
      for (const [id, table] of [...rows].filter(([, { schema, name }]) => isLeftOut(schema, name))) {
        const isFound = table.isPresent && (await findBlock(reader, id, table.position ?? start, late));
        const unfound = table.isPresent ? null : 0;
        tables.push({
          name: nameOf(table),
          rows: isFound ? await countRows(reader, compression, table, late) : unfound,
        });
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

/** As a person reads it: whoever made the archive chose the names. */
function nameOf({ schema, name }: AnnouncedRows): string {
  const full = schema === 'public' ? name : `${schema}.${name}`;
  return full.replace(/\p{C}/gu, '\uFFFD');
}

/** A sentence, with a blank before it, about tables that are not restored; nothing where there are none. */
export function describeLeftOut(tables: readonly LeftOutTable[]): string {
  if (tables.length === 0) return '';
  const names = tables.slice(0, MOST_NAMES).map(({ name, rows }) => `${name} (${amountOf(rows)})`);
  const more = tables.length > MOST_NAMES ? ` and ${tables.length - MOST_NAMES} more` : '';
  return ` Not restored, as the platform has no such tables: ${tablesInWords(tables.length)}, ${names.join(', ')}${more}.`;
}

const amountOf = (rows: number | null): string => (rows === null ? 'rows not counted' : rowsInWords(rows));
