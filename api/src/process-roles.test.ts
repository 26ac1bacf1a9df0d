import { databaseRoutes } from '@apotheca/contract/databases';
import { operationRoutes } from '@apotheca/contract/operations';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { describe, expect, it } from 'vitest';
import { tenantInput } from './testing/builders.ts';
import { callServer, type ServerProcess, signInToServer } from './testing/server-process.ts';
import { withServers } from './testing/servers.ts';

/** A worker serves health and figures, and nothing to callers. */
async function expectHealthOnly({ url, output }: ServerProcess): Promise<void> {
  const statusOf = async (path: string, init?: RequestInit) => (await fetch(url + path, init)).status;
  for (const path of ['/healthz', '/readyz', '/metrics']) expect(await statusOf(path), path).toBe(200);
  const html = { headers: { accept: 'text/html' } };
  for (const path of ['/', '/tenants', '/config.json', '/docs', '/openapi.json', '/public/faqs'])
    expect(await statusOf(path, html), path).toBe(404);
  expect(await statusOf('/api/tenant/get')).toBe(404);
  expect(await statusOf('/identity/auth/authenticate', { method: 'POST' })).toBe(404);
  expect(output()).toContain("Apotheca's worker is ready");
  expect(output()).not.toContain('Sign in');
}

describe('a server process with a part of the work', () => {
  it('answers callers as a web process, or runs operations as a worker, whichever starts later or is killed [DECISIONS §13]', async () => {
    await withServers(1, { APOTHECA_ROLE: 'web' }, async (servers, start) => {
      const url = String(servers[0]?.url);
      const token = await signInToServer(url);
      const call = (query: Record<string, string>, respondAsync = false) =>
        callServer(url, databaseRoutes.copy, { token, query, respondAsync });
      const body = tenantInput('ROLES');
      expect(await callServer(url, tenantRoutes.create, { token, body })).toMatchObject({ success: true });

      const { result: begun } = await call({ copyFrom: 'ROLES', databaseName: 'FIRST' }, true);
      const operation = async () =>
        (await callServer(url, operationRoutes.get, { token, query: { id: begun.operationId } })).result;
      expect(await operation()).toMatchObject({ state: 'queued', startedOnUtc: null });

      const beforeWorker = new Date();
      const worker = await start('0', { APOTHECA_ROLE: 'worker' });
      servers.push(worker);
      await expect.poll(async () => (await operation()).state).toBe('succeeded');
      expect(new Date((await operation()).startedOnUtc).getTime()).toBeGreaterThan(beforeWorker.getTime());

      await expectHealthOnly(worker);
      await worker.kill();
      const { result: second } = await call({ copyFrom: 'ROLES', databaseName: 'SECOND' }, true);
      servers.push(await start('0', { APOTHECA_ROLE: 'worker' }));
      const ended = () => callServer(url, operationRoutes.get, { token, query: { id: second.operationId } });
      await expect.poll(async () => (await ended()).result.state).toBe('succeeded');
      // Once a worker is there, callers are answered as by a process that does all.
      expect(await call({ copyFrom: 'ROLES', databaseName: 'THIRD' })).toMatchObject({ status: 200 });
      expect(await servers[0]?.terminate()).toBe(0);
    });
  });
});
