import { compareNames } from '@apotheca/contract/name-collation';

/**
 * Opens keys for names, by which a Map finds what PostgreSQL takes for the same name.
 * @returns gives a name its key: the first name it was given that is the same
 */
export function openNameKeys(): (name: string) => string {
  const sorted: string[] = [];
  const known = new Map<string, string>();
  return (name) => {
    const key = known.get(name) ?? keyIn(sorted, name);
    known.set(name, key);
    return key;
  };
}

/** Looks a name up in names that are sorted and all different, and adds it where none is the same. JavaScript gives no sort keys to compare. */
function keyIn(sorted: string[], name: string): string {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const there = sorted[middle] ?? '';
    const order = compareNames(name, there);
    if (order === 0) return there;
    if (order < 0) to = middle;
    else from = middle + 1;
  }
  sorted.splice(from, 0, name);
  return name;
}
