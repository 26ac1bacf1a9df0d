import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ERRORS } from '@apotheca/contract/errors';
import { PERMISSION_CATALOGUE } from '@apotheca/contract/permission-catalogue';
import { ROUTES } from '@apotheca/contract/routes';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { settings } from './settings.ts';
import { settingsReference } from './settings-reference.ts';
import { danglingReferences, sectionsOf, type Text, unknownKeys } from './testing/references.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Made by installing, building or running: not part of the repository. */
const MADE = ['node_modules', 'data', 'dist', 'generated', 'results', 'test-results', 'secrets.json', 'recovery.json'];
const isMade = (path: string) => path.split('/').some((part) => MADE.includes(part));
const filesOf = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: (path) => MADE.includes(path) }).filter((path) => !isMade(path));

/** What a room is for. */
const ROOMS = filesOf('{api,console,contract,e2e,bench}/**/README.md');
const PACKAGES = filesOf('packages/*/README.md');
const PAGES = [...globSync('*.md', { cwd: root }), ...filesOf('docs/**/*.md'), ...ROOMS, ...PACKAGES];
const ROOT_FILE = /^[\w.-]+\.(md|json)$/;
const FOLDERS = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Everything that people write: code, tests, migrations, styles, pages. */
const WRITTEN = '{api,console,contract,packages,e2e,bench,scripts,docs}/**/*.{ts,tsx,mjs,sql,scss,md}';
const REQUIREMENTS = read('docs/requirements.md');
const BOOK = { requirements: REQUIREMENTS, decisions: readdirSync(join(root, 'docs/decisions')) };
const BUNDLES = ['en.json', 'en-pages.json', 'en-factors.json'].map((name): object =>
  JSON.parse(read(`console/src/locales/${name}`)),
);
const PERMISSIONS = PERMISSION_CATALOGUE.map(({ identifier }) => identifier);

const writtenTexts = (): Text[] =>
  [...globSync('*.md', { cwd: root }), ...filesOf(WRITTEN)].map((path) => ({ path, text: read(path) }));

/** Planted texts have # for § and ~ for nothing: otherwise this file would hold dangling references itself. */
const planted = (text: string) => text.replaceAll('#', '§').replaceAll('~', '');
const danglingIn = (text: string) =>
  danglingReferences([{ path: '', text: planted(text) }], BOOK).map((found) => found.slice(': '.length));

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

