import { once } from 'node:events';
import { request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildApp } from '../app.ts';
import { useTestApp } from '../testing/app.ts';
import { askWithoutReading } from '../testing/deaf-readers.ts';

const test = useTestApp();

/** Runs `work` with a listening server over the test's context. */
async function withListening(
  options: Partial<Parameters<typeof buildApp>[1]>,
  work: (port: number, server: Server) => Promise<void>,
) {
  const app = await buildApp(test.context, { logLevel: 'silent', ...options });
  try {
    await app.listen({ port: 0, host: '127.0.0.1' });
    await work((app.server.address() as AddressInfo).port, app.server);
  } finally {
    await app.close();
  }
}

async function statusOf(port: number, path: string, headers: Record<string, string> = {}): Promise<number> {
  const call = request({ port, host: '127.0.0.1', path, headers });
  call.end();
  const [answer] = await once(call, 'response');
  answer.resume();
  return answer.statusCode;
}

describe('clients that send requests and read nothing', () => {
  it('are cut off, unless they read a byte now and then [§7]', async () => {
    // The time passes with what the slow one reads, however long this process stands still meanwhile.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    await withListening({ writeTimeout: 400 }, async (port, server) => {
      const path = '/docs/static/swagger-ui-bundle.js';
      const slow = await askWithoutReading(port, path, 20);
      const deaf = await askWithoutReading(port, path, 20);
      const ended = endOf(deaf);
      await readSlowly(slow, deaf);
      expect(await ended).toBe('ended');
      expect(await promisify(server.getConnections.bind(server))(), 'the slow one is there').toBe(1);
      slow.destroy();
    });
  });
});

describe('addresses for those who run the server', () => {
  it.each(['/metrics', '/docs', '/docs/json', '/openapi.json'])('%s is a 404 for everybody else [§7]', async (url) => {
    const answers = [
      await test.app.inject({ url, remoteAddress: '10.0.0.7' }),
      await test.app.inject({ url, headers: { 'x-forwarded-for': '127.0.0.1' } }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
    expect((await test.app.inject({ url, remoteAddress: '::ffff:127.0.0.1' })).statusCode).toBe(200);
  });

  it('are served to the configured addresses only [§7]', async () => {
    await withListening({ operatorAddresses: ['10.0.0.0/8'] }, async (port) => {
      expect(await statusOf(port, '/metrics')).toBe(404);
    });
  });

  it('collect the figures at most once a second [§7]', async () => {
    // Figures that another test has collected are a second old by then. Whole milliseconds: a sum of fractions is rounded.
    const began = Math.ceil(performance.now()) + 1_000;
    const clock = vi.spyOn(performance, 'now');
    onTestFinished(() => clock.mockRestore());
    const figuresAfter = async (milliseconds: number) => {
      clock.mockReturnValue(began + milliseconds);
      return (await test.app.inject('/metrics')).body;
    };
    const first = await figuresAfter(0);
    expect(await figuresAfter(999)).toBe(first);
    expect(await figuresAfter(1_000)).not.toBe(first);
  });

  it('serve no file outside of the page [§8]', async () => {
    await withListening({}, async (port) => {
      expect(await statusOf(port, '/docs/static/../../../package.json')).toBe(404);
      expect(await statusOf(port, '/docs/static/..%2f..%2fpackage.json')).toBe(404);
    });
  });
});

describe('the host name of a request', () => {
  it('must be configured, except for health checks [§7]', async () => {
    await withListening({ hosts: ['console.clinic.test'] }, async (port) => {
      expect(await statusOf(port, '/config.json', { host: 'Console.clinic.test:8443' })).toBe(200);
      expect(await statusOf(port, '/config.json', { host: 'evil.test' })).toBe(400);
      for (const path of ['/readyz', '/readyz/', '/healthz?of=balancer'])
        expect(await statusOf(port, path, { host: '10.0.0.7' }), path).toBe(200);
      expect(await statusOf(port, '/readyz/more', { host: '10.0.0.7' })).toBe(400);
    });
  });
});

describe('a body that was refused', () => {
  it('ends its connection after the answer if it goes on for too long [§7]', async () => {
    await withListening({ requestTimeout: 300 }, async (port) => {
      const socket = connect(port, '127.0.0.1');
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('error', () => {});
      socket.write('POST /api/managedatabase/uploadbackup HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999999\r\n');
      socket.write('Content-Type: application/octet-stream\r\n\r\n');
      const sending = setInterval(() => socket.write('x'.repeat(1000)), 20);
      await new Promise((fulfil) => socket.once('close', fulfil));
      clearInterval(sending);
      expect(answer).toMatch(/^HTTP\/1.1 401 /);
    });
  });
});

/** Waits until the server has ended a connection. A client that does not read notices this when it writes. */
async function endOf(socket: Socket): Promise<string> {
  const ended = new Promise<string>((fulfil) => socket.once('close', () => fulfil('ended')));
  const writing = setInterval(() => socket.write('\r\n'), 50);
  try {
    return await ended;
  } finally {
    clearInterval(writing);
  }
}

/** Reads a byte now and then, by the clock of the test, until another connection has ended. */
async function readSlowly(socket: Socket, other: Socket): Promise<void> {
  for (let turn = 0; turn < 200 || !other.closed; turn += 1) {
    socket.read(65_536);
    await setTimeout(1);
    vi.advanceTimersByTime(50);
  }
}
