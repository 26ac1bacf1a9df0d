import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pageOf } from './page.ts';
import { ROOT } from './processes.ts';
import type { Table } from './tables.ts';

/** Writes the tables as JSON and as a page. @returns the page's address */
export function writeResults(tables: Table[], command: string, seconds: number): string {
  const folder = join(ROOT, 'bench/results');
  mkdirSync(folder, { recursive: true });
  const name = new Date()
    .toISOString()
    .replace(/:\d\d\..*/, '')
    .replace(':', '');
  const results = { about: about(command, seconds), tables };
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(results, undefined, 2));
  const page = join(folder, `${name}.html`);
  writeFileSync(page, pageOf(results));
  return pathToFileURL(page).href;
}

function about(command: string, seconds: number): string[] {
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { cwd: ROOT, encoding: 'utf8' }).trim();
  const [processor] = cpus();
  return [
    `${command}, ${Math.round(seconds)} seconds, ${new Date().toUTCString()}`,
    `Commit ${commit}, Node ${process.versions.node}`,
    `${cpus().length} × ${processor?.model ?? 'processor'}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Linux ${release()}`,
    'A figure is the median of the rounds, with the smallest and the largest behind it. Ratios are of figures of the same round.',
  ];
}
