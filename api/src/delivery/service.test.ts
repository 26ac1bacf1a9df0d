import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

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

  it('leaves the service few rights: systemd reckons little exposure [DECISIONS §13]', () => {
    const security = ['security', '--offline=true', `--threshold=${LARGEST_EXPOSURE}`, '--no-pager'];
    expect(analyze(UNIT, ...security).status).toBe(0);
    expect(analyze(UNIT.replace(/^(Protect|Private|Restrict|System).*$/gm, ''), ...security).status).not.toBe(0);
  });
});
