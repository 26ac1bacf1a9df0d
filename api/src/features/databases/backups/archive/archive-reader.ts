import { type FileHandle, open } from 'node:fs/promises';

/** What is read does not have pg_dump's custom format. */
export class FormatError extends Error {}

/** Reads a file of pg_dump's custom format, value by value. */
export interface ArchiveReader {
  /** How many bytes have been read. */
  position(): number;
  isAtEnd(): boolean;
  /** The next bytes, at most 1 MiB of them, to be used before anything else is read. */
  take(length: number): Promise<Buffer>;
  /** The next bytes, a part at a time, each to be used before the next one: their maker chose how many they are. */
  parts(length: number): AsyncGenerator<Buffer>;
  skip(length: number): void;
  /** Goes to a byte of the archive, which may be one that was read before. */
  seek(position: number): void;
  byte(): Promise<number>;
  int(): Promise<number>;
  /** A text; undefined where there is none. */
  text(): Promise<string | undefined>;
  /** Passes over a text, whatever its length up to the longest one. @returns whether there is one that is not empty */
  skipText(): Promise<boolean>;
  /** Where rows begin, with a flag that tells whether that is known. */
  offset(): Promise<{ flag: number; position: number }>;
  /** Takes the sizes of numbers from the archive's head. */
  setSizes(sizes: { int: number; offset: number }): void;
}

/** Bytes that are read at once. */
const WINDOW = 1024 * 1024;
/** No text of an archive of this platform is nearly as long: who announces more is out to fill the memory. */
const LONGEST_TEXT = 1024 * 1024;

/**
 * Runs `work` with a reader of an archive.
 * @param end how much of the file belongs to the archive, in bytes
 */
export async function withArchive<T>(
  path: string,
  end: number,
  work: (reader: ArchiveReader) => Promise<T>,
): Promise<T> {
  const file = await open(path, 'r');
  try {
    return await work(readerOf(file, end));
  } finally {
    await file.close();
  }
}

function readerOf(file: FileHandle, end: number): ArchiveReader {
  const sizes = { int: 4, offset: 8 };
  // One for all of the archive: a new one for each MiB would leave the process with memory that it does not give back.
  const window = Buffer.alloc(Math.min(WINDOW, end));
  let held = 0;
  let heldFrom = 0;
  let position = 0;

  async function take(length: number): Promise<Buffer> {
    if (length < 0 || length > end - position) throw new FormatError('it ends too early');
    if (position < heldFrom || position + length > heldFrom + held) {
      const { bytesRead } = await file.read(window, 0, Math.min(window.length, end - position), position);
      if (bytesRead < length) throw new FormatError('it ends too early');
      held = bytesRead;
      heldFrom = position;
    }
    position += length;
    return window.subarray(position - length - heldFrom, position - heldFrom);
  }
  async function* parts(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0; left -= Math.min(left, WINDOW)) yield await take(Math.min(left, WINDOW));
  }
  function seek(to: number): void {
    if (to < 0 || to > end) throw new FormatError('it ends too early');
    position = to;
  }
  async function textLength(): Promise<number> {
    const length = await int();
    if (length > LONGEST_TEXT) throw new FormatError('a text in it is too long');
    return length;
  }
  // Beyond six bytes there is no file so long.
  const unsigned = (bytes: Buffer): number => {
    if (bytes.subarray(6).some((byte) => byte !== 0)) throw new FormatError('a number in it is too large');
    return bytes.readUIntLE(0, Math.min(6, bytes.length));
  };
  async function int(): Promise<number> {
    const bytes = await take(1 + sizes.int);
    const value = unsigned(bytes.subarray(1));
    return bytes[0] === 0 ? value : -value;
  }
  return {
    position: () => position,
    isAtEnd: () => position >= end,
    take,
    parts,
    seek,
    skip: (length) => seek(length < 0 ? length : position + length),
    byte: async () => (await take(1)).readUInt8(),
    int,
    async text() {
      const length = await textLength();
      return length < 0 ? undefined : (await take(length)).toString();
    },
    async skipText() {
      const length = await textLength();
      if (length > 0) seek(position + length);
      return length > 0;
    },
    async offset() {
      const bytes = await take(1 + sizes.offset);
      return { flag: bytes.readUInt8(), position: unsigned(bytes.subarray(1)) };
    },
    setSizes: (found) => void Object.assign(sizes, found),
  };
}
