import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, fieldError } from '../../../errors.ts';
import { verifyBlocks } from './archive/archive-blocks.ts';
import type { Compression } from './archive/archive-format.ts';
import { verifySeal } from './archive/archive-seal.ts';
import { damaged } from './archive/damaged-archive.ts';

/** The largest archive that can be uploaded: 64 GiB. */
const MAX_BYTES = 64 * 1024 ** 3;

/** An archive from elsewhere, and what the call says about it. */
export interface SentArchive {
  content: Readable;
  /** Lower-case hex; empty when the call has none. */
  sha256: string;
  /** Checks the caller's session and permission again when the upload is complete. */
  recheckPermission(): Promise<void>;
}

/**
 * Writes an upload to a file, which must be readable from start to end and proved to be undamaged.
 * @returns `isFullyVerified`: a seal or a SHA-256 covers every byte. If not, only the rows were verified, by their checksums.
 * @throws AppError damaged-archive; invalid when the call needs a SHA-256; too-large, disk-full
 */
export async function receiveArchive({ content, sha256, recheckPermission }: SentArchive, path: string) {
  const file = await receive(content, path);
  await recheckPermission();
  refuseWrongDigest(file.sha256, sha256);
  const { isSealed, archiveBytes, manifest } = await verifySeal(path);
  const compression = await verifyBlocks(path, archiveBytes);
  const isFullyVerified = isSealed || sha256 !== '';
  if (!isFullyVerified) refuseWithoutChecksums(compression);
  return { file, archiveBytes, manifest, isFullyVerified };
}

/** Refuses an upload that is not what was sent. @param expected its SHA-256, empty where the call has none @throws AppError damaged-archive */
function refuseWrongDigest(actual: string, expected: string): void {
  if (expected === '' || expected === actual) return;
  const message = `The SHA-256 of the upload is ${actual} instead of ${expected}: it is another file, or it was damaged on the way.`;
  throw fieldError('damaged-archive', 'sha256', message);
}

/** Refuses rows without checksums. Only zlib, pg_dump's default, has them. @throws AppError invalid */
function refuseWithoutChecksums(compression: Compression): void {
  if (compression === 'zlib') return;
  const how = compression === 'none' ? 'not compressed' : 'compressed without a checksum';
  const message = `The rows of this archive are ${how}, so nothing in it tells whether it is damaged: send its SHA-256 along.`;
  throw fieldError('invalid', 'sha256', message);
}

/** The system's messages for a full disk. */
const NO_ROOM: Record<string, string> = { ENOSPC: 'No space left on device', EDQUOT: 'Disk quota exceeded' };

/**
 * Writes an upload to a file.
 * @throws AppError damaged-archive when the client breaks off, or sends nothing; too-large, disk-full
 */
export async function receive(upload: Readable, path: string): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const measure = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length;
      if (sizeBytes > MAX_BYTES) throw new AppError('too-large');
      hash.update(chunk);
      yield chunk;
    }
  };
  await pipeline(upload, measure, createWriteStream(path, { flags: 'r+' })).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE') {
      throw damaged('The upload broke off before its end.');
    }
    const reason = NO_ROOM[error.code ?? ''];
    if (!reason) throw error;
    const message = `The folder of backups has no room for this file: ${reason}. Make room there, then try again.`;
    throw new AppError('disk-full', { message }, { cause: error });
  });
  if (sizeBytes === 0) throw damaged('The file is empty.');
  return { sizeBytes, sha256: hash.digest('hex') };
}
