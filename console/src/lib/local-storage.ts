/** Local storage that never throws: browsers may forbid it, and it may be full (SPEC §4). */

/** The text stored under a key; null also when storage is forbidden. */
export function readItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text. A key that cannot be written is removed, so that no outdated text stays under it. */
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
    // Where storage is forbidden there is nothing to remove.
  }
}
