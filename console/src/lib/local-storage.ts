/** Local storage that never throws: browsers may forbid it, fill it up or hold it back (SPEC §4). */

/** What is stored under a key; null also when storage is forbidden. */
export function readItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text. A key that cannot be written is removed, so that no outdated text is found there later. */
export function writeItem(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    removeItem(key);
  }
}

export function removeItem(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Forbidden storage holds nothing.
  }
}
