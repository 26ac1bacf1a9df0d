import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { afterEach, expect, it } from 'vitest';
import { type SteadyClients, startClients } from './steady-clients.ts';

/** In milliseconds. */
const DRAIN = 500;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A server by what it answers: to whether it is ready, and to calls. */
async function serve(readiness: (answer: ServerResponse) => void, call: (answer: ServerResponse) => void) {
  const server = createServer(({ url }, answer) => (url === '/readyz' ? readiness(answer) : call(answer)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ends.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answers = (status: number) => (answer: ServerResponse) => void answer.writeHead(status).end();

function clientsOf(...urls: string[]): SteadyClients {
  const nextCall = () => ({ route: tenantRoutes.list });
  const clients = startClients(urls, { clients: 3, token: 'T', drain: DRAIN, nextCall });
  ends.unshift(clients.stop);
  return clients;
}

it('clients see the failures of a server that hangs when it is asked whether it is ready, until it no longer takes calls [DECISIONS §6]', async () => {
  let asked = 0;
  const { promise: end, resolve: release } = Promise.withResolvers<void>();
  const isOver = () => asked > 0 && performance.now() - asked > DRAIN;
  const url = await serve(
    (answer) => {
      asked ||= performance.now();
      void end.then(() => answers(200)(answer));
    },
    (answer) => answers(isOver() ? 503 : 200)(answer),
  );
  const clients = clientsOf(url);
  ends.unshift(async () => release());
  await expect.poll(clients.failures).toContain(`GET ${tenantRoutes.list.path}: 503`);
});

it('clients see that no server is ready [DECISIONS §6]', async () => {
  const clients = clientsOf(await serve(answers(503), answers(200)), await serve(answers(503), answers(200)));
  await expect.poll(clients.failures).toContain('No server is ready.');
});
