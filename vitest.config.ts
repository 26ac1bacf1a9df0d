import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * Two projects of a workspace: files that follow one another in a worker and share what they import, as loading the server or a page takes a
 * third of the time of small ones; and files with a worker of their own.
 * @param alone what files say or call that want a worker of their own
 */
function projectsOf(workspace: string, alone: RegExp) {
  const source = join(import.meta.dirname, workspace, 'src');
  const tests = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /\.test\.tsx?$/.test(file));
  const isAlone = (file: string) => alone.test(readFileSync(join(source, file), 'utf8'));
  const but = (files: string[], name: string, isolate: boolean) => ({
    extends: `./${workspace}/${workspace === 'api' ? 'vitest' : 'vite'}.config.ts`,
    root: `./${workspace}`,
    test: { name, isolate, exclude: files.map((file) => join('src', file)) },
  });
  return [
    but(tests.filter(isAlone), workspace, false),
    but(
      tests.filter((file) => !isAlone(file)),
      `${workspace}, alone`,
      true,
    ),
  ];
}

export default defineConfig({
  test: {
    // Four on two cores: while one waits for a process or a limit, others work. With three the processors were idle for a tenth to a third of
    // the minutes in which the files that wait most come.
    maxWorkers: 4,
    projects: [
      // What replaces a module must come before anything that has imported it.
      ...projectsOf('api', /vi\.mock\(|In a worker of its own/),
      // A timer that was pending while the clock was replaced never fires; the settings of a page are read once.
      ...projectsOf('console', /vi\.mock\(|useFakeTimers|config\.json|In a worker of its own/),
      'bench',
    ],
  },
});
