import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { expect, it, onTestFinished } from 'vitest';
import { recordOnce } from '../../examples/ha/tenant-server.ts';
import { ADMINISTRATOR } from './testing/administrator.ts';
import { useTestApp } from './testing/app.ts';
import { useSecondServer } from './testing/second-server.ts';

const test = useTestApp();
const second = useSecondServer();

it('the example gives its second pair a record once, and signs nobody in afterwards [DECISIONS §13]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-ha-'));
  const url = await test.app.listen({ port: 0 });
  const start = (password: string) =>
    recordOnce({
      url,
      note: join(folder, 'recorded'),
      form: { name: 'Tenants', ...second.form({ name: 'Tenants' }) },
      signIn: async () => ({ username: ADMINISTRATOR.userName, password }),
      ended: new Promise(() => {}),
    });
  expect(await start(ADMINISTRATOR.password)).toBe(true);
  const { result: servers } = await test.call(databaseServerRoutes.list);
  expect(servers.map(({ name }: { name: string }) => name)).toContain('Tenants');

  expect(await start('changed since')).toBe(false);
  const failed = test.context.platform
    .selectFrom('auditEntries')
    .select('id')
    .where('action', '=', 'auth.sign-in-failed');
  expect(await failed.execute()).toEqual([]);
  await rm(folder, { recursive: true });
});

it('the example starts nothing beside another Apotheca on its port, and calls it nowhere [DECISIONS §13]', async () => {
  const calls: (string | undefined)[] = [];
  const other = createServer(({ url }, reply) => {
    calls.push(url);
    reply.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-ha-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const program = fileURLToPath(new URL('../../examples/ha/start.ts', import.meta.url));
  const example = spawn(process.execPath, [program, join(folder, 'example')], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void example.kill());
  const [[code], printed, told] = await Promise.all([
    once(example, 'exit'),
    text(example.stdout),
    text(example.stderr),
  ]);
  expect(calls).toEqual([]);
  expect({ code, printed, told }).toEqual({
    code: 1,
    printed: '',
    told: `Port ${port} on 127.0.0.1 is taken: stop what uses it, or set PORT.\n`,
  });
});
