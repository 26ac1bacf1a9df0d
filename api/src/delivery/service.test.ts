import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCommands } from '../testing/guide.ts';

const UNIT = readFileSync(new URL('../../../packaging/apotheca.service', import.meta.url), 'utf8');
/** Exposure that systemd reckons, 0 to 100; below 20 it says 'OK' (systemd-analyze(1)). */
const LARGEST_EXPOSURE = 20;

/** Runs systemd-analyze on a unit, in whose place stands a program and an account that this machine has. */
function analyze(unit: string, ...command: string[]): { status: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'apotheca-unit-'));
  const file = join(folder, 'apotheca.service');
  writeFileSync(
    file,
    unit
      .replace('/usr/lib/apotheca/bin/node', process.execPath)
      .replace('WorkingDirectory=/usr/lib/apotheca', 'WorkingDirectory=/')
      .replace(/(User|Group)=apotheca/g, '$1=daemon'),
  );
  const { status, stdout, stderr } = spawnSync('systemd-analyze', [...command, file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return { status, output: stdout + stderr };
}

describe('the unit of systemd', () => {
  it('is understood by systemd whole [DECISIONS §13]', () => {
    expect(analyze(UNIT, 'verify', '--man=no', '--recursive-errors=no')).toEqual({ status: 0, output: '' });
    const misspelt = analyze(
      UNIT.replace('ProtectHome', 'ProtectHouse'),
      'verify',
      '--man=no',
      '--recursive-errors=no',
    );
    expect(misspelt.output).toContain('ProtectHouse');
  });

  it('lets the server listen on all addresses: Node asks for them by netlink, and else the start fails [DECISIONS §13]', () => {
    const [, families = ''] = /^RestrictAddressFamilies=(.*)$/m.exec(UNIT) ?? [];
    expect(families.split(' ').toSorted()).toEqual(['AF_INET', 'AF_INET6', 'AF_NETLINK', 'AF_UNIX']);
  });

  it('leaves the service few rights: systemd reckons little exposure [DECISIONS §13]', () => {
    const security = ['security', '--offline=true', `--threshold=${LARGEST_EXPOSURE}`, '--no-pager'];
    expect(analyze(UNIT, ...security).status).toBe(0);
    expect(analyze(UNIT.replace(/^(Protect|Private|Restrict|System).*$/gm, ''), ...security).status).not.toBe(0);
  });
});

describe('the commands of the guide', () => {
  /** Stands for the root of the machine. */
  let place: string;
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), 'apotheca-service-'));
    for (const folder of ['usr/lib', 'etc/systemd/system']) mkdirSync(join(place, folder), { recursive: true });
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  /** Gives commands below the place: those that need neither systemd, packages nor accounts. */
  function give(commands: string | undefined, version = ''): void {
    expect(commands).toBeTruthy();
    const own = (commands ?? '')
      .replace(/^(systemctl|journalctl|adduser|apt-get) .*$/gm, '')
      .replaceAll(/ (\/usr\/lib|\/etc)\//g, ` ${place}$1/`)
      .replaceAll('apotheca-VERSION-linux-x64', join(place, version));
    // A hardened root's: the service has another account.
    execFileSync('sh', ['-e', '-c', `umask 077\n${own}`], { stdio: 'pipe', cwd: place });
  }

  /** Fetches the unit of a version, which says which one that is. */
  const fetchUnit = (version: string) => writeFileSync(join(place, 'apotheca.service'), version);

  /** Makes the archive of a version, which has a file of its own. */
  function pack(version: string): void {
    fetchUnit(version);
    mkdirSync(join(place, version));
    writeFileSync(join(place, version, version), '');
    execFileSync('tar', ['--create', '--gzip', '--file', `${join(place, version)}.tar.gz`, '-C', place, version]);
  }

  const modeOf = (path: string) => (statSync(join(place, path)).mode & 0o777).toString(8);
  const unit = () => readFileSync(join(place, 'etc/systemd/system/apotheca.service'), 'utf8');
  const installed = (name = 'apotheca') => readdirSync(join(place, 'usr/lib', name));

  it('install what the account of the service can read [DECISIONS §13]', async () => {
    pack('v0');
    const [install] = await readCommands('As a service of systemd');
    // Without the account.
    give(install?.replaceAll('--group=apotheca ', ''), 'v0');
    expect([installed(), unit()]).toEqual([['v0'], 'v0']);
    expect(modeOf('etc/systemd/system/apotheca.service')).toBe('644');
    expect(modeOf('usr/lib/apotheca')).toBe('755');
    expect(['etc/apotheca', 'etc/apotheca/apotheca.env'].map(modeOf)).toEqual(['750', '640']);
    rmSync(join(place, 'usr/lib/apotheca'), { recursive: true });
  });

  it('upgrade as often as they are given, and lead one version back [DECISIONS §13]', async () => {
    const [upgrade, back] = await readCommands('Upgrading');
    mkdirSync(join(place, 'usr/lib/apotheca'));
    for (const version of ['v1', 'v2', 'v3', 'v4']) {
      pack(version);
      give(upgrade, version);
      expect([installed(), unit()]).toEqual([[version], version]);
      expect(modeOf('usr/lib/apotheca')).toBe('755');
    }
    expect(installed('apotheca.old')).toEqual(['v3']);
    fetchUnit('v3');
    give(back);
    expect([installed(), unit()]).toEqual([['v3'], 'v3']);
    fetchUnit('v4');
    give(upgrade, 'v4');
    expect([installed(), installed('apotheca.old'), unit()]).toEqual([['v4'], ['v3'], 'v4']);
  });
});
