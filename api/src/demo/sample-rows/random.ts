export type Random = ReturnType<typeof createRandom>;

/** A repeatable random generator. The streams of one seed are independent, so what is drawn for one table never changes another. */
export function createRandom(seed: number, stream: string) {
  let state = startOf(`${seed}/${stream}`);

  /** The next number of Marsaglia's 32-bit xorshift sequence, from 0 up to, not including, 1. */
  function fraction(): number {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  }

  /** A whole number from `from` to `to`, both included. */
  function integer(from: number, to: number): number {
    return from + Math.floor(fraction() * (to - from + 1));
  }

  function chance(probability: number): boolean {
    return fraction() < probability;
  }

  function pick<T>(choices: readonly T[]): T {
    const choice = choices[integer(0, choices.length - 1)];
    if (choice === undefined) throw new RangeError('Nothing to pick from');
    return choice;
  }

  function digits(count: number): string {
    return Array.from({ length: count }, () => integer(0, 9)).join('');
  }

  return { integer, chance, pick, digits };
}

/** The 32-bit FNV-1a hash of a text, but never 0, which xorshift cannot leave. */
function startOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash || 1;
}
