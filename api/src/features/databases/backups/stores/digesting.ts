import { createHash } from 'node:crypto';

/** age encrypts as many bytes at once (age-encryption.org/v1, 'Payload'), so one damaged byte damages as many. */
export const AGE_CHUNK = 64 * 1024;
/** At most so many pieces are told apart: a large copy has larger ones. */
const MAX_PIECES = 4096;
/** Bytes kept of the SHA-256 of a piece: they find damage, while the SHA-256 of all of it proves that there is none. */
const PIECE_DIGEST = 8;

/** Size and SHA-256 of what passed. */
export interface Digest {
  sizeBytes: number;
  /** Lower-case hex. */
  sha256: string;
}

/** A digest that tells where two contents of one size differ. */
export interface PiecewiseDigest extends Digest {
  /** The beginnings of the SHA-256 of each piece, one after another. */
  pieces: Buffer;
}

/** Bytes from one place up to, and not including, another. */
export interface ByteRange {
  from: number;
  to: number;
}

/**
 * Measures chunks as they pass.
 * @returns the same chunks, and a function that gives their digest once they have all passed
 */
export function digesting(content: AsyncIterable<Uint8Array>): {
  chunks: AsyncIterable<Uint8Array>;
  digest: () => Digest;
} {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const pass = async function* () {
    for await (const chunk of content) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      yield chunk;
    }
  };
  return { chunks: pass(), digest: () => ({ sizeBytes, sha256: hash.digest('hex') }) };
}

/**
 * Measures chunks as they pass, piece by piece too.
 * @param expectedBytes the size that the content should have, by which it is divided
 * @returns as {@link digesting}
 */
export function digestingPieces(
  content: AsyncIterable<Uint8Array>,
  expectedBytes: number,
): { chunks: AsyncIterable<Uint8Array>; digest: () => PiecewiseDigest } {
  const pieceBytes = bytesOfPiece(expectedBytes);
  const pieces: Buffer[] = [];
  let piece = createHash('sha256');
  let missing = pieceBytes;
  const endPiece = () => pieces.push(piece.digest().subarray(0, PIECE_DIGEST));
  const { chunks, digest } = digesting(content);
  const pass = async function* () {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; ) {
        const part = chunk.subarray(at, at + missing);
        piece.update(part);
        at += part.length;
        missing -= part.length;
        if (missing > 0) continue;
        endPiece();
        piece = createHash('sha256');
        missing = pieceBytes;
      }
      yield chunk;
    }
    if (missing < pieceBytes) endPiece();
  };
  return { chunks: pass(), digest: () => ({ ...digest(), pieces: Buffer.concat(pieces) }) };
}

const bytesOfPiece = (expectedBytes: number): number =>
  AGE_CHUNK * Math.max(1, Math.ceil(expectedBytes / AGE_CHUNK / MAX_PIECES));

/** Where content is not as it should be, by the pieces of both. What it has beyond its end is not counted. */
export function changedRanges(expected: PiecewiseDigest, found: PiecewiseDigest): ByteRange[] {
  const pieceBytes = bytesOfPiece(expected.sizeBytes);
  const pieceOf = ({ pieces }: PiecewiseDigest, at: number) => pieces.subarray(at, at + PIECE_DIGEST);
  const ranges: ByteRange[] = [];
  for (let at = 0; at < expected.pieces.length; at += PIECE_DIGEST) {
    const from = (at / PIECE_DIGEST) * pieceBytes;
    if (!pieceOf(expected, at).equals(pieceOf(found, at))) ranges.push({ from, to: from + pieceBytes });
  }
  return ranges;
}

/** Reads chunks to their end, and keeps only their digest. */
export async function digestOf(content: AsyncIterable<Uint8Array>): Promise<Digest> {
  const { chunks, digest } = digesting(content);
  for await (const _chunk of chunks);
  return digest();
}
