import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { choosePort } from './chosen-port.ts';
import type { ProviderOrder } from './provider.ts';

/**
 * A process that is a provider of OpenID Connect (oidc-provider): its login page takes any password for the accounts that it was
 * told of. It says its port when it listens, and answers each order when that is done.
 */
const accounts = new Map<string, Record<string, unknown>>();
// It ends no idle connection: the server may just be asking on one, and would take that for an outage.
const server = createServer({ keepAliveTimeout: 0 });
const listen = async (port: number) => {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
};
// It comes back on it.
const port = await listen(await choosePort());

function open(client: Record<string, unknown>): void {
  const provider = new Provider(`http://127.0.0.1:${port}`, {
    clients: [client],
    cookies: { keys: ['only for tests'] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['preferred_username', 'given_name', 'family_name', 'groups'],
    },
    features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: true } },
    // A token that comes twice is taken for a stolen one.
    rotateRefreshToken: true,
    // Its own refuses addresses of this machine.
    fetch: (url: string, { dispatcher, ...options }: RequestInit & { dispatcher?: unknown }) => fetch(url, options),
    findAccount: (_context: unknown, login: string) => {
      const claims = accounts.get(login);
      return claims && { accountId: login, claims: () => ({ sub: login, ...claims }) };
    },
  });
  server.removeAllListeners('request').on('request', provider.callback());
}

async function obey(told: ProviderOrder): Promise<void> {
  switch (told.order) {
    case 'open':
      return open(told.client);
    case 'account':
      if (told.claims) accounts.set(told.login, told.claims);
      else accounts.delete(told.login);
      return;
    case 'away':
      server.closeAllConnections();
      server.close();
      return;
    case 'back':
      await listen(port);
  }
}

process.on('message', async (told: ProviderOrder) => {
  await obey(told);
  process.send?.('done');
});
// Whoever started it has gone.
process.once('disconnect', () => process.exit());
process.send?.(port);
