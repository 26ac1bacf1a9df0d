import type { Context } from '../../../../context.ts';
import { inWords } from '../../../../wording.ts';
import { readTableOfContents } from '../archive/archive-format.ts';
import { withArchive } from '../archive/archive-reader.ts';
import { findArchiveLength } from '../archive/archive-seal.ts';
import { archivePath } from '../archive/archive-store.ts';
import type { ClaimedCopy } from './copies.repository.ts';
import { AGE_CHUNK, type ByteRange } from './digesting.ts';

/** The tag that each chunk of age's payload ends with (age-encryption.org/v1), in bytes. */
const TAG = 16;

/**
 * Says of which tables a copy has damaged rows. Where they lie is read from the archive in the folder of backups.
 * @param ranges where the copy was changed @returns a sentence after a space; empty where it cannot be told
 */
export async function describeDamage(context: Context, copy: ClaimedCopy, ranges: ByteRange[]): Promise<string> {
  if (ranges.length === 0) return '';
  const tables = await listRows(archivePath(context, copy.backupId), copy.archive.sizeBytes).catch(() => undefined);
  if (!tables) return '';
  const damaged = ranges.map((range) => (copy.isEncrypted ? decryptedRange(range, copy) : range));
  const names = tables.filter((rows) => damaged.some((range) => meet(rows, range))).map(({ name }) => name);
  return names.length === 0
    ? ' No rows of a table are in the part that was changed.'
    : ` The part that was changed has rows of ${inWords(names)}.`;
}

/** Where an archive has the rows of each table. @throws where it cannot be read */
async function listRows(path: string, sizeBytes: number): Promise<(ByteRange & { name: string })[]> {
  const end = (await findArchiveLength(path)) ?? sizeBytes;
  const { rows } = await withArchive(path, end, readTableOfContents);
  const found = [...rows.values()].flatMap(({ schema, name, position }) =>
    position === undefined ? [] : [{ name: schema === 'public' ? name : `${schema}.${name}`, from: position }],
  );
  const ordered = found.toSorted((one, two) => one.from - two.from);
  return ordered.map((rows, index) => ({ ...rows, to: ordered[index + 1]?.from ?? end }));
}

/** Which bytes of an archive are in a part of its encrypted copy, whose head depends on the number of recipients. */
function decryptedRange({ from, to }: ByteRange, { sizeBytes, archive }: ClaimedCopy): ByteRange {
  const chunks = Math.max(1, Math.ceil(archive.sizeBytes / AGE_CHUNK));
  const head = sizeBytes - archive.sizeBytes - chunks * TAG;
  const chunkAt = (byte: number) => Math.max(0, byte - head) / (AGE_CHUNK + TAG);
  return { from: Math.floor(chunkAt(from)) * AGE_CHUNK, to: Math.ceil(chunkAt(to)) * AGE_CHUNK };
}

const meet = (one: ByteRange, other: ByteRange): boolean => one.from < other.to && other.from < one.to;
