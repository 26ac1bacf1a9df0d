import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './processes.ts';

/** The code of an earlier commit, which can be run. */
export interface EarlierCode {
  ref: string;
  root: string;
}

/** What npm links to the workspaces. */
const WORKSPACES = '@apotheca';

/** Unpacks a commit, with the packages that are installed here and the console that is built here. @throws when there is no such commit */
export function unpackEarlierCode(ref: string): EarlierCode & { remove(): void } {
  const root = mkdtempSync(join(tmpdir(), 'apotheca-earlier-'));
  const archive = execFileSync('git', ['archive', ref], { cwd: ROOT, maxBuffer: 1e9 });
  execFileSync('tar', ['-x', '-C', root], { input: archive });
  const packages = join(root, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== WORKSPACES) symlinkSync(join(ROOT, 'node_modules', name), join(packages, name));
  // These are relative, so they lead to the earlier workspaces.
  cpSync(join(ROOT, 'node_modules', WORKSPACES), join(packages, WORKSPACES), {
    recursive: true,
    verbatimSymlinks: true,
  });
  symlinkSync(join(ROOT, 'console/dist'), join(root, 'console/dist'));
  return { ref, root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
