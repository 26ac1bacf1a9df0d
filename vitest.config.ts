import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const tests = readdirSync(join(import.meta.dirname, 'api/src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.test.ts'),
);
/** Those that want a worker of their own: they say so, or replace a module, which nothing may have imported before. */
const alone = tests.filter((file) =>
  /vi\.mock\(|In a worker of its own/.test(readFileSync(join(import.meta.dirname, 'api/src', file), 'utf8')),
);

/** A project of the API's tests but for some files. */
const apiBut = (files: string[], name: string, isolate: boolean) => ({
  extends: './api/vitest.config.ts',
  root: './api',
  test: { name, isolate, exclude: files.map((file) => join('src', file)) },
});

export default defineConfig({
  test: {
    // Three on two cores: while one waits for a process or a limit, another works.
    maxWorkers: 3,
    projects: [
      // Files that follow one another in a worker share what they import: loading the server takes a third of the time of small ones.
      apiBut(alone, 'api', false),
      apiBut(
        tests.filter((file) => !alone.includes(file)),
        'api, alone',
        true,
      ),
      'console',
      'bench',
    ],
  },
});
