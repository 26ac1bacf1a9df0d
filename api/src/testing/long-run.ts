/**
 * Whether test matrices run completely, as with `npm run test:long`. `npm test` runs a sample of each: the rest repeats the same
 * with other points, names or rounds.
 */
export const IS_LONG_RUN = process.env.APOTHECA_LONG_TESTS === 'on';
