import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { openTcpProxy } from './tcp-proxy.ts';

it('an end that has ended still gets what the other one sends until it ends too, also over a slow link', async () => {
  const listener = createServer({ allowHalfOpen: true });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const proxy = await openTcpProxy(`postgresql://127.0.0.1:${(listener.address() as AddressInfo).port}`);
  for (const mode of ['pass', { delay: 50 }] as const) {
    proxy.set(mode);
    const client = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    const received = text(client);
    const [server] = (await once(listener, 'connection')) as [Socket];
    client.end('first');
    expect(await text(server)).toBe('first');
    server.end('last');
    expect(await received).toBe('last');
  }
  await proxy.close();
  listener.close();
});
