import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, open, stat } from 'node:fs/promises';
import { damaged } from './archive.ts';
import type { ArchiveFile } from './archive-store.ts';

// pg_restore does not read behind the last block of an archive, so any program that knows the format reads a sealed one.
const MARK = '\nMade by Apotheca; SHA-256 of all before: ';
const SEAL = new RegExp(`^${MARK}([0-9a-f]{64})\n$`);
const SEAL_LENGTH = MARK.length + 64 + 1;
const THIRD = Math.ceil(MARK.length / 3);
/** A seal with one wrong byte, or one that is cut off, still has one of these whole. */
const TRACES = [MARK.slice(0, THIRD), MARK.slice(THIRD, 2 * THIRD), MARK.slice(2 * THIRD)];

/**
 * Ends an archive with its own digest. The format has checksums for rows only: with the seal, an archive that comes back from
 * elsewhere is known to be what it was, to the byte.
 * @returns size and digest of the whole file, seal included
 */
export async function sealArchive(path: string, signal: AbortSignal): Promise<ArchiveFile> {
  const hash = await hashStart(path, Number.POSITIVE_INFINITY, signal);
  const seal = `${MARK}${hash.copy().digest('hex')}\n`;
  await appendFile(path, seal);
  const { size } = await stat(path);
  return { sizeBytes: size, sha256: hash.update(seal).digest('hex') };
}

/**
 * Holds an archive against its seal. One without was made by pg_dump alone.
 * @returns whether it has one, and how many bytes are the archive itself
 * @throws AppError damaged-archive
 */
export async function verifySeal(path: string): Promise<{ isSealed: boolean; archiveBytes: number }> {
  const { size } = await stat(path);
  const end = await readEnd(path, size);
  const [, digest] = SEAL.exec(end) ?? [];
  if (digest === undefined) {
    if (TRACES.some((trace) => end.includes(trace))) throw damaged('The end of this archive is damaged.');
    return { isSealed: false, archiveBytes: size };
  }
  const archiveBytes = size - SEAL_LENGTH;
  const actual = (await hashStart(path, archiveBytes)).digest('hex');
  if (actual === digest) return { isSealed: true, archiveBytes };
  throw damaged(
    `This archive has been changed: its SHA-256 is ${actual} instead of the ${digest} that it was sealed with.`,
  );
}

async function hashStart(path: string, length: number, signal?: AbortSignal) {
  const hash = createHash('sha256');
  if (length <= 0) return hash;
  const options = { highWaterMark: 1024 * 1024, end: length - 1, signal };
  for await (const chunk of createReadStream(path, options)) hash.update(chunk);
  return hash;
}

async function readEnd(path: string, size: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const length = Math.min(size, SEAL_LENGTH);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('latin1');
  } finally {
    await file.close();
  }
}
