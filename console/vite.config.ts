import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { defineConfig } from 'vitest/config';
import packageJson from './package.json' with { type: 'json' };
import { PATHS } from './src/app/navigation/paths.ts';

/** Name of the chunks of what several pages share. */
const SHARED = 'shared';

/** Where `npm start` serves the API while the console runs under Vite. */
const API = 'http://127.0.0.1:3000';

/**
 * Leaves out how zod makes a JSON Schema: each of its classes names its part of that, so 5 KiB would be loaded of what only the server calls.
 * Where a newer zod is written otherwise, they are in the program again.
 */
const withoutJsonSchema: Plugin = {
  name: 'without-json-schema',
  apply: 'build',
  transform: {
    filter: { id: /zod\/v4\/classic\/schemas\.js$/ },
    handler: (code) => ({
      code: code
        .replace(/^ *inst\._zod\.processJSONSchema = .*;$/gm, '')
        .replace(
          /^import \{ (\w+), (\w+) \} from "..\/core\/to-json-schema.js";$/m,
          'const $1 = () => undefined;\nconst $2 = $1;',
        ),
      map: null,
    }),
  },
};

/**
 * Has a style sheet asked for again that did not load. Vite's own helper takes it for loaded from then on, and its element for the sheet: the
 * page would come without its styles until the document is loaded anew.
 */
const sheetsAskedForAgain: Plugin = {
  name: 'sheets-asked-for-again',
  apply: 'build',
  transform: {
    filter: { id: /vite\/preload-helper\.js$/ },
    handler(code) {
      const mended = code.replace(
        /(\(err\) => \{\s*)seen\[href\] = void 0;/,
        `$1delete seen[href]; document.head.querySelector('link[href="' + href + '"]')?.remove();`,
      );
      if (mended === code)
        this.error('Vite has written its helper anew: see whether it asks for a failed style sheet again.');
      return { code: mended, map: null };
    },
  },
};

/** Two files that import each other run in an order that nobody chose: what one reads of the other may not be there yet. */
const noCircles: Plugin = {
  name: 'no-circles',
  apply: 'build',
  generateBundle(_, bundle) {
    const done = new Set<string>();
    const visit = (name: string, path: readonly string[]): void => {
      if (path.includes(name)) this.error(`Files import each other: ${[...path, name].join(', ')}.`);
      const file = bundle[name];
      if (done.has(name) || file?.type !== 'chunk') return;
      for (const imported of file.imports) visit(imported, [...path, name]);
      done.add(name);
    };
    for (const name of Object.keys(bundle)) visit(name, []);
  },
};

/** The pages that are opened by their address most, and the names of their chunks. The dashboard comes with the frame. */
const EARLY_PAGES = {
  [PATHS.tenants]: 'tenants-page',
  [PATHS.users]: 'users-page',
  [PATHS.databases]: 'databases-page',
  [PATHS.licences]: 'licences-page',
};

/** Names the files of the protected pages' frame, and of some pages, to `public/early.js`: all that index.html does not load anyway. */
const filesByName: Plugin = {
  name: 'files-by-name',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      /** The files that a chunk needs, but for those that are there already. */
      function filesOf(chunkName: string, there: readonly string[]): string[] {
        const files = new Set<string>();
        const add = (chunk?: (typeof chunks)[number]) => {
          if (!chunk || files.has(chunk.fileName) || html.includes(chunk.fileName)) return;
          for (const file of [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])]) files.add(file);
          for (const imported of chunk.imports) add(chunks.find(({ fileName }) => fileName === imported));
        };
        add(chunks.find(({ name }) => name === chunkName));
        return [...files].filter((file) => !there.includes(file));
      }
      const frame = filesOf('signed-in', []);
      const pages = Object.entries(EARLY_PAGES).map(([path, name]) => [path, filesOf(name, frame).join(' ')]);
      const named = `data-frame="${frame.join(' ')}" data-pages='${JSON.stringify(Object.fromEntries(pages))}'`;
      return html.replace('<script src="/early.js"', `$& ${named}`);
    },
  },
};

export default defineConfig({
  plugins: [
    react(),
    withoutJsonSchema,
    sheetsAskedForAgain,
    noCircles,
    filesByName,
    compression({ algorithms: ['gzip', 'brotliCompress'], threshold: 256, logLevel: 'silent' }),
  ],
  define: { __APP_VERSION__: JSON.stringify(packageJson.version) },
  css: {
    preprocessorOptions: {
      // Bootstrap 5.3 is written with Sass' old @import and global functions; its next major version drops them.
      scss: {
        quietDeps: true,
        silenceDeprecations: ['import', 'global-builtin', 'color-functions', 'if-function'],
      },
    },
  },
  server: { proxy: { '/api': API, '/identity': API, '/config.json': API, '/faqs/images': API, '/public': API } },
  build: {
    // The oldest that have all that is called here; nothing is filled in for older ones.
    target: ['chrome126', 'edge126', 'firefox126', 'safari18'],
    modulePreload: { polyfill: false },
    // Small pictures stay files: the content security policy allows no data: fonts or scripts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // Their names are those of all pages that share them.
        chunkFileNames: ({ name }) => `assets/${name.startsWith(SHARED) ? SHARED : '[name]'}-[hash].js`,
        codeSplitting: {
          // Each takes what its files import too, unless an earlier one has it: so the first screens come in few files.
          groups: [
            // The libraries of the first screen keep their address from one release to the next.
            { name: 'vendor', test: /node_modules.*\.m?js$/, tags: ['$initial'] },
            { name: 'first', tags: ['$initial'] },
            { name: 'auth', test: /pages[\\/](register|forgot-password|recover-password)-page/ },
            // With the dashboard, to which most sign-ins lead.
            { name: 'signed-in', test: /app[\\/](signed-in|pages[\\/]dashboard-page)\.tsx/ },
            { name: 'icons', test: /lucide-react/, minShareCount: 2 },
            // They come by themselves, after the frame.
            { name: 'toasts', test: /components[\\/]toast[\\/]toasts\.tsx/ },
            { name: 'dialogs', test: /src[\\/](components[\\/]dialog|forms)[\\/]/ },
            { name: 'lists', test: /src[\\/](components[\\/]data-table|lists)[\\/]/ },
            // What several pages share, in a few files: a browser asks for six at a time where HTTP/1.1 is spoken. By rooms, as Rolldown merges
            // small files otherwise with each build (entriesAwareMergeThreshold), at times so that two import each other.
            { name: 'parts', test: /console[\\/]src[\\/](components[\\/](?!rich-text)|lib[\\/])/, minShareCount: 2 },
            { name: 'calls', test: /console[\\/]src[\\/]api[\\/]/, minShareCount: 2 },
            {
              name: 'records',
              test: /console[\\/]src[\\/](bulks|history|imports|operations|views)[\\/]/,
              minShareCount: 2,
            },
            {
              name: SHARED,
              test: /console[\\/]src[\\/]|contract[\\/]src/,
              minShareCount: 2,
              maxModuleSize: 20_000,
              entriesAware: true,
            },
          ],
        },
      },
    },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['src/testing/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    // Its own, as a project does not take that of the root: else it would be one on two cores.
    maxWorkers: 3,
    restoreMocks: true,
    unstubGlobals: true,
    // These limits find what hangs; a busy machine is no fault of the console's.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    css: false,
  },
});
