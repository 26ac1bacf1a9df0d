import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { makeDestinations } from './destinations.ts';
import { post } from './posting.ts';

it('says in words why there was no answer [DECISIONS §13]', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await new Promise((closed) => server.close(closed));
  const signal = AbortSignal.timeout(10_000);
  expect(await post(makeDestinations(['127.0.0.0/8']), url, { headers: {}, body: '{}', signal })).toEqual({
    status: null,
    answer: 'The receiver refuses connections.',
  });
});

it('an answer that changes the protocol is an answer like others [DECISIONS §13]', async () => {
  const server = createServer((socket) => {
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    );
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const signal = AbortSignal.timeout(10_000);
  expect(await post(makeDestinations(['127.0.0.0/8']), url, { headers: {}, body: '{}', signal })).toEqual({
    status: 101,
    answer: '',
  });
});
