/** Lower case without accents, so that 'tomas' finds 'Tomás'. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * Makes the text filter of a list: a row is found when its texts contain every typed word.
 * @param textsOf the searched texts of a row
 * @returns `(typed) => (row) => found`, and `prepare`, which builds the text of a row ahead
 */
export function textSearch<Row extends object>(textsOf: (row: Row) => readonly string[]) {
  // Rows stay the same objects between key strokes, so the text of each is built once.
  const known = new WeakMap<Row, string>();
  const searchText = (row: Row): string => {
    const text = known.get(row) ?? plain(textsOf(row).join('\n'));
    known.set(row, text);
    return text;
  };
  const search = (typed: string) => {
    const words = plain(typed).split(/\s+/).filter(Boolean);
    return (row: Row): boolean => words.every((word) => searchText(row).includes(word));
  };
  return Object.assign(search, {
    prepare(row: Row): void {
      searchText(row);
    },
  });
}
