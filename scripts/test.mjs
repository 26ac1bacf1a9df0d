// `npm test`: runs all checks, one after another. `npm run test:long`: runs completely the test matrices of which `npm test` runs a
// sample. The last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { ensurePostgresClient } from './postgres-client.mjs';
import { ensureBuilt, ensureInstalled, pinnedNode, root } from './setup.mjs';

/** Files whose tests use IS_LONG_RUN. */
const LONG = [
  'crash-matrix',
  'tenant-crash',
  'database-names',
  'session-end',
  'attacks',
  'hostile-archives',
  'unsealed-archives',
];

ensureInstalled();
ensurePostgresClient();
const reports = mkdtempSync(join(tmpdir(), 'apotheca-reports-'));
const bin = join(root, 'node_modules/.bin');
const environment = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, NODE_NO_WARNINGS: '1' };
const total = { passed: 0, failed: 0, skipped: 0 };

if (process.argv[2] === 'long') {
  vitest('long runs', LONG, { APOTHECA_LONG_TESTS: 'on' });
} else {
  check('lint', 'biome', ['ci', '--error-on-warnings', '.']);
  check('unused code', 'knip', []);
  check('structure', pinnedNode(), ['scripts/structure.mjs']);
  for (const workspace of ['contract', 'api', 'console', 'e2e', 'bench'])
    check(`types of ${workspace}`, 'tsc', ['-p', workspace]);
  ensureBuilt();
  vitest('unit, API and page tests');
  suite(
    'browser tests',
    ['node_modules/@playwright/test/cli.js', 'test', '--config', 'e2e/playwright.config.ts'],
    { APOTHECA_CHROMIUM: ensureChromium(), PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'playwright.json') },
    countPlaywright,
  );
}

rmSync(reports, { recursive: true, force: true });
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`);
process.exit(total.failed > 0 ? 1 : 0);

/** A check that passes or fails as a whole; silent when it passes. */
function check(title, command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, env: environment, encoding: 'utf8' });
  console.log(`${status === 0 ? '✓' : '✗'} ${title}`);
  if (status !== 0) console.log(stdout, stderr);
  total[status === 0 ? 'passed' : 'failed'] += 1;
}

/** @param files parts of their names; none: all files */
function vitest(title, files = [], extra = {}) {
  const report = join(reports, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  suite(title, ['node_modules/vitest/vitest.mjs', 'run', ...files, ...reporters], extra, countVitest);
}

/** A test runner that reports its tests as JSON. A runner that fails without a failed test counts as one failure. */
function suite(title, args, extra, count) {
  console.log(`\n${title}`);
  const { status } = spawnSync(pinnedNode(), args, {
    cwd: root,
    env: { ...environment, ...extra },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const counted = count();
  if (status !== 0 && counted.failed === 0) counted.failed = 1;
  for (const key of Object.keys(total)) total[key] += counted[key];
}

function countVitest() {
  const report = readReport('vitest.json');
  return {
    passed: report?.numPassedTests ?? 0,
    failed: report?.numFailedTests ?? 0,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  };
}

function countPlaywright() {
  const stats = readReport('playwright.json')?.stats;
  return {
    passed: stats?.expected ?? 0,
    failed: (stats?.unexpected ?? 0) + (stats?.flaky ?? 0),
    skipped: stats?.skipped ?? 0,
  };
}

function readReport(name) {
  try {
    return JSON.parse(readFileSync(join(reports, name), 'utf8'));
  } catch {
    return undefined;
  }
}
