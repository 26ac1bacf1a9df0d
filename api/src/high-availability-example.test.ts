import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { expect, it } from 'vitest';
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
