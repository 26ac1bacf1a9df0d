// `npm test`: runs all checks, one after another. `npm run test:long`: runs completely the test matrices of which `npm test` runs a
// sample. The last line is `N passed, N failed`.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ensureChromium } from './chromium.mjs';
import { canUnpack } from './packages.mjs';
import { ensurePgBouncer } from './pgbouncer.mjs';
import { ensureBuilt, ensureClient, ensureInstalled, fail, pinnedNode, root } from './setup.mjs';

// Playwright, which may have a Chromium, is installed before that is looked for where none can be installed.
if (!canUnpack()) ensureInstalled();
const programs = once(
  spawn(process.execPath, [join(root, 'scripts/programs.mjs')], { stdio: ['ignore', 'inherit', 'inherit'] }),
  'exit',
);
// What is missing then stays missing: it is told before anything else takes its time.
if (!canUnpack()) await ensurePrograms();
ensureInstalled();
ensureClient();
const reports = mkdtempSync(join(tmpdir(), 'apotheca-reports-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));
const bin = join(root, 'node_modules/.bin');
const environment = {
  ...process.env,
  PATH: `${bin}${delimiter}${process.env.PATH}`,
  NODE_NO_WARNINGS: '1',
  TMPDIR: process.env.TMPDIR ?? temporaryFolder(),
  // Each test file has a process of its own, and compiles the same libraries.
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
};
const total = { passed: 0, failed: 0, skipped: 0 };
/** What failed, with its messages: told once more at the end, where a log that was cut still has it. @type {string[]} */
const failures = [];

if (process.argv[2] === 'long') {
  environment.APOTHECA_LONG_TESTS = 'on';
  ensureBuilt();
  await ensurePrograms();
  vitest('long runs', longFiles('api/src', 'console/src'));
  browserTests('long runs in the browser', longFiles('e2e/tests'));
} else {
  const workspaces = ['api', 'console', 'e2e', 'bench', 'contract', 'packages/client', 'packages/cli', 'examples'];
  await sideBySide([
    ['lint', 'biome', ['ci', '--error-on-warnings', '.']],
    ['unused code', 'knip', []],
    ['structure', pinnedNode(), ['scripts/structure.mjs']],
    ...workspaces.map((workspace) => [`types of ${workspace}`, 'tsc', ['-p', workspace]]),
  ]);
  ensureBuilt();
  await ensurePrograms();
  vitest('unit, API and page tests');
  browserTests('browser tests');
}

for (const each of failures) console.log(`\n✗ ${each}`);
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`);
process.exit(total.failed > 0 ? 1 : 0);

/** Ends the command where a program that the tests need cannot be had. */
async function ensurePrograms() {
  const [code, signal] = await programs;
  if (signal) fail(`No tests were run: ${signal} ended what looks for the programs that they need.`);
  if (code !== 0) fail('No tests were run: programs that they need are missing. It says above which.');
  ensurePgBouncer();
  ensureChromium();
}

/**
 * Where the tests have their clusters and data folders: in memory where there is enough of it. On a disk their many small files take a sixth
 * of the processor time of the API's tests.
 */
function temporaryFolder() {
  const memory = '/dev/shm';
  const enough = 8 * 2 ** 30;
  try {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, freemem()) >= enough ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Runs checks, two at a time. @param checks of each: its title, its command and the command's arguments */
async function sideBySide(checks) {
  const left = checks.values();
  const run = async () => {
    for (const each of left) await check(...each);
  };
  await Promise.all([run(), run()]);
}

/** A check that passes or fails as a whole; silent when it passes. */
async function check(title, command, args) {
  const printed = await new Promise((resolve) =>
    execFile(command, args, { cwd: root, env: environment, maxBuffer: 2 ** 28 }, (error, stdout, stderr) =>
      resolve(error && `${stdout}${stderr || error.message}`),
    ),
  );
  console.log(`${printed === null ? '✓' : '✗'} ${title}`);
  if (printed !== null) {
    console.log(printed);
    failures.push(title);
  }
  total[printed === null ? 'passed' : 'failed'] += 1;
}

/** The files of folders whose tests run longer in a long run: they name the switch, or what looks at less without it. */
function longFiles(...folders) {
  const longer = /IS_LONG_RUN|expectAccessibleAtAnyWidth/;
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((name) => join(folder, name))
      .filter((file) => /\.(test|spec)\.tsx?$/.test(file) && longer.test(readFileSync(join(root, file), 'utf8'))),
  );
}

/** @param files parts of their names; none: all files */
function vitest(title, files = []) {
  const report = join(reports, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  suite(title, ['node_modules/vitest/vitest.mjs', 'run', ...files, ...reporters], {}, countVitest);
}

/** @param files parts of their names; none: all files */
function browserTests(title, files = []) {
  suite(
    title,
    ['node_modules/@playwright/test/cli.js', 'test', '--config', 'e2e/playwright.config.ts', ...files],
    { APOTHECA_CHROMIUM: ensureChromium(), PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'playwright.json') },
    countPlaywright,
  );
}

/** A test runner that reports its tests as JSON. A runner that fails without a failed test counts as one failure. */
function suite(title, args, extra, count) {
  console.log(`\n${title}`);
  const { status } = spawnSync(pinnedNode(), args, {
    cwd: root,
    env: { ...environment, ...extra },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const { failed, ...counted } = count();
  if (status !== 0 && failed.length === 0) failed.push(`${title}: ended with status ${status}`);
  failures.push(...failed);
  total.failed += failed.length;
  for (const key of Object.keys(counted)) total[key] += counted[key];
}

function countVitest() {
  const report = readReport('vitest.json');
  const tests = (report?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, title: `${relative(root, name)} ${test.fullName}` })),
  );
  const unloaded = (report?.testResults ?? []).filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  return {
    passed: report?.numPassedTests ?? 0,
    failed: [
      ...unloaded.map(({ name, message }) => failure(relative(root, name), message)),
      ...tests
        .filter(({ status }) => status === 'failed')
        .map(({ title, failureMessages }) => failure(title, failureMessages.join('\n'))),
    ],
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  };
}

function countPlaywright() {
  const report = readReport('playwright.json');
  const specs = (suites) => (suites ?? []).flatMap((each) => [...each.specs, ...specs(each.suites)]);
  return {
    passed: report?.stats.expected ?? 0,
    failed: specs(report?.suites)
      .filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'))
      .map(({ file, title, tests }) =>
        failure(
          `${file} ${title}`,
          tests
            .flatMap(({ results }) => results)
            .map(({ error }) => error?.message ?? '')
            .join('\n'),
        ),
      ),
    skipped: report?.stats.skipped ?? 0,
  };
}

/** A failed test's name, and how its message begins. */
function failure(title, message) {
  return [title, ...stripVTControlCharacters(message).split('\n').slice(0, 12)].join('\n    ');
}

function readReport(name) {
  try {
    return JSON.parse(readFileSync(join(reports, name), 'utf8'));
  } catch {
    return undefined;
  }
}
