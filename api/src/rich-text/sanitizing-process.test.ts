import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type SanitizingProcess, startProcess } from './sanitizing-process.ts';

const MODULE = new URL('./sanitizing-process.ts', import.meta.url).href;

let sanitizing: SanitizingProcess;
beforeAll(async () => {
  sanitizing = await startProcess();
});
afterAll(() => sanitizing.end());

it('refuses a text on which the sanitizer fails, logs that, and goes on with the next text [§8]', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  // This cannot even be converted to a string.
  const unreadable = { toString: 1, valueOf: 1 } as unknown as string;
  expect(await sanitizing.sanitize(unreadable, 30_000)).toBeUndefined();
  expect(String(stderr.mock.calls)).toContain('A text could not be sanitized. TypeError');
  stderr.mockRestore();
  expect(sanitizing.isAlive()).toBe(true);
  expect(await sanitizing.sanitize('<b>x</b>', 30_000)).toBe('<strong>x</strong>');
});

it('ends with a text that takes too long [§8]', async () => {
  const other = await startProcess();
  expect(await other.sanitize('<p>x</p>'.repeat(10_000), 1)).toBeUndefined();
  expect(other.isAlive()).toBe(false);
});

it('keeps the server while it has a text, and not when it is idle [DECISIONS §11]', () => {
  const program = `import { startProcess } from '${MODULE}';
    const sanitizing = await startProcess();
    console.log(await sanitizing.sanitize('<b>x</b>', 30_000));`;
  expect(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })).toBe(
    '<strong>x</strong>\n',
  );
});

it('is ended by no signal of a terminal, and ends when the server is gone, also in the middle of a text [§8]', async () => {
  const program = `import { startProcess } from '${MODULE}';
    const sanitizing = await startProcess();
    process.stdin.once('data', async () => {
      const clean = await sanitizing.sanitize('<b>x</b>', 30_000);
      void sanitizing.sanitize('<b>'.repeat(30_000), 3_000);
      console.log(clean);
    });
    console.log('ready');`;
  const server = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(server.stdout, 'data');
  const pid = Number(readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(pid, signal);
  server.stdin.write('on\n');
  const [answered] = await once(server.stdout, 'data');
  expect(String(answered)).toBe('<strong>x</strong>\n');
  server.kill('SIGKILL');
  await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
});
