import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, open, stat } from 'node:fs/promises';
import { damaged } from './archive.ts';
import type { ArchiveFile } from './archive-store.ts';

// pg_restore does not read beyond the last block of an archive, so it reads a sealed archive too.
const MARK = '\nMade by Apotheca; SHA-256 of all before: ';
const SEAL = new RegExp(`^${MARK}([0-9a-f]{64})\n$`);
const SEAL_LENGTH = MARK.length + 64 + 1;
const THIRD = Math.ceil(MARK.length / 3);
/** The thirds of the mark. A seal that has one wrong byte, or is cut off, still has one of them. */
const TRACES = [MARK.slice(0, THIRD), MARK.slice(THIRD, 2 * THIRD), MARK.slice(2 * THIRD)];

/**
 * Appends the SHA-256 of an archive to it. The format has checksums only for rows; the seal proves that every byte of a returning archive
 * is unchanged.
 * @returns size and digest of the file with its seal
 */
export async function sealArchive(path: string, signal: AbortSignal): Promise<ArchiveFile> {
  const hash = await hashStart(path, Number.POSITIVE_INFINITY, signal);
  const seal = `${MARK}${hash.copy().digest('hex')}\n`;
  await appendFile(path, seal);
  const { size } = await stat(path);
  return { sizeBytes: size, sha256: hash.update(seal).digest('hex') };
}

/**
 * Compares an archive with its seal. An archive that was not made by Apotheca has none.
 * @returns whether it has a seal, and the length of the archive without it
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
