import { RETRY_HOURS } from '@apotheca/contract/webhooks';
import { sql } from 'kysely';
import pg from 'pg';
import { Registry } from 'prom-client';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { appendAudit } from '../../audit/audit.service.ts';
import { useTestApp } from '../../testing/app.ts';
import { aheadByYear } from '../../testing/clock-ahead.ts';
import { rowsReadOf } from '../../testing/query-plan.ts';
import { type ReceiverAnswer, startReceiver, type WebhookReceiver } from '../../testing/webhook-receiver.ts';
import { useWebhooks } from '../../testing/webhooks.ts';
import { removeExpiredEntries } from '../audit/retention.ts';
import { claimDeliveries } from './deliveries.repository.ts';
import { measureDeliveries } from './delivery-figures.ts';
import { makeDestinations } from './destinations.ts';
import { CLAIM, forgetOldDeliveries } from './dispatch.ts';
import { editWebhook, listWebhooks, replay, rotateSecret, sendTest } from './webhooks.service.ts';

const test = useTestApp({ webhookHosts: ['127.0.0.1'], publicUrl: 'https://console.clinic.test' });
const { create, happen, tell, queue, send, deliveries } = useWebhooks(test);
const HOUR = 3_600;
const TESTER = { id: null, name: 'tester', address: '198.51.100.1' };

let receiver: WebhookReceiver;
beforeEach(async () => {
  // The library compares the moment of a signature with the present.
  test.clock.now = new Date();
  receiver = await startReceiver();
});
afterEach(async () => {
  expect(test.background).toEqual([]);
  await receiver.close();
  await test.context.platform.deleteFrom('webhooks').execute();
});

const created = (id: string) => happen('tenants.create', id, { code: id.toUpperCase(), databaseName: id });
const edited = (id: string, isActive: boolean) => happen('tenants.edit', id, { isActive: [!isActive, isActive] });
const events = () => receiver.calls.map(({ body }) => JSON.parse(body));
const told = () => events().map(({ type, data }) => `${data.id} ${type}`);
const idsOf = () => receiver.calls.map(({ headers }) => headers['webhook-id']);

/** Lets time pass until deliveries are due: that goes by PostgreSQL's clock, which no test sets. */
async function passUntilDue(seconds: number): Promise<void> {
  await sql`
    update webhook_deliveries set due_at = due_at - make_interval(secs => ${seconds}),
      first_tried_at = first_tried_at - make_interval(secs => ${seconds})`.execute(test.context.platform);
}

/** Queues, and sends what is due now. What fails is due again after some seconds, which a busy machine may take. */
async function tellOnce(): Promise<void> {
  await queue();
  await send();
}

/** Sends two deliveries, of which one gets no answer: the time for that is over once the other one has got its own. */
async function sendInVain(webhookId: string): Promise<void> {
  const time = new AbortController();
  const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal);
  onTestFinished(() => limit.mockRestore());
  const sent = send();
  await expect.poll(() => receiver.calls.length).toBe(2);
  await expect.poll(() => deliveries(webhookId, 'delivered')).toHaveLength(1);
  time.abort();
  await sent;
  limit.mockRestore();
}

/**
 * Lets time pass until nothing waits any more, and tells of what is due.
 * @returns how long after the first attempt of a delivery its last one was due, at most, in seconds
 */
async function passUntilEnded(webhookId: string, passed: (seconds: number) => void = () => {}): Promise<number> {
  let longest = 0;
  await tell();
  while ((await deliveries(webhookId, 'pending')).length > 0) {
    const { rows } = await sql<{ left: number; since: number }>`
      select coalesce(extract(epoch from min(due_at) filter (where due_at > now()) - now()), 0)::float8 as left,
        coalesce(extract(epoch from max(due_at - first_tried_at)), 0)::float8 as since
      from webhook_deliveries where webhook_id = ${webhookId} and state = 'pending'`.execute(test.context.platform);
    const { left = 0, since = 0 } = rows[0] ?? {};
    longest = Math.max(longest, since);
    await passUntilDue(left);
    passed(left);
    test.clock.now = new Date();
    await tell();
  }
  return longest;
}

/** Lets no pause be longer or shorter by chance: so no attempt falls into the last minute of the day, where it would be the last one already. */
function keepPausesEven(): void {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  onTestFinished(() => random.mockRestore());
}

