// The collation `case_insensitive` of the control database (und-u-ks-level2, decision 007). English changes nothing in
// Unicode's root order; 'und' would be the language of the browser or the server here.
const collator = new Intl.Collator('en', { sensitivity: 'accent' });

/** Orders names as PostgreSQL does: whatever their case and however their letters are typed, but with their accents. */
export const compareNames = (one: string, other: string): number => collator.compare(one, other);

/** Whether two names are one for PostgreSQL. */
export const isSameName = (one: string, other: string): boolean => compareNames(one, other) === 0;
