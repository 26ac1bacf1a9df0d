import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** What npm links to the workspaces. */
const WORKSPACES = '@apotheca';
const WHO = { GIT_AUTHOR_NAME: 'Release', GIT_AUTHOR_EMAIL: 'release@example.com' };
const ENVIRONMENT = {
  PATH: process.env.PATH,
  ...WHO,
  GIT_COMMITTER_NAME: WHO.GIT_AUTHOR_NAME,
  GIT_COMMITTER_EMAIL: WHO.GIT_AUTHOR_EMAIL,
  GIT_CONFIG_GLOBAL: '/dev/null',
};

let clone: string;
const git = (...args: string[]) => execFileSync('git', args, { cwd: clone, env: ENVIRONMENT, encoding: 'utf8' }).trim();
const read = (path: string) => readFileSync(join(clone, path), 'utf8');
const release = (...words: string[]) =>
  spawnSync(process.execPath, ['scripts/release.mjs', '--tag-only', ...words], {
    cwd: clone,
    env: ENVIRONMENT,
    encoding: 'utf8',
  });

function commit(subject: string): void {
  writeFileSync(join(clone, 'docs/changed.md'), subject);
  git('add', '.');
  git('commit', '--quiet', '--message', subject);
}

/** The repository as it is here, with a history of its own, and the packages that are installed here. */
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'apotheca-release-'));
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
  for (const file of files) {
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    cpSync(join(ROOT, file), join(clone, file), { force: true });
  }
  const packages = join(clone, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (![WORKSPACES, '.package-lock.json'].includes(name))
      symlinkSync(join(ROOT, 'node_modules', name), join(packages, name));
  cpSync(join(ROOT, 'node_modules', WORKSPACES), join(packages, WORKSPACES), {
    recursive: true,
    verbatimSymlinks: true,
  });
  // So the packages count as installed.
  cpSync(join(ROOT, 'package-lock.json'), join(packages, '.package-lock.json'));
  git('init', '--quiet', '--initial-branch=main');
  commit('feat: the first version');
  git('tag', 'v0.1.0');
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

describe('npm run release', () => {
  it('gives everything the next version, writes what is new, and commits and tags that [DECISIONS §13]', () => {
    commit('feat(tenants): tenants have a colour');
    commit('fix(users): names may be long');
    commit('test(users): long names');
    writeFileSync(
      join(clone, 'docs/api-changelog.md'),
      read('docs/api-changelog.md').replace(
        '# Changes of the API\n',
        '# Changes of the API\n\n## Unreleased\n\n- Colours.\n',
      ),
    );
    commit('feat(api)!: colours are needed');
    const { status, stdout, stderr } = release();
    expect(stdout + stderr).toContain('v0.2.0 is tagged');
    expect(status).toBe(0);

    expect(git('describe', '--exact-match')).toBe('v0.2.0');
    expect(git('log', '-1', '--format=%s')).toBe('chore: release 0.2.0');
    expect(git('status', '--porcelain')).toBe('');
    const { workspaces, version } = JSON.parse(read('package.json'));
    expect(version).toBe('0.2.0');
    const lock = JSON.parse(read('package-lock.json'));
    for (const workspace of ['', ...workspaces]) {
      const description = JSON.parse(read(join(workspace, 'package.json')));
      const pins = Object.entries<string>({ ...description.dependencies, ...description.devDependencies });
      const own = pins.filter(([name]) => name.startsWith(`${WORKSPACES}/`)).map(([, pin]) => pin);
      expect(
        [description.version, lock.packages[workspace].version, ...own].filter((each) => each !== '0.2.0'),
      ).toEqual([]);
    }
    expect(read('charts/apotheca/Chart.yaml')).toMatch(/^version: 0\.2\.0\nappVersion: 0\.2\.0$/m);
    expect(read('docs/api-changelog.md')).toContain('\n## 0.2.0\n\n- Colours.\n');
    expect(JSON.parse(read('docs/api-released.jsonl').split('\n')[0] ?? '')).toMatchObject({ version: '0.2.0' });

    const notes = read('release/notes.md');
    expect(notes).toMatch(/^## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n/);
    expect(read('CHANGELOG.md').match(/^#{1,2} .*$/gm)).toEqual(['# Changes', notes.split('\n')[0], '## 0.1.0']);
    expect(read('CHANGELOG.md')).toContain(notes.trim());
    for (const line of ['tenants have a colour', 'names may be long', 'colours are needed'])
      expect(notes).toContain(line);
    expect(notes).not.toMatch(/long names|the first version|undefined/);
  });

  it('makes the parts alone where the version is tagged, as they may have failed [DECISIONS §13]', () => {
    const head = git('rev-parse', 'HEAD');
    rmSync(join(clone, 'release'), { recursive: true });
    const { status, stdout } = release();
    // Of the packages none has changed, so nothing is installed, which would be told first.
    expect({ status, stdout: stdout.split(';')[0] }).toEqual({ status: 0, stdout: 'v0.2.0 is tagged' });
    expect([git('rev-parse', 'HEAD'), git('tag')]).toEqual([head, 'v0.1.0\nv0.2.0']);
    expect(read('release/notes.md')).toMatch(/^## 0\.2\.0 /);
  });

  it.each(['--dry-run', '--help'])('with %s makes nothing, and does not say that it has [DECISIONS §13]', (word) => {
    commit(`fix: what ${word} would release`);
    rmSync(join(clone, 'release'), { recursive: true, force: true });
    const head = git('rev-parse', 'HEAD');
    const { status, stdout } = release(word);
    expect([status, stdout.includes('is tagged')]).toEqual([0, false]);
    expect([git('rev-parse', 'HEAD'), git('tag')]).toEqual([head, 'v0.1.0\nv0.2.0']);
    expect(readdirSync(clone)).not.toContain('release');
  });

  it('is made of what is committed only [DECISIONS §13]', () => {
    writeFileSync(join(clone, 'docs/changed.md'), 'not committed');
    const { status, stderr } = release();
    expect({ status, stderr: stderr.trim() }).toEqual({
      status: 1,
      stderr: 'A release is made of what is committed: commit or remove what is not.',
    });
    git('checkout', '--quiet', '.');
  });
});

describe('the packed command line', () => {
  it('brings its client along, as anybody may register that name in a registry [DECISIONS §13]', () => {
    const place = mkdtempSync(join(tmpdir(), 'apotheca-packed-'));
    const npm = (...args: string[]) => execFileSync('npm', args, { cwd: ROOT, stdio: 'pipe' });
    // Without its build, which others use meanwhile.
    npm('run', 'link-client', '--workspace', 'packages/cli');
    npm('pack', '--ignore-scripts', '--workspace', 'packages/cli', '--pack-destination', place);
    execFileSync('tar', [
      '--extract',
      '--gzip',
      '--directory',
      place,
      '--file',
      join(place, readdirSync(place)[0] ?? ''),
    ]);
    const { dependencies } = JSON.parse(readFileSync(join(place, 'package/package.json'), 'utf8'));
    const others = Object.keys(dependencies).filter((name) => !name.startsWith(`${WORKSPACES}/`));
    for (const name of others) {
      const to = join(place, 'package/node_modules', name);
      mkdirSync(dirname(to), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', name), to);
    }
    const version = execFileSync(process.execPath, [join(place, 'package/bin/apotheca.js'), '--version'], {
      encoding: 'utf8',
    });
    expect(version.trim()).toBe(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version);
    rmSync(place, { recursive: true });
  });
});
