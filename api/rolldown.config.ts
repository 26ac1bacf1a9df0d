// What `npm start` runs: the server with all that it loads when it starts, in one file (docs/decisions/081-server-in-one-file.md).
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { defineConfig, type Plugin } from 'rolldown';

const FOLDER = join(import.meta.dirname, 'dist');

/** Packages that are native or find files of their own by where they lie; and one that `pg` looks for, and does without. */
const APART = ['@fastify/swagger', '@fastify/swagger-ui', '@node-rs/argon2', 'pg-native', 'pino'];

const isPackage = (id: string) => id.includes('node_modules');

/**
 * Leaves out what is loaded when somebody needs it, as most processes never do: packages, and files of the server, which run from their sources
 * then. Such a file would get what it imports of the server a second time.
 */
const lateApart: Plugin = {
  name: 'late-apart',
  resolveId(source, importer = '', { kind }) {
    if (kind !== 'dynamic-import' || isPackage(importer)) return null;
    if (!source.startsWith('.')) return { id: source, external: true };
    const file = join(dirname(importer), source);
    if (/^import (?!type )[^;]* from '\./m.test(readFileSync(file, 'utf8')))
      this.error(`${file} is loaded late, so it can import packages and types only.`);
    return { id: relative(FOLDER, file), external: true };
  },
};

/** Has the server's files find what lies beside them where they lie, not beside the one file. */
const ownPlaces: Plugin = {
  name: 'own-places',
  transform: {
    filter: { code: 'import.meta.url' },
    handler(code, id) {
      if (isPackage(id)) return null;
      const place = `new URL(${JSON.stringify(relative(FOLDER, id))}, import.meta.url).href`;
      return { code: code.replaceAll('import.meta.url', place), map: null };
    },
  },
};

/** Ends the build where a package would look for its files in vain. */
const noPlacesOfPackages: Plugin = {
  name: 'no-places-of-packages',
  transform: {
    filter: { code: /\b__(dirname|filename)\b|\bimport\.meta\.(url|dirname|filename)\b/ },
    handler(_code, id) {
      if (isPackage(id)) this.error(`${id} looks for files by where it lies: its package has to stay apart.`);
    },
  },
};

/** V8 keeps a text with a byte for each character where none is beyond Latin-1, else with two: of this one, that would be six megabytes. */
const onlyAscii: Plugin = {
  name: 'only-ascii',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk') chunk.code = chunk.code.replace(/[^\0-\x7f]/g, escaped);
  },
};

const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

export default defineConfig({
  input: join(import.meta.dirname, 'src/main.ts'),
  platform: 'node',
  external: APART,
  // Nothing is left out as being without effect: it may throw, as decodeURIComponent does.
  treeshake: false,
  plugins: [lateApart, noPlacesOfPackages, ownPlaces, onlyAscii],
  output: {
    file: join(FOLDER, 'main.cjs'),
    // Node decodes an ES module into two bytes for each character, whatever is in it.
    format: 'cjs',
    codeSplitting: false,
    // By default it leaves out what has no effect, too.
    minify: false,
    comments: { legal: true, annotation: true, jsdoc: false },
  },
});
