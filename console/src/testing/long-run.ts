/** Whether the whole of a test matrix runs, as with `npm run test:long`; `npm test` runs a sample of it. */
export const IS_LONG_RUN = process.env.APOTHECA_LONG_TESTS === 'on';
