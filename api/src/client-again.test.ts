import { Apotheca } from '@apotheca/client';
import { describe, expect, it, vi } from 'vitest';
import { type ReceiverAnswer, startReceiver } from './testing/webhook-receiver.ts';

/** Where undici, Node's fetch, has what sends its calls, once it has sent one; setGlobalDispatcher of its package sets the same. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
const ID = '0b8f6d52-0000-4000-8000-000000000000';

it('repeats a call whose answer breaks off after its headers, with the same key [§7]', async () => {
  const receiver = await startReceiver();
  const made = { status: 200, message: 'Made.', result: { id: 'made' } };
  receiver.answer = () => (receiver.calls.length === 1 ? 'torn' : { status: 200, text: JSON.stringify(made) });
  const apotheca = new Apotheca({ url: `http://127.0.0.1:${receiver.port}`, key: 'apk_any' });
  const [end] = await Promise.allSettled([apotheca.call('faqs.create', { body: { name: 'Once', code: 'ONCE' } })]);
  await receiver.close();
  expect(end).toMatchObject({ status: 'fulfilled', value: { message: 'Made.', result: { id: 'made' } } });
  const keys = receiver.calls.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([expect.stringMatching(/./), keys[0]]);
});

it.each([502, 503, 504])(
  'repeats a call that may be repeated where a proxy answers %d, with the same key [§7]',
  async (status) => {
    const receiver = await startReceiver();
    const made = { status: 200, message: 'Made.', result: { id: 'made' } };
    receiver.answer = () => (receiver.calls.length % 2 === 1 ? status : { status: 200, text: JSON.stringify(made) });
    const apotheca = new Apotheca({ url: `http://127.0.0.1:${receiver.port}`, key: 'apk_any' });
    const calls: (() => Promise<unknown>)[] = [
      () => apotheca.call('faqs.create', { body: { name: 'Once', code: 'ONCE' } }),
      () => apotheca.call('faqs.list'),
      // It may have been done.
      () => apotheca.call('faqs.delete', { query: { id: ID } }),
    ];
    const ends: unknown[] = [];
    for (const call of calls) ends.push(...(await Promise.allSettled([call()])));
    await receiver.close();
    expect(ends).toMatchObject([
      { value: { message: 'Made.' } },
      { value: { message: 'Made.' } },
      { reason: { status } },
    ]);
    const keys = receiver.calls.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([expect.stringMatching(/./), keys[0], undefined, undefined, undefined]);
  },
);

it.each<ReceiverAnswer>(['cut', 'hang'])(
  'repeats a refresh that ends in “%s” at once with the same pair, as the server takes that for 30 seconds [§4]',
  async (lost) => {
    const first = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementationOnce(() => first.signal);
    const receiver = await startReceiver();
    const refreshes = () => receiver.calls.filter(({ path }) => path.endsWith('/refresh'));
    const answerOf = (result: unknown) => ({ status: 200, text: JSON.stringify({ status: 200, message: '', result }) });
    receiver.answer = ({ path, headers }): ReceiverAnswer => {
      if (!path.endsWith('/refresh')) return headers.authorization === 'Bearer new' ? answerOf(null) : 401;
      if (refreshes().length > 1) return answerOf({ accessToken: 'new' });
      // As when its time is up, but never before it has come.
      if (lost === 'hang') first.abort(new DOMException('The time is up.', 'TimeoutError'));
      return lost;
    };
    const session = { accessToken: 'old', refreshToken: 'kept' };
    const kept: unknown[] = [];
    const url = `http://127.0.0.1:${receiver.port}`;
    const apotheca = new Apotheca({ url, session, onSession: (next) => void kept.push(next) });
    // Of the calls that are not repeated.
    const [end] = await Promise.allSettled([apotheca.call('faqs.delete', { query: { id: ID } })]);
    const limits = timeout.mock.calls;
    timeout.mockRestore();
    await receiver.close();
    expect(end).toMatchObject({ status: 'fulfilled', value: { result: null } });
    expect(refreshes().map(({ body }) => JSON.parse(body))).toEqual([session, session]);
    expect(kept).toEqual([{ ...session, accessToken: 'new' }]);
    // So a fourth one still comes in time.
    expect(limits).toEqual([[8_000], [8_000]]);
  },
);

it.each<ReceiverAnswer>(['cut', 503, { status: 429, headers: { 'retry-after': '0' } }])(
  'repeats a refresh that ends in “%s” three times at most, as the server takes the same pair no longer [§4]',
  async (lost) => {
    const receiver = await startReceiver();
    const refreshes = () => receiver.calls.filter(({ path }) => path.endsWith('/refresh'));
    receiver.answer = ({ path }): ReceiverAnswer => (path.endsWith('/refresh') ? lost : 401);
    const session = { accessToken: 'old', refreshToken: 'kept' };
    const apotheca = new Apotheca({ url: `http://127.0.0.1:${receiver.port}`, session, retries: 5 });
    // Of the calls that are not repeated, and of those that are.
    const calls = [() => apotheca.call('faqs.delete', { query: { id: ID } }), () => apotheca.call('faqs.list')];
    const counts: number[] = [];
    for (const call of calls) {
      const [end] = await Promise.allSettled([call()]);
      expect(end).toMatchObject({
        status: 'rejected',
        reason: { name: lost === 'cut' ? 'TypeError' : 'ApothecaError' },
      });
      counts.push(refreshes().length);
    }
    await receiver.close();
    expect(counts).toEqual([4, 8]);
  },
);

it('says that the server does not answer the refresh [§4] [§7]', async () => {
  const seconds = AbortSignal.timeout;
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => seconds.call(AbortSignal, 50));
  const receiver = await startReceiver();
  receiver.answer = ({ path }): ReceiverAnswer => (path.endsWith('/refresh') ? 'hang' : 401);
  const session = { accessToken: 'old', refreshToken: 'kept' };
  const apotheca = new Apotheca({ url: `http://127.0.0.1:${receiver.port}`, session });
  const [end] = await Promise.allSettled([apotheca.call('faqs.list')]);
  timeout.mockRestore();
  await receiver.close();
  const message = 'The server does not answer the refresh of the session';
  expect(end).toMatchObject({ reason: { name: 'TypeError', message, cause: { name: 'TimeoutError' } } });
});

it('says where a redirect leads, and sends nothing there [§7]', async () => {
  const [here, there] = await Promise.all([startReceiver(), startReceiver()]);
  const location = `http://127.0.0.1:${there.port}/identity/authenticate/authenticate`;
  here.answer = () => ({ status: 301, headers: { location } });
  const apotheca = new Apotheca({ url: `http://127.0.0.1:${here.port}` });
  const [end] = await Promise.allSettled([apotheca.signIn('ada', 'secret')]);
  await Promise.all([here.close(), there.close()]);
  const message = `This is not the server's address: it leads to ${location}.`;
  expect(end).toMatchObject({ reason: { name: 'ApothecaError', status: 301, message } });
  expect([here.calls.length, there.calls.length]).toEqual([1, 0]);
});

it('says that a call which is not answered in time may have been done [§7]', async () => {
  const receiver = await startReceiver();
  const apotheca = new Apotheca({ url: `http://127.0.0.1:${receiver.port}`, key: 'apk_any' });
  await apotheca.call('faqs.list').catch(() => undefined);
  receiver.answer = () => 'hang';
  const before = Reflect.get(globalThis, DISPATCHER);
  Reflect.set(globalThis, DISPATCHER, new before.constructor({ headersTimeout: 100 }));
  const body = new Blob(['an archive']).stream();
  const [end] = await Promise.allSettled([apotheca.call('backups.upload', { query: { databaseName: 'SENT' }, body })]);
  Reflect.set(globalThis, DISPATCHER, before);
  // Where this process stood still meanwhile, the call was given up before the receiver has read it.
  await expect.poll(() => receiver.calls.length).toBe(2);
  await receiver.close();
  expect(end).toMatchObject({
    reason: { name: 'TypeError', message: expect.stringMatching(/look what it has made/), cause: expect.any(Error) },
  });
  expect(receiver.calls.map(({ body }) => body)).toEqual(['', 'an archive']);
});

describe('the wait for an operation', () => {
  const answerOf = (status: number, result: unknown) => ({
    status,
    text: JSON.stringify({ status, message: '', result }),
  });
  const done = answerOf(200, { id: ID, state: 'succeeded', message: 'Done.', result: { id: 'made' }, error: null });

  /** Starts an operation on a server whose further answers are these, the last one for good. */
  async function backUp(answers: ReceiverAnswer[], options: { awaySeconds?: number } = {}) {
    const receiver = await startReceiver();
    let looks = 0;
    receiver.answer = ({ path }) =>
      path.startsWith('/api/operations')
        ? (answers[Math.min(looks++, answers.length - 1)] as ReceiverAnswer)
        : answerOf(202, { operationId: ID });
    const apotheca = new Apotheca({ url: `http://127.0.0.1:${receiver.port}`, key: 'apk_any', retries: 0, ...options });
    const started: string[] = [];
    const call = apotheca.call(
      'backups.create',
      { query: { databaseName: 'ACME' } },
      { onStart: (id) => started.push(id) },
    );
    const [end] = await Promise.allSettled([call]);
    await receiver.close();
    return { end, started };
  }

  it('goes on while the server is away, and tells which one it is [§7]', async () => {
    const { end, started } = await backUp(['cut', 'cut', 'cut', 502, 503, 504, done]);
    expect(end).toEqual({ status: 'fulfilled', value: { result: { id: 'made' }, message: 'Done.' } });
    expect(started).toEqual([ID]);
  });

  it('ends at once by a failure, by a refusal, and by a server that is away for too long [§7]', async () => {
    const error = { status: 503, title: 'Away', result: null };
    const failed = answerOf(200, { id: ID, state: 'failed', message: 'The store is away.', result: null, error });
    expect((await backUp([failed, done])).end).toMatchObject({
      reason: { status: 503, message: 'The store is away.' },
    });
    expect((await backUp([answerOf(401, null), done])).end).toMatchObject({ reason: { status: 401 } });
    expect((await backUp(['cut', done], { awaySeconds: 0 })).end).toMatchObject({ reason: { name: 'TypeError' } });
  });
});
