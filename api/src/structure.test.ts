import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../scripts/structure.mjs', import.meta.url));

function check(folder?: string) {
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, ...(folder ? [folder] : [])], { encoding: 'utf8' });
  return { status, problems: stderr.trim().split('\n').filter(Boolean) };
}

/** Checks a repository of these files only. */
function checkFiles(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'apotheca-structure-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return check(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const DATABASES = 'api/src/features/databases';

it('finds nothing to refuse in this repository', () => {
  expect(check()).toEqual({ status: 0, problems: [] });
});

it.each([
  ['a room that imports a higher one', 'api/src/db/a.ts', '../features/auth/b.ts', 'db stands below features/auth'],
  ['the same by a type', 'api/src/plugins/a.ts', '../app.ts', 'plugins stands below app', 'import type { B }'],
  ['the same when it is needed', 'api/src/plugins/a.ts', '../app.ts', 'plugins stands below app', 'await import'],
  [
    'a feature that imports another',
    'api/src/features/users/a.ts',
    '../menus/b.ts',
    'below features/menus, or on its floor',
  ],
  [
    'a feature that imports one of its rooms',
    `${DATABASES}/a.ts`,
    './backups/b.ts',
    'below features/databases/backups',
  ],
  ['production code that imports what tests share', 'api/src/app.ts', './testing/b.ts', 'app stands below testing'],
  [
    "a folder of a console's feature that imports another feature",
    'console/src/features/tenants/manage/a.tsx',
    '../../users/b.ts',
    'features/tenants stands below features/users, or on its floor',
  ],
  [
    'a page of the console that imports the layout',
    'console/src/app/pages/a.tsx',
    '../layout/b.tsx',
    'app/pages stands below app/layout',
  ],
  ['a library in the contract', 'contract/src/a.ts', 'react', 'the contract imports only zod'],
  ['SQL in routes', `${DATABASES}/a.routes.ts`, './b.repository.ts', 'routes call services'],
  ['SQL in a service', 'api/src/features/users/a.service.ts', 'kysely', 'SQL stands in repositories'],
  ['SQL in an operation', `${DATABASES}/purge/a.operation.ts`, 'kysely', 'SQL stands in repositories'],
  ['a connection in a service', `${DATABASES}/a.service.ts`, 'pg', 'no database of its own', 'import type { B }'],
  ['HTTP in an operation', `${DATABASES}/purge/a.operation.ts`, 'fastify', 'only routes know HTTP'],
  ['routes in a service', `${DATABASES}/purge/a.service.ts`, './b.routes.ts', 'only routes know HTTP'],
  ['a service in a repository', `${DATABASES}/a.repository.ts`, './b.service.ts', 'a repository calls no service'],
  [
    "another feature's repository",
    'api/src/features/tenants/a.operation.ts',
    '../databases/purge/b.repository.ts',
    "a feature calls another one's services, never its repositories",
  ],
])('refuses %s', (_, file, spec, why, statement = 'import { b }') => {
  const text = statement.startsWith('await') ? `${statement}('${spec}');` : `${statement} from '${spec}';`;
  const target = spec.startsWith('.') && { [join(dirname(file), spec)]: '' };
  const { status, problems } = checkFiles({ ...target, [file]: text });
  expect(status).toBe(1);
  expect(problems).toEqual([expect.stringContaining(why)]);
});

it('refuses files of one room that import each other in a circle', () => {
  const { status, problems } = checkFiles({
    'api/src/db/a.ts': "import {\n  b,\n} from './b.ts';",
    'api/src/db/b.ts': "export * from './c.ts';",
    'api/src/db/c.ts': "import './a.ts';",
  });
  expect(status).toBe(1);
  expect(problems).toEqual(['api/src/db/a.ts and api/src/db/b.ts and api/src/db/c.ts import each other in a circle']);
});

it("refuses the console's folders that import each other in a circle", () => {
  const users = 'console/src/features/users';
  const { status, problems } = checkFiles({
    [`${users}/form/a.ts`]: "import { b } from '../list/b.ts';",
    [`${users}/list/b.ts`]: '',
    [`${users}/list/c.ts`]: "import { d } from '../form/d.ts';",
    [`${users}/form/d.ts`]: '',
  });
  expect(status).toBe(1);
  expect(problems).toEqual([`${users}/form and ${users}/list import each other in a circle`]);
});

it('refuses a room that has no floor', () => {
  expect(checkFiles({ 'api/src/cellar/a.ts': '' })).toEqual({
    status: 1,
    problems: ['cellar stands on no floor: give it a place in scripts/structure.mjs'],
  });
});

it('refuses a file of more than 300 lines', () => {
  expect(checkFiles({ 'api/src/db/a.ts': '\n'.repeat(300) }).problems).toEqual([]);
  expect(checkFiles({ 'api/src/db/a.ts': '\n'.repeat(301) })).toEqual({
    status: 1,
    problems: ['api/src/db/a.ts has 301 lines: split it, 300 are the most'],
  });
});

it('refuses a raw condition whose `or` would swallow what it is joined to', () => {
  const checkCondition = (condition: string) => checkFiles({ 'api/src/db/a.ts': condition });
  const refusal = { status: 1, problems: [expect.stringContaining("'or' in no brackets")] };
  for (const refused of [
    '.where(sql<boolean>`a < 1 or a = 0 and b`)',
    '.on(sql<SqlBool>`\n  (a = 1 and b)\n  or not exists (select from c where d)`)',
    `const isOpen = (now: Date) => sql\`a = \${at(\`\${now}\`)} OR b\`;`,
  ])
    expect(checkCondition(refused), refused).toEqual(refusal);
  for (const allowed of [
    '.where(sql<boolean>`(a < 1 or a = 0 and b)`)',
    ".where(sql<boolean>`a = 'this or that' and exists (select from c where d or e)`)",
    'sql<{ a: string }>`select a from b where c or d`',
    `sql<boolean>\`not (\${a} or b)\` // or the other`,
  ])
    expect(checkCondition(allowed), allowed).toEqual({ status: 0, problems: [] });
});
