/** A copy to be stored. */
export interface NewCopy {
  /** Of the file or the object. */
  name: string;
  /** Read once. Where it fails, nothing of the copy is left. */
  content: AsyncIterable<Uint8Array>;
  sizeBytes: number;
  signal: AbortSignal;
}

/** What lies in a store. */
export interface StoredObject {
  name: string;
  storedAt: Date;
}

/** A place for copies of archives. */
export interface BackupStore {
  /**
   * Stores a copy in place of an older one of that name; removes what an earlier attempt left of it. Nobody sees a part of it.
   * @returns whether the store has proved that it holds these very bytes; if not, they have to be read back
   */
  put(copy: NewCopy): Promise<boolean>;
  /** Reads a copy. @throws AppError not-found */
  read(name: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Names of the copies that are whole and begin so. */
  list(beginning: string, signal: AbortSignal): Promise<StoredObject[]>;
  /** Removes a copy and what an attempt left of it. It is no error when there is none. */
  remove(name: string, signal: AbortSignal): Promise<void>;
}
