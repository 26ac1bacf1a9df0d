import { AppError } from '../../../../errors.ts';
import { findBlock, unpack } from '../../backups/archive/archive-blocks.ts';
import { type Compression, readTableOfContents } from '../../backups/archive/archive-format.ts';
import { countArchivedRows } from '../../backups/archive/archive-left-out.ts';
import { FormatError, withArchive } from '../../backups/archive/archive-reader.ts';
import { throwUnreadable } from '../../backups/archive/damaged-archive.ts';
import { readCopyText } from './copy-text.ts';
import {
  type ForeignDatabase,
  type ForeignTable,
  fullName,
  type OpenSource,
  type ReadRows,
  refuseTooMany,
} from './foreign-source.ts';

/** An archive's file. */
interface ArchiveFile {
  path: string;
  /** Its length within the file: a seal may follow. */
  archiveBytes: number;
}

/**
 * Reads which tables an archive has. Its SQL is never run: names come from its table of contents, columns from the headings of the rows.
 * @param limit how long rows may be counted, in milliseconds
 * @throws AppError damaged-archive, conflict
 */
export async function inspectArchive({ path, archiveBytes }: ArchiveFile, limit: number): Promise<ForeignDatabase> {
  const { compression, encoding, rows, entries } = await withArchive(path, archiveBytes, readTableOfContents).catch(
    throwUnreadable,
  );
  const tables = [...rows].filter(([, { isPresent }]) => isPresent);
  refuseTooMany(tables);
  refuseUnreadable(
    compression,
    tables.every(([, { isCopied }]) => isCopied),
  );
  const found = tables.map(([id, { schema, name, columns }]) => ({
    id: String(id),
    schema,
    name,
    columns: [...columns],
    rows: null,
  }));
  const counts = await countUntil({ path, archiveBytes }, found, AbortSignal.timeout(limit));
  return {
    encoding,
    tables: found.map((table) => ({ ...table, rows: counts.get(table.id) ?? null })),
    hasLargeObjects: [...entries.values()].some(({ kind }) => kind.startsWith('BLOB')),
  };
}

/** Counts the rows of an archive's tables. @throws AppError damaged-archive; the reason of `signal` */
export const countArchived =
  (file: ArchiveFile, signal: AbortSignal): OpenSource['count'] =>
  async (tables, limit) => {
    const counts = await countUntil(file, tables, AbortSignal.any([signal, AbortSignal.timeout(limit)]));
    signal.throwIfAborted();
    return counts;
  };

async function countUntil(
  { path, archiveBytes }: ArchiveFile,
  tables: readonly Pick<ForeignTable, 'id'>[],
  until: AbortSignal,
): Promise<Map<string, number | null>> {
  const ids = new Set(tables.map(({ id }) => Number(id)));
  const counts = await countArchivedRows(path, archiveBytes, ids, until);
  return new Map([...counts].map(([id, rows]) => [String(id), rows]));
}

function refuseUnreadable(compression: Compression, isCopied: boolean): void {
  if (!isCopied) {
    const message =
      'The rows of this archive are INSERT statements, which are not run: please make it without --inserts.';
    throw new AppError('conflict', { message });
  }
  if (compression === 'zlib' || compression === 'none') return;
  const message = `The rows of this archive are compressed by ${compression}: please make it with --compress=gzip, or without that option.`;
  throw new AppError('conflict', { message });
}

/** Reads the rows of an archive's tables. @throws AppError damaged-archive; the reason of `signal` */
export const readArchiveRows =
  ({ path, archiveBytes }: ArchiveFile, signal: AbortSignal): ReadRows =>
  (table, take) =>
    withArchive(path, archiveBytes, async (reader) => {
      const { compression, rows } = await readTableOfContents(reader);
      const id = Number(table.id);
      const from = rows.get(id)?.position ?? reader.position();
      if (!(await findBlock(reader, id, from, signal))) {
        signal.throwIfAborted();
        throw new FormatError(`the rows of ${fullName(table)} are missing`);
      }
      await unpack(reader, compression, (unpacked) => readCopyText(unpacked, table.columns.length, take), signal);
    }).catch(throwUnreadable);
