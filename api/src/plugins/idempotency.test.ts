import { createHash, createHmac } from 'node:crypto';
import { apiKeyRoutes } from '@apotheca/contract/api-keys';
import { backupRoutes } from '@apotheca/contract/backups';
import { faqRoutes } from '@apotheca/contract/faqs';
import type { ContractRoute } from '@apotheca/contract/route';
import { CALLS } from '@apotheca/contract/routes';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userRoutes } from '@apotheca/contract/users';
import { type RawBuilder, sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { postgresNow, seconds } from '../db/due-moments.ts';
import { HELD_SECONDS } from '../db/keyed-calls.ts';
import type { Trx } from '../db/platform.ts';
import { roleIdOf } from '../testing/accounts.ts';
import { useApiKeys } from '../testing/api-keys.ts';
import { useTestApp } from '../testing/app.ts';
import { tenantInput, userInput } from '../testing/builders.ts';
import { faqInput } from '../testing/faqs.ts';
import { patiently } from '../testing/patiently.ts';
import { forgetOldKeys } from './idempotency.ts';

const test = useTestApp();
const keys = useApiKeys(test);
const DAY = 24 * 60 * 60;
const ASYNC = { prefer: 'respond-async' };

let made = 0;
const newKey = () => {
  made += 1;
  return `key-${made}`;
};

const inSeconds = (count: number) => sql<Date>`${postgresNow} + ${seconds(count)}`;

type Options = Parameters<typeof test.call>[1];
const send = (key: string, route: ContractRoute, { headers, ...options }: NonNullable<Options> = {}) =>
  test.call(route, { ...options, headers: { ...headers, 'idempotency-key': key } });
const inParallel = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work));
const resultOf = ({ status, message, result }: Awaited<ReturnType<typeof send>>) => ({ status, message, result });
const countFaqs = async (code: string) =>
  (await test.call(faqRoutes.list)).result.filter((faq: { code: string }) => faq.code === code).length;

/** Leaves a key as a server that is killed leaves it: before or after it has made something. */
async function killAttempt(
  key: string,
  { madeId, heldUntil = postgresNow }: { madeId: boolean; heldUntil?: RawBuilder<Date> },
) {
  const update = test.context.platform.updateTable('idempotencyKeys').where('key', '=', key);
  const dead = { answer: null, heldUntil };
  await update.set({ ...dead, ...(!madeId && { madeId: null }) }).execute();
}

