/**
 * Puts chunks together to parts of one size; the last one may be shorter. A part is valid until the next one is asked for, as all of them
 * share their memory.
 */
export async function* inParts(chunks: AsyncIterable<Uint8Array>, partBytes: number): AsyncGenerator<Buffer> {
  const part = Buffer.allocUnsafe(partBytes);
  let used = 0;
  for await (const chunk of chunks) {
    let taken = 0;
    while (taken < chunk.length) {
      const piece = chunk.subarray(taken, taken + partBytes - used);
      part.set(piece, used);
      used += piece.length;
      taken += piece.length;
      if (used === partBytes) {
        yield part;
        used = 0;
      }
    }
  }
  if (used > 0) yield part.subarray(0, used);
}
