import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { faqRoutes } from '@apotheca/contract/faqs';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userRoutes } from '@apotheca/contract/users';
import { describe, expect, it } from 'vitest';
import { faqInput } from './testing/faqs.ts';
import { IS_LONG_RUN } from './testing/long-run.ts';
import { callServer, signInToServer } from './testing/server-process.ts';
import { withServers } from './testing/servers.ts';
import { startClients } from './testing/steady-clients.ts';

/** Of which one is stopped at a time. */
const SERVERS = IS_LONG_RUN ? 3 : 2;
/** How long a server that is stopped waits for balancers, in seconds. */
const DRAIN = 5;

describe('a server that is stopped', () => {
  it(`fails no call of 30 clients that poll /readyz while ${SERVERS} servers are restarted one after the other [DECISIONS §6]`, async () => {
    await withServers(SERVERS, { APOTHECA_DRAIN_SECONDS: String(DRAIN) }, async (servers, start) => {
      const urls = servers.map(({ url }) => url);
      const token = await signInToServer(String(urls[0]));
      let turn = 0;
      const nextCall = () => {
        turn += 1;
        if (turn % 5 === 0) return { route: faqRoutes.create, body: faqInput({ overview: '<p>Rich</p>' }) };
        return { route: turn % 2 === 0 ? tenantRoutes.list : userRoutes.list };
      };
      const clients = startClients(urls, { clients: 30, token, drain: DRAIN * 1000, nextCall });
      for (const [index, url] of urls.entries()) {
        const before = clients.calls();
        await expect.poll(clients.calls).toBeGreaterThan(before + 90);
        expect(await servers[index]?.terminate()).toBe(0);
        await expect.poll(() => clients.isReady(url)).toBe(false);
        servers[index] = await start(new URL(url).port);
        await expect.poll(() => clients.isReady(url)).toBe(true);
      }
      await clients.stop();
      expect(clients.failures()).toEqual([]);
    });
  });

  it('does not wait where nobody polls /readyz, and finishes the calls it has [DECISIONS §2]', async () => {
    await withServers(1, { APOTHECA_DRAIN_SECONDS: '300' }, async ([server]) => {
      if (!server) throw new Error('There is no server.');
      const token = await signInToServer(server.url);
      const idle = connect(Number(new URL(server.url).port), '127.0.0.1');
      await once(idle, 'connect');
      const call = request(`${server.url}/api/faq/create`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', expect: '100-continue' },
      });
      call.flushHeaders();
      await once(call, 'continue');
      const stopped = server.terminate();
      await once(idle, 'close');
      call.end(JSON.stringify(faqInput()));
      const [answer] = await once(call, 'response');
      expect({ status: answer.statusCode, connection: answer.headers.connection }).toEqual({
        status: 200,
        connection: 'close',
      });
      expect(await stopped).toBe(0);
    });
  });
});

describe('a server that is ready', () => {
  it('has its sanitizer ready too: the first rich text starts no process [DECISIONS §11]', async () => {
    const tells = `import { subscribe } from 'node:diagnostics_channel';
      subscribe('child_process', ({ process: child }) => child.once('message', () => console.log('A process is ready.')));`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(tells)}`;
    await withServers(1, { NODE_OPTIONS }, async ([server]) => {
      if (!server) throw new Error('There is no server.');
      const [beforeReady = ''] = server.output().split('Apotheca is ready');
      const token = await signInToServer(server.url);
      const body = faqInput({ overview: '<p>Rich</p>' });
      expect(await callServer(server.url, faqRoutes.create, { token, body })).toMatchObject({ status: 200 });
      expect(beforeReady.match(/A process is ready\./g)).toHaveLength(1);
      expect(server.output().match(/A process is ready\./g)).toHaveLength(1);
    });
  });
});
