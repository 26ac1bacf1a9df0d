import { createServer } from 'node:net';

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  return new Promise((fulfil, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? fulfil(address.port) : reject(new Error('No free port')),
      );
    });
  });
}
