import { createHash } from 'node:crypto';

/** Size and SHA-256 of what passed. */
export interface Digest {
  sizeBytes: number;
  /** Lower-case hex. */
  sha256: string;
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

/** Reads chunks to their end, and keeps only their digest. */
export async function digestOf(content: AsyncIterable<Uint8Array>): Promise<Digest> {
  const { chunks, digest } = digesting(content);
  for await (const _chunk of chunks);
  return digest();
}
