import { type FileHandle, open } from 'node:fs/promises';

/** A file does not have pg_dump's custom format. */
export class FormatError extends Error {
  /** The table whose rows are damaged, where that is known. */
  readonly table: string | undefined;

  constructor(message: string, table?: string) {
    super(message);
    this.table = table;
  }
}

/** Bytes that are read from the file at once. */
const WINDOW = 1024 * 1024;
/** No text in an archive of this platform is nearly as long: a longer one was written to fill the memory. */
const MAX_TEXT = 1024 * 1024;

/**
 * Runs `work` with a reader of an archive.
 * @param end length of the archive within the file, in bytes
 */
export async function withArchive<T>(
  path: string,
  end: number,
  work: (reader: ArchiveReader) => Promise<T>,
): Promise<T> {
  const file = await open(path, 'r');
  try {
    return await work(new ArchiveReader(file, end));
  } finally {
    await file.close();
  }
}

/** Reads a file of pg_dump's custom format, value by value. */
export class ArchiveReader {
  readonly #file: FileHandle;
  readonly #end: number;
  /** One for the whole archive: with a new one for each MiB the process would not give the memory back. */
  readonly #window: Buffer;
  #windowStart = 0;
  #windowLength = 0;
  #position = 0;
  #intBytes = 4;
  #offsetBytes = 8;

  constructor(file: FileHandle, end: number) {
    this.#file = file;
    this.#end = end;
    this.#window = Buffer.alloc(Math.min(WINDOW, end));
  }

  /** How many bytes have been read. */
  position(): number {
    return this.#position;
  }

  isAtEnd(): boolean {
    return this.#position >= this.#end;
  }

  /** The next bytes, at most 1 MiB. They are valid until something else is read. */
  async take(length: number): Promise<Buffer> {
    if (length < 0 || length > this.#end - this.#position) throw new FormatError('it ends too early');
    if (!this.#isInWindow(length)) await this.#fillWindow(length);
    const from = this.#position - this.#windowStart;
    this.#position += length;
    return this.#window.subarray(from, from + length);
  }

  /** The next bytes in parts, each valid until the next one. The archive itself says how many bytes they are. */
  async *parts(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0; left -= Math.min(left, WINDOW)) yield await this.take(Math.min(left, WINDOW));
  }

  skip(length: number): void {
    this.seek(length < 0 ? length : this.#position + length);
  }

  /** Goes to a byte of the archive, forwards or backwards. */
  seek(position: number): void {
    if (position < 0 || position > this.#end) throw new FormatError('it ends too early');
    this.#position = position;
  }

  async byte(): Promise<number> {
    return (await this.take(1)).readUInt8();
  }

  async int(): Promise<number> {
    const bytes = await this.take(1 + this.#intBytes);
    const value = unsigned(bytes.subarray(1));
    return bytes[0] === 0 ? value : -value;
  }

  /** A text, or its first bytes; undefined where the archive has null. */
  async text(most = MAX_TEXT): Promise<string | undefined> {
    const length = await this.#textLength();
    return length < 0 ? undefined : (await this.take(length)).toString('utf8', 0, Math.min(length, most));
  }

  /** Skips a text. @returns whether it is neither null nor empty */
  async skipText(): Promise<boolean> {
    const length = await this.#textLength();
    if (length > 0) this.skip(length);
    return length > 0;
  }

  /** Where rows begin, with a flag that says whether that is known. */
  async offset(): Promise<{ flag: number; position: number }> {
    const bytes = await this.take(1 + this.#offsetBytes);
    return { flag: bytes.readUInt8(), position: unsigned(bytes.subarray(1)) };
  }

  /** Sets how many bytes the archive's numbers have, as its head says. */
  setSizes({ int, offset }: { int: number; offset: number }): void {
    this.#intBytes = int;
    this.#offsetBytes = offset;
  }

  #isInWindow(length: number): boolean {
    return this.#position >= this.#windowStart && this.#position + length <= this.#windowStart + this.#windowLength;
  }

  async #fillWindow(length: number): Promise<void> {
    const wanted = Math.min(this.#window.length, this.#end - this.#position);
    const { bytesRead } = await this.#file.read(this.#window, 0, wanted, this.#position);
    if (bytesRead < length) throw new FormatError('it ends too early');
    this.#windowStart = this.#position;
    this.#windowLength = bytesRead;
  }

  async #textLength(): Promise<number> {
    const length = await this.int();
    if (length > MAX_TEXT) throw new FormatError('a text in it is too long');
    return length;
  }
}

/** A number in little-endian bytes. No file is so long that it takes more than six of them. */
function unsigned(bytes: Buffer): number {
  if (bytes.subarray(6).some((byte) => byte !== 0)) throw new FormatError('a number in it is too large');
  return bytes.readUIntLE(0, Math.min(6, bytes.length));
}