/** Paths in backticks; `<name>` and `*` stand for any name. Fenced blocks are removed first, as their backticks are no pairs. */
function namedPaths(page: string): string[] {
  const text = read(page).replace(/^ *```[\s\S]*?^ *```/gm, '');
  return matches(text, /`([^`\s]+)`/g).filter((word) => {
    const parts = word.split('/');
    if (isMade(word)) return false;
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

/** The anchors that GitHub makes of a page's headings. */
const anchorsOf = (page: string) =>
  matches(page, /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** All of .env.example, taken from behind its #. */
const EXAMPLE = read('.env.example').replace(/^# (?=[A-Z_]+=)/gm, '');

/** What a program is given where a file of settings was read as .env.example says. */
function sourced(lines: string): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'apotheca-env-'));
  writeFileSync(join(folder, '.env'), lines);
  const { stdout } = spawnSync(
    'sh',
    ['-c', 'set -a; . ./.env; set +a; exec "$0" -p "JSON.stringify(process.env)"', process.execPath],
    { cwd: folder, env: {}, encoding: 'utf8' },
  );
  rmSync(folder, { recursive: true });
  return JSON.parse(stdout);
}

const settingsOf = (text: string, pattern: RegExp) => matches(text, pattern).toSorted();

describe('the documentation', () => {
  it('names npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const named = PAGES.flatMap((page) => matches(read(page), /\bnpm (?:run )?((?<=run )[\w:-]+|start|test)\b/g));
    expect(named).toEqual(expect.arrayContaining(['start', 'test', 'dev', 'audit:verify']));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('names commands of the administrator that exist', () => {
    const [, usage = ''] = /const USAGE = `([^`]*)`/.exec(read('api/src/admin.ts')) ?? [];
    const commands = matches(usage, /^ {2}([a-z-]+) /gm);
    const named = PAGES.flatMap((page) => matches(read(page), /(?:admin\.ts|npm run admin --) ([a-z-]+)/g));
    expect(named).toEqual(expect.arrayContaining(['list-sessions', 'reset-password']));
    expect(named.filter((name) => !commands.includes(name))).toEqual([]);
  });

  it.each(PAGES)('names paths of the repository that exist: %s', (page) => {
    expect(namedPaths(page).filter((path) => !isThere(path))).toEqual([]);
  });

  it.each(PAGES)('links to files that exist: %s', (page) => {
    const targets = matches(read(page), /\]\(([^)#\s]+)[^)]*\)/g).filter((target) => !target.includes('://'));
    expect(targets.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
  });

  it.each(PAGES)('links to headings that exist: %s', (page) => {
    const targets = [...read(page).matchAll(/\]\(([^)#\s:]*)#([^)]+)\)/g)];
    const missing = targets.filter(([, path = '', anchor = '']) => {
      const target = path === '' ? page : join(dirname(page), path);
      return !anchorsOf(read(target)).includes(anchor);
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  it('draws a tree of what is there', () => {
    expect(treePaths().filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('draws every folder of api/src and console/src in that tree', () => {
    const rooms = globSync('{api,console}/src/*/', { cwd: root });
    expect(rooms).toContain('api/src/features');
    expect(rooms.filter((room) => !treePaths().includes(`${room}/`))).toEqual([]);
  });

  it('says in at most 15 lines what a room is for', () => {
    expect(ROOMS).toContain('api/src/db/README.md');
    expect(ROOMS.filter((path) => read(path).trimEnd().split('\n').length > 15)).toEqual([]);
  });

  it('has every setting in docs/configuration.md, as `npm run configuration` writes it', () => {
    expect(read('docs/configuration.md')).toBe(settingsReference());
  });

  it('has every setting in .env.example, and no other', () => {
    expect(settingsOf(read('.env.example'), /^# ([A-Z_]+)=/gm)).toEqual(Object.keys(settings.shape).toSorted());
  });

  it('says of settings in README.md what docs/configuration.md says of them', () => {
    const rows = matches(read('README.md'), /^(\| `[A-Z_]+` \| .*)$/gm).map((row) => row.replaceAll('](docs/', ']('));
    expect(rows).toContain('| `PORT` | `3000` | Port of console and API; `0` takes a free one. |');
    expect(rows.filter((row) => !settingsReference().includes(`${row}\n`))).toEqual([]);
  });

  it('gives the true defaults in .env.example', () => {
    expect(readConfig(sourced(EXAMPLE))).toEqual(readConfig({}));
  });

  it('keeps a value between the quotes of .env.example from the shell', () => {
    const value = 'a=1&b=$HOME #;`pwd` <c> "d" \\';
    const lines = EXAMPLE.replace(/^([A-Z_]+)='.*'$/gm, (_line, name) => `${name}='${value}'`);
    expect(sourced(lines)).toMatchObject(Object.fromEntries(Object.keys(settings.shape).map((name) => [name, value])));
  });

  it('has every section that code, tests and pages refer to', () => {
    const texts = writtenTexts();
    expect(texts.length).toBeGreaterThan(1000);
    expect(danglingReferences(texts, BOOK)).toEqual([]);
  });

  it('has each section of the requirements once', () => {
    const sections = sectionsOf(REQUIREMENTS);
    expect(sections).toEqual(expect.arrayContaining(['SPEC §1', 'SPEC §2.20', 'SPEC §9', 'DECISIONS §13']));
    expect(sections).toEqual([...new Set(sections)]);
  });

  it.each([
    ["it('is red [#2.99]')", 'SPEC #2.99'],
    ['/** Sorted (SPEC #5, #99). */', 'SPEC #99'],
    ['-- Roles (DECISIONS #4, #99).', 'DECISIONS #99'],
    ["test('waits [DECISIONS #8, SPEC #10]')", 'SPEC #10'],
    ['// As the HANDBOOK\n// #4 has it.', 'HANDBOOK #4'],
    ['/** Parsed once (HANDBOOK ~rule 4). */', 'HANDBOOK ~rule 4'],
    ['([decision\n~999](decisions/999-nothing.md))', 'decision ~999'],
  ])('finds a reference that leads nowhere: %s', (text, reference) => {
    expect(danglingIn(text)).toEqual([planted(reference)]);
  });

  it('leaves references to RFCs alone', () => {
    expect(danglingIn('Closed (RFC 9112 #9.6), checked (RFC 7519 #4.1.3, #99).')).toEqual([]);
  });

  it('names only texts of the console that exist in the requirements', () => {
    expect(unknownKeys(REQUIREMENTS, BUNDLES, PERMISSIONS)).toEqual([]);
    const planted = 'Says `tenants.deleted`, not `tenants.neverWritten`, and needs `users.read`.';
    expect(unknownKeys(planted, BUNDLES, PERMISSIONS)).toEqual(['tenants.neverWritten']);
  });

  it('has every call of the contract in the requirements, with its permission, and no other', () => {
    const rows = matches(REQUIREMENTS, /^\| ((?:GET|POST|PUT|PATCH|DELETE) \/\S+ \| [^|]+) \|/gm);
    const calls = ROUTES.map(({ method, path, permission }) => `${method} ${path} | ${permission}`);
    expect(rows.map((row) => row.replaceAll('`', '')).toSorted()).toEqual(calls.toSorted());
  });

  it('names every call that wants a fresh proof in its decision, and no other', () => {
    const [, table = ''] = read('docs/decisions/045-fresh-proof-and-account.md').split('| Calls | Why |');
    const named = matches(table.split('\n\n')[0] ?? '', /`(\/\w[^`]*)`/g);
    expect(named.toSorted()).toEqual(ROUTES.flatMap(({ fresh, path }) => (fresh ? [path] : [])).toSorted());
  });

  it('has every address of the console in the requirements', () => {
    const paths = matches(read('console/src/app/navigation/paths.ts'), /^ {2}\w+: '(\/[^']*)',$/gm);
    expect(paths).toContain('/tenants');
    expect(paths.filter((path) => !REQUIREMENTS.includes(`\`${path}\``))).toEqual([]);
  });

  it('has each requirement of ASVS 5.0 of levels 1 and 2 once, with how it stands', () => {
    const rows = [...read('docs/asvs.md').matchAll(/^\| (V\d.*?) \| (.*?) \| .*\|$/gm)];
    const numbers = rows.flatMap(([, requirement = '']) => matches(requirement, /\b(V\d+\.\d+\.\d+)\b/g));
    expect(numbers).toHaveLength(253);
    expect(new Set(numbers).size).toBe(253);
    expect(rows.filter(([, , state = '']) => !['met', 'deviation', 'n/a'].includes(state))).toEqual([]);
  });

  it('explains every error code, with its status, title and message', () => {
    const rows = matches(read('docs/errors.md'), /^(\| `[a-z-]+` \| \d.*) \| [^|]+ \|$/gm);
    const expected = Object.entries(ERRORS).map(
      ([code, { status, title, message }]) => `| \`${code}\` | ${status} | ${title} | ${message}`,
    );
    expect(rows).toEqual(expected);
  });
});
