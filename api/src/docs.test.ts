import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ERRORS } from '@apotheca/contract/errors';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const PAGES = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root })];
/** Made by installing, building or running: not part of the repository. */
const MADE = ['node_modules', 'data', 'dist', 'test-results', 'secrets.json'];
const ROOT_FILE = /^[\w.-]+\.(md|json)$/;
const FOLDERS = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

/** Paths in backticks; `<name>` and `*` stand for any one. Fenced blocks are taken out: their backticks are no pairs. */
function namedPaths(page: string): string[] {
  const text = read(page).replace(/^ *```[\s\S]*?^ *```/gm, '');
  return matches(text, /`([^`\s]+)`/g).filter((word) => {
    const parts = word.split('/');
    if (parts.some((part) => MADE.includes(part))) return false;
    return ROOT_FILE.test(word) || (parts.length > 1 && FOLDERS.includes(parts[0] ?? ''));
  });
}

const isThere = (path: string) => globSync(path.replace(/<\w+>/g, '*'), { cwd: root }).length > 0;

/** The paths of the tree that docs/architecture.md draws by indentation, two spaces a level. */
function treePaths(): string[] {
  const [tree = ''] = matches(read('docs/architecture.md'), /```text\n([\s\S]*?)```/g);
  const parents: string[] = [];
  return tree
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, indent = '', name = ''] = /^( *)(\S+)/.exec(line) ?? [];
      const level = indent.length / 2;
      parents.splice(level, parents.length, name);
      return join(...parents);
    });
}

const settingsOf = (text: string, pattern: RegExp) => matches(text, pattern).toSorted();

describe('the documentation', () => {
  it('names npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const named = PAGES.flatMap((page) => matches(read(page), /\bnpm (?:run )?((?<=run )[\w:-]+|start|test)\b/g));
    expect(named).toEqual(expect.arrayContaining(['start', 'test', 'dev', 'audit:verify']));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it.each(PAGES)('names paths of the repository that exist: %s', (page) => {
    expect(namedPaths(page).filter((path) => !isThere(path))).toEqual([]);
  });

  it.each(PAGES)('links to files that exist: %s', (page) => {
    const targets = matches(read(page), /\]\(([^)#\s]+)[^)]*\)/g).filter((target) => !target.includes('://'));
    expect(targets.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
  });

  it('draws a tree of what is there', () => {
    expect(treePaths().length).toBeGreaterThan(50);
    expect(treePaths().filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('has every setting in README.md and .env.example, and no other', () => {
    const settings = settingsOf(read('api/src/config.ts'), /^ {2}([A-Z][A-Z_]+): (?:z|wholeNumber)\b/gm);
    expect(settings).toContain('DATABASE_URL');
    expect(settingsOf(read('README.md'), /^\| `([A-Z_]+)` \|/gm)).toEqual(settings);
    expect(settingsOf(read('.env.example'), /^# ([A-Z_]+)=/gm)).toEqual(settings);
  });

  it('gives the true defaults in .env.example', () => {
    const example = [...read('.env.example').matchAll(/^# ([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
    expect(readConfig(Object.fromEntries(example))).toEqual(readConfig({}));
  });

  it('explains every error code, with its status, title and message', () => {
    const rows = matches(read('docs/errors.md'), /^(\| `[a-z-]+` \| \d.*) \| [^|]+ \|$/gm);
    const expected = Object.entries(ERRORS).map(
      ([code, { status, title, message }]) => `| \`${code}\` | ${status} | ${title} | ${message}`,
    );
    expect(rows).toEqual(expected);
  });
});