/** What a receiver with a secret finds wrong with the last call; empty: nothing. */
function problem(secret: string, body = receiver.calls.at(-1)?.body ?? ''): string {
  try {
    new Webhook(secret).verify(body, receiver.calls.at(-1)?.headers as Record<string, string>);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('an event', () => {
  it('is told once to each webhook that chose it, signed as Standard Webhooks says [DECISIONS §13]', async () => {
    const { id, secret } = await create(receiver.url, ['tenants.created']);
    const { id: otherId } = await create(`${receiver.url}?other`, ['tenants.deleted']);
    await created('acme');
    await tell();
    await tell();
    expect(events()).toEqual([
      {
        id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
        type: 'tenants.created',
        timestamp: test.clock.now.toISOString(),
        data: { entity: 'tenants', id: 'acme', code: 'ACME', databaseName: 'acme' },
      },
    ]);
    expect(idsOf()).toEqual([events()[0].id]);
    expect(receiver.calls[0]?.headers['content-type']).toBe('application/json');
    expect(problem(secret)).toBe('');
    expect(problem(secret, `${receiver.calls[0]?.body} `)).toBe('No matching signature found');
    expect(problem('whsec_AAAA')).toBe('No matching signature found');
    expect(await deliveries(id)).toMatchObject([{ state: 'delivered', attempts: 1, lastStatus: 200, dueOnUtc: null }]);
    expect(await deliveries(otherId)).toEqual([]);
  });

  it('waits ten minutes for a newer version whose webhook chose one that this version does not know [DECISIONS §13]', async () => {
    await create(receiver.url, ['tenants.created']);
    await test.context.platform
      .updateTable('webhooks')
      .set({ eventTypes: ['tenants.created', 'later'] })
      .execute();
    await created('acme');
    await tell();
    test.clock.advance(599);
    await tell();
    expect(told()).toEqual([]);
    test.clock.advance(1);
    await tell();
    expect(told()).toEqual(['acme tenants.created']);
  });

  it('of a write that is rolled back, or from before the webhook, is none [DECISIONS §13]', async () => {
    await created('before');
    await create(receiver.url, ['tenants.created']);
    const write = test.context.platform.transaction().execute(async (trx) => {
      const event = { actor: TESTER, action: 'tenants.create', entity: 'tenants', entityId: 'undone' };
      await appendAudit(test.context, trx, event);
      throw new Error('rolled back');
    });
    await expect(write).rejects.toThrow('rolled back');
    await created('after');
    await tell();
    expect(told()).toEqual(['after tenants.created']);
  });

  it('that fits several types is told as the most precise one that was chosen [DECISIONS §13]', async () => {
    await create(`${receiver.url}/both`, ['operations.ended', 'backups.failed']);
    await create(`${receiver.url}/one`, ['operations.ended']);
    await happen('databases.backup-failed', 'd1', { databaseName: 'ACME', reason: 'key (name)=(Ines) exists' });
    await tell();
    const types = receiver.calls.map(({ path, body }) => [path, JSON.parse(body).type]).toSorted();
    expect(types).toEqual([
      ['/hook/both', 'backups.failed'],
      ['/hook/one', 'operations.ended'],
    ]);
    expect(events().find(({ type }) => type === 'operations.ended').data).toEqual({
      entity: 'databases',
      id: 'd1',
      kind: 'backup',
      outcome: 'failed',
      databaseName: 'ACME',
    });
    expect(receiver.calls.map(({ body }) => body).join()).not.toContain('Ines');
  });

  it('is queued and sent once where several processes do it at once [DECISIONS §13]', async () => {
    const { id } = await create(receiver.url, ['tenants.created', 'tenants.suspended', 'tenants.resumed']);
    for (let n = 0; n < 5; n += 1) {
      await created(`t${n}`);
      await edited(`t${n}`, false);
      await edited(`t${n}`, true);
    }
    const process = async () => {
      await queue();
      // The others may have taken what is due.
      while ((await deliveries(id, 'pending')).length > 0) await send();
    };
    await Promise.all([process(), process(), process(), process()]);
    expect(told()).toHaveLength(15);
    for (let n = 0; n < 5; n += 1) {
      const ofRecord = told().filter((each) => each.startsWith(`t${n} `));
      expect(ofRecord).toEqual([`t${n} tenants.created`, `t${n} tenants.suspended`, `t${n} tenants.resumed`]);
    }
  });
});

describe('a receiver', () => {
  it('that is down for an hour gets everything then, of each record in order [DECISIONS §13]', async () => {
    const { id } = await create(receiver.url, ['tenants.created', 'tenants.suspended', 'tenants.resumed']);
    await created('acme');
    await created('birch');
    await edited('acme', false);
    let down = HOUR;
    receiver.answer = () => (down > 0 ? 'cut' : 200);
    await tellOnce();
    expect(told().toSorted()).toEqual(['acme tenants.created', 'birch tenants.created']);
    await edited('acme', true);
    const passed = await passUntilEnded(id, (seconds) => {
      down -= seconds;
    });
    expect(passed).toBeGreaterThan(HOUR);
    expect(passed).toBeLessThan(3 * HOUR);
    const all = await deliveries(id);
    expect(all.map(({ state }) => state)).toEqual(Array(4).fill('delivered'));
    expect(all[0]?.attempts).toBeGreaterThan(8);
    const arrived = told().slice(-4);
    expect(arrived.toSorted()).toEqual([
      'acme tenants.created',
      'acme tenants.resumed',
      'acme tenants.suspended',
      'birch tenants.created',
    ]);
    expect(arrived.filter((each) => each.startsWith('acme'))).toEqual([
      'acme tenants.created',
      'acme tenants.suspended',
      'acme tenants.resumed',
    ]);
  });

  it.each<[string, () => ReceiverAnswer, object]>([
    ['answers 500', () => ({ status: 500, text: 'Out of\n order' }), { lastStatus: 500, lastAnswer: 'Out of order' }],
    ['hangs', () => 'hang', { lastStatus: null, lastAnswer: 'There was no answer within 10 seconds.' }],
    [
      'loses its answer',
      () => 'cut',
      { lastStatus: null, lastAnswer: 'The receiver ended the connection without an answer.' },
    ],
    ['leads elsewhere', () => ({ status: 302, headers: { location: '/hook/elsewhere' } }), { lastStatus: 302 }],
    [
      'says much',
      () => ({ status: 503, text: 'x'.repeat(1_000_000) }),
      { lastStatus: 503, lastAnswer: 'x'.repeat(200) },
    ],
  ])('that %s is told again, with the same id, and later ones wait [DECISIONS §13]', async (how, answer, last) => {
    const { id } = await create(receiver.url, ['tenants.created', 'tenants.suspended']);
    await created('acme');
    await edited('acme', false);
    await created('birch');
    receiver.answer = ({ body }): ReceiverAnswer =>
      receiver.calls.length <= 2 && body.includes('acme') ? answer() : 200;
    await queue();
    await (how === 'hangs' ? sendInVain(id) : send());
    const [first] = await deliveries(id);
    expect(first).toMatchObject({ state: 'pending', attempts: 1, ...last });
    expect(told().toSorted()).toEqual(['acme tenants.created', 'birch tenants.created']);
    await passUntilDue(7);
    await tell();
    expect(told().slice(2)).toEqual(['acme tenants.created', 'acme tenants.suspended']);
    const ofFirst = receiver.calls.filter(({ body }) => body.includes('acme') && body.includes('created'));
    expect(new Set(ofFirst.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1);
    expect(receiver.calls.every(({ path }) => path === '/hook')).toBe(true);
  });

  it('that nobody answers for is tried for a day, then given up; later ones go on, and it can be replayed [DECISIONS §13]', async () => {
    const { id } = await create(receiver.url, ['tenants.created', 'tenants.suspended']);
    await created('acme');
    await edited('acme', false);
    receiver.answer = ({ body }) => (body.includes('created') ? 500 : 200);
    keepPausesEven();
    expect(await passUntilEnded(id)).toBe(RETRY_HOURS * HOUR);
    expect(await deliveries(id)).toMatchObject([{ state: 'failed' }, { state: 'delivered', attempts: 1 }]);
    receiver.answer = () => 200;
    const tries = receiver.calls.length;
    expect(await replay(test.context, TESTER, { webhookId: id, sinceUtc: test.clock.now.toISOString() })).toEqual({
      replayed: 0,
    });
    expect(await replay(test.context, TESTER, { webhookId: id })).toEqual({ replayed: 1 });
    await tell();
    expect(receiver.calls).toHaveLength(tries + 1);
    expect(receiver.calls.at(-1)?.headers['webhook-id']).toBe(idsOf()[0]);
    const [first, second] = await deliveries(id);
    expect(first).toMatchObject({ state: 'delivered', attempts: 1 });
    await replay(test.context, TESTER, { webhookId: id, deliveryId: second?.id });
    await tell();
    expect(told().at(-1)).toBe('acme tenants.suspended');
    const waiting = await create(receiver.url, ['tenants.created']);
    await created('cedar');
    await queue();
    const [pending] = await deliveries(waiting.id);
    await expect(
      replay(test.context, TESTER, { webhookId: waiting.id, deliveryId: pending?.id }),
    ).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it('that nobody answers for is tried once with what waited for a day behind an event that was given up [DECISIONS §13]', async () => {
    const { id } = await create(receiver.url, ['tenants.created', 'tenants.suspended', 'tenants.resumed']);
    await created('acme');
    await edited('acme', false);
    await edited('acme', true);
    await created('birch');
    await queue();
    await sql`
      update webhook_deliveries set occurred_at = occurred_at - interval '24 hours'
      where event_type <> 'tenants.resumed'`.execute(test.context.platform);
    receiver.answer = ({ body }) => (body.includes('acme') ? 500 : 200);
    await passUntilEnded(id);
    const all = await deliveries(id);
    expect(all).toMatchObject([
      { state: 'failed', lastStatus: 500 },
      { state: 'failed', attempts: 1, lastStatus: 500 },
      { state: 'failed', lastStatus: 500 },
      { state: 'delivered' },
    ]);
    expect(all[2]?.attempts).toBeGreaterThan(8);
    receiver.answer = () => 200;
    expect(await replay(test.context, TESTER, { webhookId: id })).toEqual({ replayed: 3 });
  });

  it('that never takes one event is told of all others, also of those that were replayed days later [DECISIONS §13]', async () => {
    const { id } = await create(receiver.url, ['tenants.created', 'tenants.suspended', 'tenants.resumed']);
    await created('acme');
    await edited('acme', false);
    await edited('acme', true);
    await queue();
    await sql`
      update webhook_deliveries set occurred_at = occurred_at - interval '2 days', state = 'failed',
        ended_at = now()`.execute(test.context.platform);
    expect(await replay(test.context, TESTER, { webhookId: id })).toEqual({ replayed: 3 });
    receiver.answer = ({ body }) => (body.includes('created') ? 500 : 200);
    keepPausesEven();
    expect(await passUntilEnded(id)).toBe(RETRY_HOURS * HOUR);
    expect(await deliveries(id)).toMatchObject([
      { state: 'failed', lastStatus: 500 },
      { state: 'delivered', attempts: 1 },
      { state: 'delivered', attempts: 1 },
    ]);
  });

  it('whose webhook is deleted as an attempt fails is told nothing more, and neither waits for the other in a circle [DECISIONS §13]', async () => {
    const { id } = await create(receiver.url, ['tenants.created', 'tenants.suspended']);
    await created('acme');
    await edited('acme', false);
    await queue();
    receiver.answer = () => 500;
    const { platform, pool } = test.context;
    await platform
      .transaction()
      .execute(async (trx) => {
        // On a busy machine it may be long until somebody waits.
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
        // As the deletion does, of which PostgreSQL reaches one delivery after the other.
        const { rows } = await sql<{ pid: number }>`
        select pg_backend_pid() as pid from webhooks where id = ${id} for update`.execute(trx);
        await sql`delete from webhook_deliveries where webhook_id = ${id} and event_type = 'tenants.suspended'`.execute(
          trx,
        );
        const sending = send();
        const waiting = 'select from pg_locks where not granted and $1 = any (pg_blocking_pids(pid))';
        await expect.poll(async () => (await pool.query(waiting, [rows[0]?.pid])).rowCount).toBeGreaterThan(0);
        await trx.deleteFrom('webhooks').where('id', '=', id).execute();
        return { sending };
      })
      .then(({ sending }) => sending);
    expect(receiver.calls).toHaveLength(1);
  });

  it('whose webhook is being deleted is told what that has not come to, and neither waits for the other in a circle [DECISIONS §13]', async () => {
    const { id } = await create(receiver.url, ['tenants.created']);
    await created('acme');
    await created('umbrella');
    await queue();
    const { platform } = test.context;
    await platform.transaction().execute(async (trx) => {
      // As the deletion does, of which PostgreSQL reaches one delivery after the other.
      await sql`select from webhooks where id = ${id} for update`.execute(trx);
      await sql`delete from webhook_deliveries where webhook_id = ${id} and entity_id = 'acme'`.execute(trx);
      const limits = { most: 4, each: 4, claim: CLAIM, longestPause: HOUR * 1_000 };
      const claimed = await claimDeliveries(platform, test.clock.now, limits);
      expect(claimed.map(({ body }) => JSON.parse(body).data.id)).toEqual(['umbrella']);
      await trx.deleteFrom('webhooks').where('id', '=', id).execute();
    });
    expect(await send()).toBe(0);
  });

  it('that takes what waited behind an event which was just given up has got it [DECISIONS §13]', async () => {
    const { id } = await create(receiver.url, ['tenants.created', 'tenants.suspended']);
    await created('acme');
    await edited('acme', false);
    await queue();
    await sql`
      update webhook_deliveries set occurred_at = occurred_at - interval '2 days',
        first_tried_at = case event_type when 'tenants.created' then now() - make_interval(hours => ${RETRY_HOURS}) end`.execute(
      test.context.platform,
    );
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    receiver.answer = ({ body }) => (body.includes('created') ? 500 : released.then(() => 200));
    const { trustedNow } = test.context;
    let other: Promise<number> | undefined;
    // Another process looks as soon as the first one has failed.
    test.context.trustedNow = async () => {
      if (!other && (await deliveries(id, 'failed')).length > 0) {
        other = send();
        await expect.poll(() => receiver.calls.length).toBe(2);
      }
      return trustedNow();
    };
    onTestFinished(() => void Object.assign(test.context, { trustedNow }));
    await send();
    other ??= send();
    release();
    expect(await other).toBe(1);
    expect(await deliveries(id)).toMatchObject([{ state: 'failed' }, { state: 'delivered', attempts: 1 }]);
  });

  it('that does not answer keeps no other one waiting, however much there is for it [DECISIONS §13]', async () => {
    const { id } = await create(`${receiver.url}/dead`, ['tenants.created']);
    await created('stuck');
    await queue();
    // Half of them behind one event, and of each other record 10.
    await sql`
      insert into webhook_deliveries (webhook_id, entry_id, event_id, event_type, entity, entity_id, body, occurred_at, due_at)
      select d.webhook_id, d.entry_id + n, 'evt_' || n, d.event_type, d.entity,
        case when n % 2 = 0 then d.entity_id else 'tenant ' || n % 500 end, d.body, d.occurred_at, now()
      from webhook_deliveries d, generate_series(1, 5000) n where d.webhook_id = ${id}`.execute(test.context.platform);
    await sql`analyze webhook_deliveries`.execute(test.context.platform);
    receiver.answer = () => 500;
    expect(await send()).toBe(4);
    const { id: otherId } = await create(receiver.url, ['tenants.created']);
    await created('acme');
    // Else the one that is down was told of it, too.
    await sql`update webhooks set entry_cursor = (select last_id from audit_head) where id = ${id}`.execute(
      test.context.platform,
    );
    await queue();
    const limits = { most: 2, each: 4, claim: CLAIM, longestPause: HOUR * 1_000 };
    const submit = vi.spyOn(pg.Query.prototype, 'submit');
    const claimed = await claimDeliveries(test.context.platform, test.clock.now, limits);
    const sent = submit.mock.contexts
      .filter((query) => query instanceof pg.Query)
      .map((query) => ({ text: String(Reflect.get(query, 'text')), values: Reflect.get(query, 'values') }));
    submit.mockRestore();
    expect(claimed.map(({ webhookId }) => webhookId).toSorted()).toEqual([id, otherId].toSorted());
    const claim = sent.find(({ text }) => text.includes('webhook_deliveries'));
    const { rows } = await test.context.pool.query(`explain (analyze, format json) ${claim?.text}`, claim?.values);
    expect(rowsReadOf(rows[0]['QUERY PLAN'][0].Plan, 'webhook_deliveries')).toBeLessThan(200);
  });

  it('is told what a clock that was a year ahead had begun, in order [DECISIONS §13]', async () => {
    const { id } = await create(receiver.url, ['tenants.created', 'tenants.suspended']);
    const { now, trustedNow } = test.context;
    onTestFinished(() => void Object.assign(test.context, { now, trustedNow }));
    await created('acme');
    await created('taken');
    Object.assign(test.context, aheadByYear(test.context.platform));
    receiver.answer = () => 500;
    await tell();
    // PostgreSQL's, too.
    await passUntilDue(-365 * 24 * HOUR);
    await test.context.pool.query("update webhook_deliveries set claimed_until = due_at where entity_id = 'taken'");
    Object.assign(test.context, { now, trustedNow });
    receiver.answer = () => 200;
    receiver.calls.length = 0;
    await edited('acme', false);
    await tell();
    await tell();
    expect(told().toSorted()).toEqual(['acme tenants.created', 'acme tenants.suspended', 'taken tenants.created']);
    expect(told().filter((each) => each.startsWith('acme'))).toEqual([
      'acme tenants.created',
      'acme tenants.suspended',
    ]);
    expect(await deliveries(id, 'pending')).toEqual([]);
  });

  it('that is down is given up by no process whose clock is a year ahead [DECISIONS §13]', async () => {
    const { now, trustedNow } = test.context;
    onTestFinished(() => void Object.assign(test.context, { now, trustedNow }));
    const { id } = await create(receiver.url, ['tenants.created']);
    receiver.answer = () => 500;
    await created('acme');
    await tellOnce();
    const ahead = aheadByYear(test.context.platform);
    Object.assign(test.context, ahead);
    await passUntilDue(7);
    await send();
    expect(await deliveries(id)).toMatchObject([{ state: 'pending', attempts: 2 }]);
    const later = new Date(ahead.now().getTime() + HOUR * 1_000);
    Object.assign(test.context, { now: () => later, trustedNow: async () => undefined });
    await passUntilDue(13);
    await send();
    expect(await deliveries(id)).toMatchObject([{ state: 'pending', attempts: 3 }]);
    Object.assign(test.context, { now, trustedNow });
    receiver.answer = () => 200;
    await passUntilDue(25);
    await tell();
    expect(await deliveries(id)).toMatchObject([{ state: 'delivered', attempts: 4 }]);
  });

  it('that is down is told again when that is due by processes whose clocks are a year apart [DECISIONS §13]', async () => {
    const { now, trustedNow } = test.context;
    onTestFinished(() => void Object.assign(test.context, { now, trustedNow }));
    const ahead = aheadByYear(test.context.platform);
    await create(receiver.url, ['tenants.created']);
    receiver.answer = () => 500;
    await created('acme');
    await queue();
    Object.assign(test.context, ahead);
    expect(await send()).toBe(1);
    Object.assign(test.context, { now, trustedNow });
    // A minute longer, which a busy machine does not take meanwhile.
    await passUntilDue(-60);
    expect(await send()).toBe(0);
    await passUntilDue(67);
    expect(await send()).toBe(1);
    Object.assign(test.context, ahead);
    await passUntilDue(-60);
    expect(await send()).toBe(0);
  });

  it('that is down is not given up where a clock that was years behind made the first attempt [DECISIONS §13]', async () => {
    const { id } = await create(receiver.url, ['tenants.created']);
    receiver.answer = () => 500;
    await created('acme');
    await queue();
    const right = test.clock.now;
    test.clock.now = new Date(0);
    await send();
    test.clock.now = right;
    await passUntilDue(7);
    await send();
    expect(await deliveries(id)).toMatchObject([{ state: 'pending', attempts: 2 }]);
  });

  it('that is down is given up by the attempt after a day, also where the clock of the process is a little behind [DECISIONS §13]', async () => {
    const { id } = await create(receiver.url, ['tenants.created']);
    receiver.answer = () => 500;
    await created('acme');
    await tellOnce();
    await sql`update webhook_deliveries set due_at = now(), first_tried_at = now() - make_interval(hours => ${RETRY_HOURS})`.execute(
      test.context.platform,
    );
    test.clock.now = new Date(Date.now() - 2_000);
    await send();
    expect(await deliveries(id)).toMatchObject([{ state: 'failed', attempts: 2 }]);
  });

  it('that is gone (410) is told nothing more, and the trail says so [DECISIONS §13]', async () => {
    const { id } = await create(receiver.url, ['tenants.created']);
    receiver.answer = () => 410;
    await created('acme');
    await tell();
    await created('birch');
    await tell();
    expect(receiver.calls).toHaveLength(1);
    const { platform } = test.context;
    const webhook = platform.selectFrom('webhooks').select(['isActive', 'inactiveReason']).where('id', '=', id);
    expect(await webhook.executeTakeFirst()).toEqual({
      isActive: false,
      inactiveReason: 'The receiver answered 410 Gone.',
    });
    const entries = platform.selectFrom('auditEntries').select(['action', 'actorName']).where('entityId', '=', id);
    expect(await entries.orderBy('id', 'desc').executeTakeFirst()).toEqual({
      action: 'webhooks.deactivate',
      actorName: 'server',
    });
    await expect(sendTest(test.context, TESTER, id)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('that is gone (410), but was replaced while it answered, does not switch off the new one [DECISIONS §13]', async () => {
    const { id } = await create(receiver.url, ['tenants.created']);
    receiver.answer = async ({ path }) => {
      if (path === '/hook/new') return 200;
      const form = { name: 'repaired', url: `${receiver.url}/new`, eventTypes: ['tenants.created' as const] };
      await editWebhook(test.context, TESTER, { id, ...form, isActive: true });
      return 410;
    };
    await created('acme');
    await tell();
    const { platform } = test.context;
    const webhook = platform.selectFrom('webhooks').select(['isActive', 'inactiveReason']).where('id', '=', id);
    expect(await webhook.executeTakeFirst()).toEqual({ isActive: true, inactiveReason: '' });
    // What the old one did not take is told to the new one.
    await passUntilEnded(id);
    expect(receiver.calls.map(({ path }) => path)).toEqual(['/hook', '/hook/new']);
    expect(await deliveries(id)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  });

  it('whose name means this machine by the time of the connection is not asked [DECISIONS §13]', async () => {
    const { id } = await create(`https://hooks.clinic.test:${receiver.port}/`, ['tenants.created']);
    await created('acme');
    const answers = ['198.51.100.7', '127.0.0.1'];
    const rebinding = makeDestinations([], (_host, _options, done) =>
      done(null, [{ address: answers.length > 1 ? (answers.shift() ?? '') : '127.0.0.1', family: 4 }]),
    );
    // As somebody would who compares the name's address before the connection.
    await new Promise((fulfil) => rebinding.lookup('hooks.clinic.test', { all: true }, fulfil));
    await tell({ destinations: rebinding });
    expect(receiver.calls).toEqual([]);
    const lastAnswer = expect.stringMatching(/^hooks\.clinic\.test is not on the public internet/);
    expect(await deliveries(id)).toMatchObject([{ state: 'pending', lastStatus: null, lastAnswer }]);
  });

  it('gets four at a time, and what a killed process had begun when its claim ends [DECISIONS §13]', async () => {
    const { id } = await create(receiver.url, ['tenants.created']);
    for (let n = 0; n < 6; n += 1) await created(`t${n}`);
    await queue();
    // A process that takes them and is never heard of again.
    const limits = { most: 100, each: 4, claim: CLAIM, longestPause: HOUR * 1_000 };
    expect(await claimDeliveries(test.context.platform, test.clock.now, limits)).toHaveLength(4);
    expect(await send()).toBe(0);
    // That goes by PostgreSQL's clock, which no test sets.
    await test.context.pool.query(
      "update webhook_deliveries set claimed_until = claimed_until - $1 * interval '1 ms'",
      [CLAIM],
    );
    await tell();
    expect(told()).toHaveLength(6);
    expect((await deliveries(id)).map(({ attempts }) => attempts)).toEqual([2, 2, 2, 2, 1, 1]);
  });

  it('is told once by two processes whose clocks are a year apart [DECISIONS §13]', async () => {
    await create(receiver.url, ['tenants.created']);
    await created('acme');
    await queue();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    receiver.answer = () => released.then(() => 200);
    const right = test.clock.now;
    test.clock.advance(365 * 24 * HOUR);
    // Held for as long as the others need to look.
    const held = { timeout: 120_000 };
    const begun = send(held);
    await expect.poll(() => receiver.calls.length).toBe(1);
    test.clock.now = right;
    const others = send();
    await expect.poll(() => Promise.race([others, 'sends'])).toBe(0);
    release();
    expect(await begun).toBe(1);
    await created('birch');
    await queue();
    const { promise: later, resolve: end } = Promise.withResolvers<void>();
    receiver.answer = () => later.then(() => 200);
    const second = send(held);
    await expect.poll(() => receiver.calls.length).toBe(2);
    test.clock.advance(365 * 24 * HOUR);
    expect(await send()).toBe(0);
    end();
    expect(await second).toBe(1);
  });

  it('is signed for with both secrets for a day after a rotation [DECISIONS §13]', async () => {
    const { id, secret } = await create(receiver.url, ['tenants.created']);
    const { secret: newer } = await rotateSecret(test.context, TESTER, id);
    await created('acme');
    await tell();
    expect([problem(secret), problem(newer)]).toEqual(['', '']);
    expect(String(receiver.calls[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2);
    const { secret: newest } = await rotateSecret(test.context, TESTER, id);
    await created('birch');
    await tell();
    expect([problem(secret) !== '', problem(newer), problem(newest)]).toEqual([true, '', '']);
    // Only the receiver's clock is the present: a day later one signature is left.
    test.clock.advance(24 * HOUR);
    await created('cedar');
    await tell();
    expect(String(receiver.calls.at(-1)?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  it('that is a chat gets a sentence and a link, and no name calls anybody [DECISIONS §13]', async () => {
    const { secret } = await create(receiver.url, ['tenants.created', 'tenants.expiring'], 'chat');
    expect(secret).toBe('');
    await happen('tenants.create', 'acme', { code: '<!ALL> & @HERE' });
    const endsOn = new Date(test.clock.now.getTime() + 5 * 24 * HOUR * 1_000).toISOString().slice(0, 10);
    await happen('tenants.expiry', 'birch', { code: 'BIRCH', step: '7-days', endsOn });
    await tell();
    expect(events().map(({ text }) => text)).toEqual([
      'Tenant &lt;!ALL&gt; &amp; @\u200bHERE was created.\nhttps://console.clinic.test/audit?entity=tenants&entityId=acme',
      `The subscription of tenant BIRCH ends in 5 days, on ${endsOn}.\nhttps://console.clinic.test/audit?entity=tenants&entityId=birch`,
    ]);
    expect(receiver.calls[0]?.headers).not.toHaveProperty('webhook-signature');
  });

  it('that is a chat has no link of a name, neither as Markdown nor as an address [DECISIONS §13]', async () => {
    await create(receiver.url, ['operations.ended'], 'chat');
    const databaseName = '[Renew](https://evil.test) http://evil.test WWW.evil.test';
    await happen('databases.clone', 'acme', { databaseName });
    await tell();
    const [sentence, link] = events()[0].text.split('\n');
    expect(sentence.replaceAll('\u200b', '')).toBe(`Cloning a database as ${databaseName} succeeded.`);
    expect(sentence).not.toMatch(/\]\(|:\/\/|www\./i);
    expect(link).toBe('https://console.clinic.test/audit?entity=databases&entityId=acme');
  });
});

describe('a test', () => {
  it('is sent to its own webhook only, whatever that has chosen [DECISIONS §13]', async () => {
    const { id } = await create(`${receiver.url}/mine`, ['tenants.created']);
    await create(`${receiver.url}/other`, ['tenants.created']);
    await sendTest(test.context, TESTER, id);
    await tell();
    expect(receiver.calls.map(({ path }) => path)).toEqual(['/hook/mine']);
    expect(events()[0]).toMatchObject({ type: 'webhooks.test', data: { entity: 'webhooks', id } });
  });
});

it('the figures say how many events wait, for how long, and how many were given up [DECISIONS §13]', async () => {
  const figures = async () => {
    const registry = new Registry();
    measureDeliveries(test.context, registry);
    return (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  };
  const { id } = await create(receiver.url, ['tenants.created']);
  receiver.answer = () => 500;
  await created('acme');
  await tell();
  await happen('tenants.create', 'acme', { code: 'AGAIN' });
  await queue();
  test.clock.advance(90);
  const waiting = [
    'webhook_deliveries{state="pending"} 2',
    'webhook_deliveries{state="failed"} 0',
    'webhook_oldest_pending_seconds 90',
  ];
  expect(await figures()).toEqual(waiting);
  await test.context.platform.updateTable('webhooks').set({ isActive: false }).where('id', '=', id).execute();
  expect(await figures()).toEqual([
    'webhook_deliveries{state="pending"} 0',
    'webhook_deliveries{state="failed"} 0',
    'webhook_oldest_pending_seconds 0',
  ]);
  await test.context.platform.updateTable('webhooks').set({ isActive: true }).where('id', '=', id).execute();
  await passUntilEnded(id);
  expect(await figures()).toEqual([
    'webhook_deliveries{state="pending"} 0',
    'webhook_deliveries{state="failed"} 2',
    'webhook_oldest_pending_seconds 0',
  ]);
});

describe('what is kept', () => {
  it('are deliveries that wait, and for 30 days those that have ended [DECISIONS §13]', async () => {
    const { id } = await create(receiver.url, ['tenants.created']);
    await created('acme');
    await tell();
    await created('birch');
    await queue();
    test.clock.advance(30 * 24 * HOUR);
    await forgetOldDeliveries(test.context);
    expect(await deliveries(id)).toHaveLength(2);
    test.clock.advance(1);
    await forgetOldDeliveries(test.context);
    expect(await deliveries(id)).toMatchObject([{ entityId: 'birch' }]);
  });

  it('are entries of the audit trail of which an active webhook is still to be told [DECISIONS §13]', async () => {
    const { id } = await create(receiver.url, ['tenants.created']);
    await created('acme');
    test.context.auditDays = 1;
    test.clock.advance(48 * HOUR);
    await removeExpiredEntries(test.context);
    await tell();
    expect(told()).toEqual(['acme tenants.created']);
    await test.context.platform.updateTable('webhooks').set({ isActive: false }).where('id', '=', id).execute();
    await removeExpiredEntries(test.context);
    test.context.auditDays = 0;
    const left = test.context.platform.selectFrom('auditEntries').select('id').where('entityId', '=', 'acme');
    expect(await left.execute()).toEqual([]);
  });
});

it('a receiver is signed for with the new secret only, and that is told, where a clock that was a year ahead rotated [DECISIONS §13]', async () => {
  const { id, secret } = await create(receiver.url, ['tenants.created']);
  const right = test.clock.now;
  test.clock.advance(365 * 24 * HOUR);
  const { secret: newer } = await rotateSecret(test.context, TESTER, id);
  test.clock.now = right;
  await created('acme');
  await tell();
  expect([problem(secret), problem(newer)]).toEqual(['No matching signature found', '']);
  expect(await listWebhooks(test.context)).toMatchObject([{ id, previousUntilUtc: null }]);
});
