import { readFileSync } from 'node:fs';

const description = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** The version of the code that runs, such as 0.3.0. */
export const PRODUCT_VERSION: string = description.version;