describe('a call with an Idempotency-Key', () => {
  it('makes one record, and is answered the same, however often it is sent at once [§7]', async () => {
    const body = faqInput();
    const key = newKey();
    const answers = await inParallel(20, () => send(key, faqRoutes.create, { body }));
    const [first] = answers;
    expect(first).toMatchObject({ status: 200, result: { id: expect.any(String) } });
    expect(answers.map(resultOf)).toEqual(Array(20).fill(first && resultOf(first)));
    expect(await countFaqs(body.code)).toBe(1);
    expect(resultOf(await send(`"${key}"`, faqRoutes.create, { body }))).toEqual(first && resultOf(first));
  });

  it('is kept as a digest that tells nothing of a password in it without the secret', async () => {
    const key = newKey();
    const body = userInput('digest.of', await roleIdOf(test, 'Viewer'));
    expect(await send(key, userRoutes.create, { body })).toMatchObject({ status: 200 });
    const kept = test.context.platform.selectFrom('idempotencyKeys').select('request').where('key', '=', key);
    const { request } = await kept.executeTakeFirstOrThrow();
    const { method, base, path } = userRoutes.create;
    const asked = JSON.stringify([method, base, path, undefined, userRoutes.create.body.parse(body)]);
    expect(request.equals(createHash('sha256').update(asked).digest())).toBe(false);
    const hmac = createHmac('sha256', test.context.keys.keyedCalls).update(asked);
    expect(request.equals(hmac.digest())).toBe(true);
  });

  it('makes one tenant with one database, and one backup of it [§7]', async () => {
    const body = tenantInput('ONCE');
    const key = newKey();
    const tenants = await inParallel(20, () => patiently(() => send(key, tenantRoutes.create, { body })));
    expect(tenants.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(tenants.map(({ result }) => result.id)).size).toBe(1);

    const backup = newKey();
    const query = { databaseName: 'ONCE' };
    const [started] = await inParallel(5, () => send(backup, backupRoutes.create, { query, headers: ASYNC }));
    expect(started).toMatchObject({ status: 202, result: { operationId: expect.any(String) } });
    const backups = await inParallel(5, () => send(backup, backupRoutes.create, { query }));
    expect(new Set(backups.map(({ result }) => result.id)).size).toBe(1);
    expect((await test.call(backupRoutes.list, { query })).result).toHaveLength(1);
  });

  it('puts off the end of a subscription by one week [§7]', async () => {
    const ends = { subscriptionStartDate: '2020-01-01', subscriptionEndDate: '2999-12-01' };
    const { result } = await test.call(tenantRoutes.create, { body: { ...tenantInput('LATER'), ...ends } });
    const key = newKey();
    const query = { id: result.id };
    const answers = await inParallel(5, () => send(key, tenantRoutes.postponeExpiry, { query }));
    expect(answers.map((answer) => answer.result.postponedTo)).toEqual(Array(5).fill('2999-12-08'));
  });

  it('is refused where the key was used for another call or with other input, which changes nothing [§7]', async () => {
    const key = newKey();
    const body = faqInput();
    await send(key, faqRoutes.create, { body });
    const other = { ...body, code: 'OTHER' };
    const refused = { status: 422, title: 'Key already used' };
    expect(await send(key, faqRoutes.create, { body: other })).toMatchObject(refused);
    expect(await send(key, tenantRoutes.create, { body: tenantInput('OTHER') })).toMatchObject(refused);
    expect(await countFaqs('OTHER')).toBe(0);
    expect(await send('with space', faqRoutes.create, { body: other })).toMatchObject({
      status: 400,
      errors: { 'Idempotency-Key': [expect.stringMatching(/1 to 255 .* without blanks/)] },
    });
  });

  it('counts for its caller alone: another person, or an API key of the same one, makes something of its own [§7]', async () => {
    const key = newKey();
    const { token } = await keys.person();
    const { key: program } = await keys.issued(token, { scopes: ['faqs.write'] });
    const answers = [undefined, token, program].map((sender) =>
      send(key, faqRoutes.create, { body: faqInput(), ...(sender && { token: sender }) }),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('may be sent again after a failure, which leaves the key free [§7]', async () => {
    const body = faqInput();
    const { result } = await test.call(faqRoutes.create, { body });
    const key = newKey();
    expect(await send(key, faqRoutes.create, { body })).toMatchObject({ status: 409 });
    await test.call(faqRoutes.delete, { query: { id: result.id } });
    expect(await send(key, faqRoutes.create, { body })).toMatchObject({ status: 200 });
  });

  it('starts an operation anew where the one before has failed or was cancelled, and no other than that [§7]', async () => {
    await test.call(tenantRoutes.create, { body: tenantInput('ANEW') });
    const { platform } = test.context;
    const query = { databaseName: 'ANEW' };
    const key = newKey();
    const back = () => send(key, backupRoutes.create, { query });
    await sql`
      create function fill_disk() returns trigger language plpgsql as
        'begin raise exception ''full'' using errcode = ''53100''; end'`.execute(platform);
    await sql`
      create trigger fill_disk before update on backups
      for each row when (new.state = 'ready') execute function fill_disk()`.execute(platform);
    expect(await back()).toMatchObject({ status: 507 });
    await sql`drop trigger fill_disk on backups`.execute(platform);
    expect(await send(key, backupRoutes.create, { query: { databaseName: 'ONCE' } })).toMatchObject({ status: 422 });
    const answers = await inParallel(5, back);
    const [first] = answers;
    expect(first).toMatchObject({ status: 200 });
    expect(answers.map(resultOf)).toEqual(Array(5).fill(first && resultOf(first)));
    await platform.updateTable('operations').set({ state: 'cancelled' }).where('id', '=', first?.result.id).execute();
    const next = await back();
    expect(next).toMatchObject({ status: 200 });
    expect(next.result.id).not.toBe(first?.result.id);
  });

  it.each([
    ['', 0],
    [', also by a server whose clock is a month ahead', 30 * DAY],
  ])('is refused when the first one still goes on after ten seconds%s [§7]', async (_, ahead) => {
    const key = newKey();
    const body = faqInput();
    const { now } = test.clock;
    test.clock.advance(ahead);
    const token = (await test.signIn()).result.accessToken;
    await send(key, faqRoutes.create, { body, token });
    const goOn = () => {
      const goingOn = { answer: null, madeId: null, heldUntil: inSeconds(45) };
      return test.context.platform.updateTable('idempotencyKeys').where('key', '=', key).set(goingOn).execute();
    };
    await goOn();
    let answer: Awaited<ReturnType<typeof send>> | undefined;
    const call = send(key, faqRoutes.create, { body, token }).then((answered) => {
      answer = answered;
    });
    // Its ten seconds begin when it has found the key.
    await expect
      .poll(
        async () => {
          test.clock.advance(1);
          await goOn();
          return answer;
        },
        { interval: 100, timeout: 60_000 },
      )
      .toMatchObject({ status: 409, title: 'Still going on', headers: { 'retry-after': '1' } });
    await call;
    test.clock.now = now;
    expect(await countFaqs(body.code)).toBe(1);
  });
});

describe('a server that is killed', () => {
  it('after it has made something leaves a key that makes nothing more [§7]', async () => {
    const key = newKey();
    const body = faqInput();
    const { result } = await send(key, faqRoutes.create, { body });
    await killAttempt(key, { madeId: true });
    expect(await send(key, faqRoutes.create, { body })).toMatchObject({ status: 200, result });
    expect(await countFaqs(body.code)).toBe(1);

    const secret = newKey();
    const fields = { body: { name: 'Once', scopes: ['faqs.read'] } };
    const issued = await send(secret, apiKeyRoutes.create, fields);
    await killAttempt(secret, { madeId: true, heldUntil: inSeconds(30 * DAY) });
    expect(await send(secret, apiKeyRoutes.create, fields)).toMatchObject({
      status: 409,
      message: `This was done (${issued.result.id}), but the server was stopped before it could answer.`,
    });
  });

  it.each([
    ['', postgresNow],
    [', also where its clock was a month ahead', inSeconds(30 * DAY)],
  ])('before that leaves a key that is taken anew%s [§7]', async (_, heldUntil) => {
    const key = newKey();
    const body = faqInput();
    const { result } = await send(key, faqRoutes.create, { body });
    await test.call(faqRoutes.delete, { query: { id: result.id } });
    await killAttempt(key, { madeId: false, heldUntil });
    const again = await send(key, faqRoutes.create, { body });
    expect(again).toMatchObject({ status: 200 });
    expect(again.result.id).not.toBe(result.id);
  });

  it('before that keeps who comes again at once waiting for some seconds, and no longer [§7]', async () => {
    const key = newKey();
    const body = faqInput();
    const { result } = await send(key, faqRoutes.create, { body });
    await test.call(faqRoutes.delete, { query: { id: result.id } });
    await killAttempt(key, { madeId: false, heldUntil: inSeconds(HELD_SECONDS) });
    // The process's clock goes as PostgreSQL's does.
    const began = test.clock.now.getTime() - performance.now();
    let answer: Awaited<ReturnType<typeof send>> | undefined;
    const call = send(key, faqRoutes.create, { body }).then((answered) => {
      answer = answered;
    });
    await expect
      .poll(
        () => {
          test.clock.now = new Date(began + performance.now());
          return answer;
        },
        { interval: 100, timeout: 60_000 },
      )
      .toMatchObject({ status: 200 });
    await call;
    expect(answer?.result.id).not.toBe(result.id);
  });

  it('or that was not heard of makes nothing any more once another attempt has its key [§7]', async () => {
    const key = newKey();
    const body = faqInput();
    const { platform } = test.context;
    const reached = Promise.withResolvers<void>();
    const taken = Promise.withResolvers<void>();
    const transaction = platform.transaction();
    const execute = transaction.execute.bind(transaction);
    // It waits before it makes anything and notes that with its key. Held here: PostgreSQL gives up who waits long for a lock.
    vi.spyOn(platform, 'transaction').mockReturnValueOnce(
      Object.assign(transaction, {
        async execute<T>(work: (trx: Trx) => Promise<T>) {
          reached.resolve();
          await taken.promise;
          return execute(work);
        },
      }),
    );
    const first = send(key, faqRoutes.create, { body });
    await reached.promise;
    vi.restoreAllMocks();
    expect(await keysHeld(key)).toBe(1);
    await sql`update idempotency_keys set attempt = gen_random_uuid() where key = ${key}`.execute(platform);
    taken.resolve();
    expect(await first).toMatchObject({ status: 409, title: 'Still going on' });
    expect(await countFaqs(body.code)).toBe(0);
  });
});

describe('keys', () => {
  it('are forgotten after a day [§7]', async () => {
    const key = newKey();
    const body = faqInput();
    const { result } = await send(key, faqRoutes.create, { body });
    await test.call(faqRoutes.delete, { query: { id: result.id } });
    expect((await send(key, faqRoutes.create, { body })).result).toEqual(result);
    test.clock.advance(DAY);
    const token = (await test.signIn()).result.accessToken;
    // Not by the clock of the process alone, which may be ahead.
    expect((await send(key, faqRoutes.create, { body, token })).result).toEqual(result);
    await forgetOldKeys(test.context);
    expect((await send(key, faqRoutes.create, { body, token })).result).not.toEqual(result);
    test.clock.advance(DAY - 1);
    await forgetOldKeys(test.context);
    expect(await keysHeld(key)).toBe(1);
    test.clock.advance(1);
    await forgetOldKeys(test.context);
    expect(await keysHeld(key)).toBe(0);
  });

  it('keep answers encrypted [§7]', async () => {
    const key = newKey();
    const token = (await test.signIn()).result.accessToken;
    const { result } = await send(key, apiKeyRoutes.create, { token, body: { name: 'Kept', scopes: ['faqs.read'] } });
    const { answer } = await test.context.platform
      .selectFrom('idempotencyKeys')
      .select('answer')
      .where('key', '=', key)
      .executeTakeFirstOrThrow();
    expect(answer?.length).toBeGreaterThan(result.key.length);
    expect(answer?.includes(result.key)).toBe(false);
    expect(answer?.includes(result.id)).toBe(false);
  });

  it('are taken by every call that makes something, and by no public one [§7]', () => {
    const keyed = [...CALLS].filter(([, route]) => route.keyed);
    expect(keyed.map(([name]) => name)).toEqual([
      'auth.generateToken',
      'factors.confirmTotp',
      'factors.addPasskey',
      'apiKeys.create',
      'apiKeys.rotate',
      'views.create',
      'tenants.create',
      'tenants.postponeExpiry',
      'credentials.rotate',
      'databases.copy',
      'backups.create',
      'backups.restore',
      'adoptions.adopt',
      'anonymizedClones.cloneAnonymized',
      'moments.restore',
      'permissions.create',
      'roles.create',
      'users.create',
      'users.duplicate',
      'serviceAccounts.create',
      'faqs.create',
      'faqSections.create',
      'faqQuestions.create',
      'webhooks.create',
      'webhooks.rotate',
      'databaseServers.create',
    ]);
    const making = [...CALLS].filter(([name]) => /\.(create|duplicate|copy|rotate|clone)/i.test(name));
    expect(making.filter(([, route]) => !route.keyed)).toEqual([]);
    expect(keyed.filter(([, route]) => route.permission === 'public')).toEqual([]);
  });
});

const keysHeld = async (key: string) =>
  (await test.context.platform.selectFrom('idempotencyKeys').select('key').where('key', '=', key).execute()).length;
