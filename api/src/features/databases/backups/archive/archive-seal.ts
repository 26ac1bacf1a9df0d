import { createHash } from 'node:crypto';
import { appendFile, open, stat } from 'node:fs/promises';
import { isStorable } from '@apotheca/contract/text';
import type { z } from 'zod';
import { type Manifest, manifest as manifestShape } from './archive-manifest.ts';
import { type ArchiveFile, hashFile } from './archive-store.ts';
import { damaged } from './damaged-archive.ts';

// pg_restore does not read beyond the last block of an archive, so it reads a sealed archive too.
const MARK = '\nMade by Apotheca; SHA-256 of all before: ';
const SEAL = new RegExp(`^${MARK}([0-9a-f]{64})\n$`);
const SEAL_LENGTH = MARK.length + 64 + 1;
const THIRD = Math.ceil(MARK.length / 3);
/** The thirds of the mark. A seal that has one wrong byte, or is cut off, still has one of them. */
const TRACES = [MARK.slice(0, THIRD), MARK.slice(THIRD, 2 * THIRD), MARK.slice(2 * THIRD)];

/** Before the seal: how many bytes of JSON before this line are the manifest. Earlier versions wrote none. */
const MANIFEST_LINE = /\nManifest of Apotheca: the (\d{12}) bytes before$/;
const manifestLine = (bytes: number): string =>
  `\nManifest of Apotheca: the ${String(bytes).padStart(12, '0')} bytes before`;
const MANIFEST_LINE_LENGTH = manifestLine(0).length;
/** The longest manifest that is read: one of 100,000 objects. */
const MAX_MANIFEST = 64 * 1024 * 1024;

/** What stands behind the blocks of an archive. */
export interface ArchiveEnd<Shape = Manifest> {
  /** Whether it has a seal: one that was not made by Apotheca has none. */
  isSealed: boolean;
  /** Length of the archive as pg_dump wrote it. */
  archiveBytes: number;
  manifest: Shape | null;
}

/**
 * Appends a manifest to an archive, and the SHA-256 of all that. The format has checksums only for rows; the seal proves that every byte of a returning archive
 * is unchanged.
 * @param signed the manifest for an archive with a SHA-256, as of {@link signManifest}
 * @returns size and digest of the file with its seal
 */
export async function sealArchive(
  path: string,
  signed: (sha256: string) => Manifest,
  signal: AbortSignal,
): Promise<ArchiveFile> {
  const { hash } = await hashFile(path, { signal });
  const text = Buffer.from(JSON.stringify(signed(hash.copy().digest('hex'))));
  const end = Buffer.concat([text, Buffer.from(manifestLine(text.length))]);
  const seal = `${MARK}${hash.update(end).copy().digest('hex')}\n`;
  await appendFile(path, Buffer.concat([end, Buffer.from(seal)]));
  const { size } = await stat(path);
  return { sizeBytes: size, sha256: hash.update(seal).digest('hex') };
}

/** What {@link sealing} adds to an archive with a manifest, in bytes. */
export const sealLength = (manifest: object): number => textOf(manifest).length + MANIFEST_LINE_LENGTH + SEAL_LENGTH;

/** As {@link sealArchive}, for an archive that is sent away: the manifest is written to no file. */
export async function* sealing(
  archive: AsyncIterable<Uint8Array>,
  manifest: object,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createHash('sha256');
  for await (const chunk of archive) {
    hash.update(chunk);
    yield chunk;
  }
  const text = textOf(manifest);
  const end = Buffer.concat([text, Buffer.from(manifestLine(text.length))]);
  yield end;
  yield Buffer.from(`${MARK}${hash.update(end).digest('hex')}\n`);
}

// On a line of its own, for those who read it by hand.
const textOf = (manifest: object): Buffer => Buffer.from(`\n${JSON.stringify(manifest)}`);

/**
 * Compares an archive with its seal, and reads its manifest.
 * @throws AppError damaged-archive
 */
export const verifySeal = (path: string): Promise<ArchiveEnd> => verifySealOf(path, manifestShape);

/** As {@link verifySeal}, for archives with another manifest. */
export async function verifySealOf<Shape>(path: string, shape: z.ZodType<Shape>): Promise<ArchiveEnd<Shape>> {
  const { size } = await stat(path);
  const end = await readEnd(path, size, SEAL_LENGTH);
  const [, digest] = SEAL.exec(end) ?? [];
  if (digest === undefined) {
    if (TRACES.some((trace) => end.includes(trace))) throw damaged('The end of this archive is damaged.');
    return { isSealed: false, archiveBytes: size, manifest: null };
  }
  const sealedBytes = size - SEAL_LENGTH;
  const { hash } = await hashFile(path, { length: sealedBytes });
  const actual = hash.digest('hex');
  if (actual === digest) return { isSealed: true, ...(await readManifest(path, sealedBytes, shape)) };
  throw damaged(
    `This archive has been changed: its SHA-256 is ${actual} instead of the ${digest} that it was sealed with.`,
  );
}

/** How much of a file is pg_dump's archive, as its end says; undefined when the end itself is damaged or no seal of Apotheca's. */
export async function findArchiveLength(path: string): Promise<number | undefined> {
  const { size } = await stat(path);
  if (!SEAL.test(await readEnd(path, size, SEAL_LENGTH))) return undefined;
  return (await readManifest(path, size - SEAL_LENGTH, manifestShape).catch(() => undefined))?.archiveBytes;
}

async function readManifest<Shape>(
  path: string,
  sealedBytes: number,
  shape: z.ZodType<Shape>,
): Promise<Omit<ArchiveEnd<Shape>, 'isSealed'>> {
  const [line, digits] = MANIFEST_LINE.exec(await readEnd(path, sealedBytes, MANIFEST_LINE_LENGTH)) ?? [];
  if (line === undefined) return { archiveBytes: sealedBytes, manifest: null };
  const bytes = Number(digits);
  const archiveBytes = sealedBytes - MANIFEST_LINE_LENGTH - bytes;
  if (bytes > MAX_MANIFEST || archiveBytes < 0) throw unreadable();
  // Whoever makes a seal by hand can write anything here.
  const text = await readEnd(path, archiveBytes + bytes, bytes, 'utf8');
  return { archiveBytes, manifest: parsed(text, shape) };
}

function parsed<Shape>(text: string, shape: z.ZodType<Shape>): Shape {
  try {
    return shape.parse(JSON.parse(text, refuseUnstorable));
  } catch {
    throw unreadable();
  }
}

/** The list of backups keeps it. */
function refuseUnstorable(_key: string, value: unknown): unknown {
  if (typeof value === 'string' && !isStorable(value)) throw unreadable();
  return value;
}

const unreadable = () => damaged('The manifest at the end of this archive cannot be read.');

/** The last bytes before a position, or all. */
async function readEnd(
  path: string,
  before: number,
  most: number,
  encoding: 'latin1' | 'utf8' = 'latin1',
): Promise<string> {
  const file = await open(path, 'r');
  try {
    const length = Math.min(before, most);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, before - length);
    return buffer.toString(encoding);
  } finally {
    await file.close();
  }
}
