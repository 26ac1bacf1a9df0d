import { alertRoutes } from '@apotheca/contract/alerts';
import { EVENT_KINDS, EVENT_TYPES } from '@apotheca/contract/events';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startMailing } from '../../../mail/mail-worker.ts';
import { claimMail } from '../../../mail/mails.repository.ts';
import { readMailServer } from '../../../mail-settings.ts';
import { type Account, insertAccount, roleIdOf, signInTo } from '../../../testing/accounts.ts';
import { useTestApp } from '../../../testing/app.ts';
import { type MailServer, plainTextOf, startMailServer } from '../../../testing/mail-server.ts';
import { useWebhooks } from '../../../testing/webhooks.ts';
import { queueAlerts } from './alert-mails.ts';
import { alertMail } from './alert-text.ts';

const test = useTestApp();
const { happen } = useWebhooks(test);
const HOUR = 3_600;
const EVENING = new Date('2026-11-20T23:20:00Z');

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
  const smtp = readMailServer(`smtp://127.0.0.1:${server.port}`);
  if (!smtp) throw new Error('There is no mail server.');
  test.context.mail = { server: smtp, from: 'console@clinic.test', publicUrl: 'https://console.clinic.test' };
});
afterAll(() => server.close());
beforeEach(async () => {
  test.clock.now = EVENING;
  server.mails.length = 0;
  await test.context.platform.deleteFrom('alerts').execute();
  await test.context.platform.deleteFrom('mails').execute();
});

const form = (fields: object = {}) => ({
  eventTypes: ['tenants.created'],
  mode: 'at-once',
  hour: 7,
  timezoneId: 'UTC',
  ...fields,
});

/** A person who has chosen their alerts. */
async function person(fields: object = {}, role = 'Viewer'): Promise<Account & { token: string }> {
  const account = await insertAccount(test, { role });
  const { accessToken: token } = await signInTo(test, account);
  const { status, message } = await test.call(alertRoutes.edit, { token, body: form(fields) });
  if (status !== 200) throw new Error(message);
  return { ...account, token };
}

/** Lets seconds pass until mails are due: that goes by PostgreSQL's clock, which no test sets. */
const pass = (seconds: number) =>
  sql`update alerts set due_at = due_at - make_interval(secs => ${seconds})`.execute(test.context.platform);

const created = (code: string) => happen('tenants.create', code, { code });

/** Writes what is due, and sends it. @returns subjects and texts, in the order of the people's addresses */
async function mailed(count: number): Promise<string[]> {
  server.mails.length = 0;
  await queueAlerts(test.context);
  const waiting = await test.context.platform.selectFrom('mails').select('id').execute();
  expect(waiting).toHaveLength(count);
  const errors: unknown[] = [];
  const worker = startMailing(test.context, (error) => errors.push(error), { poll: 5 });
  const mails = await server.taken(count);
  await expect.poll(() => test.context.platform.selectFrom('mails').select('id').execute()).toEqual([]);
  await worker.stop();
  expect(errors).toEqual([]);
  return mails.map((mail) => `${/^Subject: (.*)$/m.exec(mail.source)?.[1]}\n${plainTextOf(mail)}`);
}

describe('alerts', () => {
  it('are chosen by each person, of what their role lets them see [DECISIONS §13]', async () => {
    const { id, token, userName } = await person({
      eventTypes: ['audit.broken', 'tenants.created'],
      mode: 'daily',
      hour: 6,
    });
    const shown = (await test.call(alertRoutes.get, { token })).result;
    expect(shown).toEqual({
      eventTypes: ['tenants.created', 'audit.broken'],
      mode: 'daily',
      hour: 6,
      timezoneId: 'UTC',
      offered: EVENT_TYPES,
      email: `${userName}@people.test`,
      mailsAreSent: true,
    });
    const nowhere = form({ mode: 'daily', timezoneId: 'Europe/Berlln' });
    expect(await test.call(alertRoutes.edit, { token, body: nowhere })).toMatchObject({
      status: 400,
      errors: { timezoneId: ['This time zone is unknown.'] },
    });
    await test.context.platform.insertInto('roles').values({ name: 'Nothing' }).execute();
    const roleId = await roleIdOf(test, 'Nothing');
    await test.context.platform.updateTable('users').set({ roleId }).where('id', '=', id).execute();
    expect((await test.call(alertRoutes.get, { token })).result).toMatchObject({ eventTypes: [], offered: [] });
    expect(await test.call(alertRoutes.edit, { token, body: form() })).toMatchObject({
      status: 400,
      errors: { eventTypes: ['You do not have the permission to be told of all these events.'] },
    });
    expect(await test.call(alertRoutes.edit, { token, body: form({ hour: 24, mode: 'weekly' }) })).toMatchObject({
      status: 400,
      errors: { hour: ['Hour should be a whole number from 0 to 23'], mode: ['Mode is required'] },
    });
    const entries = test.context.platform.selectFrom('auditEntries').select('changes').where('entityId', '=', id);
    expect(await entries.where('action', '=', 'users.edit-alerts').execute()).toMatchObject([
      { changes: { eventTypes: ['', 'tenants.created, audit.broken'], mode: ['at-once', 'daily'], hour: [7, 6] } },
    ]);
    expect(EVENT_KINDS.every(({ permission }) => permission.endsWith('.read'))).toBe(true);
  });

  it('come at once, and those of the next five minutes in one mail [DECISIONS §13]', async () => {
    await created('BEFORE');
    await person();
    await created('ACME');
    const [first] = await mailed(1);
    expect(first).toContain('Apotheca: Tenant ACME was created.');
    expect(first).toContain('20 Nov 2026, 23:20 UTC: Tenant ACME was created.');
    expect(first).toContain('https://console.clinic.test/audit?entity=tenants&entityId=ACME');
    expect(first).toContain('https://console.clinic.test/profile');
    expect(first).not.toContain('BEFORE');
    await created('BIRCH');
    await created('CEDAR');
    await happen('tenants.delete', 'CEDAR', { code: 'CEDAR' });
    expect(await mailed(0)).toEqual([]);
    await pass(300);
    const [second] = await mailed(1);
    expect(second).toContain('Apotheca: 2 events');
    expect(second).toMatch(/Tenant BIRCH was created\.\s+.*Tenant CEDAR was created\./);
    expect(second).not.toMatch(/ACME|deleted/);
    await pass(300);
    expect(await mailed(0)).toEqual([]);
  });

  it('wait ten minutes for a newer version, of whose events this one does not know one [DECISIONS §13]', async () => {
    test.clock.now = new Date(Date.now() - HOUR * 1_000);
    for (const [mode, minutes] of [
      ['at-once', 0],
      ['daily', 40],
    ] as const) {
      const { id } = await person({ mode });
      const dueAt = new Date(test.clock.now.getTime() + minutes * 60_000);
      const alerts = test.context.platform.updateTable('alerts').where('userId', '=', id);
      await alerts.set({ eventTypes: ['tenants.created', 'later'], dueAt }).execute();
    }
    await created('ACME');
    for (const [seconds, mails] of [
      [599, 0],
      [1, 1],
      // The daily one was due after 40 minutes.
      [40 * 60 - 1, 0],
      [1, 1],
    ] as const) {
      test.clock.advance(seconds);
      expect(await mailed(mails)).toHaveLength(mails);
    }
  });

  it('come once a day at an hour of the person, and not on a day of which there is nothing to tell [DECISIONS §13]', async () => {
    /** Until when the next mail waits, by the clock there. */
    const next = async () => {
      const { rows } = await sql<{ hour: string; isWithinDay: boolean }>`
        select to_char(due_at at time zone 'America/Los_Angeles', 'HH24:MI:SS') as hour,
          due_at > now() and due_at <= now() + interval '25 hours' as "isWithinDay"
        from alerts`.execute(test.context.platform);
      return rows;
    };
    const tomorrow = [{ hour: '18:00:00', isWithinDay: true }];
    const dueIn = (minutes: number) =>
      sql`update alerts set due_at = now() + make_interval(mins => ${minutes})`.execute(test.context.platform);
    await person({ mode: 'daily', hour: 18, timezoneId: 'America/Los_Angeles' });
    expect(await next()).toEqual(tomorrow);
    await created('ACME');
    await dueIn(10);
    expect(await mailed(0)).toEqual([]);
    await dueIn(0);
    expect((await mailed(1))[0]).toContain('ACME');
    expect(await next()).toEqual(tomorrow);
    await dueIn(0);
    expect(await mailed(0)).toEqual([]);
    expect(await next()).toEqual(tomorrow);
    await created('BIRCH');
    await dueIn(10);
    expect(await mailed(0)).toEqual([]);
    await dueIn(0);
    expect((await mailed(1))[0]).toContain('BIRCH');
  });

  it.each([
    [51, '1 earlier event is in the audit trail.'],
    [52, '2 earlier events are in the audit trail.'],
  ])('of %d events tell the newest, and how many more there are [DECISIONS §13]', (count, told) => {
    const data = { entity: 'tenants', id: 'x', code: 'ACME' };
    const event = { id: 'evt_1', type: 'tenants.created', timestamp: EVENING.toISOString(), data } as const;
    const events = Array.from({ length: count }, () => event);
    expect(alertMail(events, 'https://console.clinic.test').paragraphs[0]).toBe(told);
  });

  it.each(['at-once', 'daily'])(
    'that come %s do not wait for a clock that was a year ahead [DECISIONS §13]',
    async (mode) => {
      await person({ mode });
      // PostgreSQL's.
      await pass(-365 * 24 * HOUR);
      await created('RIGHT');
      expect((await mailed(1))[0]).toContain('Tenant RIGHT was created.');
    },
  );

  it.each([-3, 3])(
    'come five minutes apart where the clock of a process is %d hours off [DECISIONS §13]',
    async (hours) => {
      const off = { ...test.context, now: () => new Date(EVENING.getTime() + hours * HOUR * 1_000) };
      const written = async (context: typeof test.context) => {
        await queueAlerts(context);
        return (await test.context.platform.selectFrom('mails').select('id').execute()).length;
      };
      await person();
      await created('ACME');
      expect(await written(test.context)).toBe(1);
      await created('BIRCH');
      expect(await written(off)).toBe(1);
      await pass(300);
      expect(await written(off)).toBe(2);
      await created('CEDAR');
      expect(await written(test.context)).toBe(2);
    },
  );

  it('are written once where several processes do it at once [DECISIONS §13]', async () => {
    for (let n = 0; n < 3; n += 1) await person();
    await created('ACME');
    await Promise.all([queueAlerts(test.context), queueAlerts(test.context), queueAlerts(test.context)]);
    expect(await mailed(3)).toHaveLength(3);
  });

  it.each([
    ['is deactivated', (id: string) => ({ id, fields: { isActive: false } })],
    ['is deleted', (id: string) => ({ id, fields: { deletedAt: EVENING } })],
  ])('reach nobody who %s, before a mail is written or after [DECISIONS §13]', async (_, change) => {
    const [early, late] = [await person(), await person()];
    const end = (id: string) => {
      const { fields } = change(id);
      return test.context.platform.updateTable('users').set(fields).where('id', '=', id).execute();
    };
    await created('ACME');
    await end(early.id);
    await queueAlerts(test.context);
    expect(await test.context.platform.selectFrom('mails').select('readerId').execute()).toEqual([
      { readerId: late.id },
    ]);
    await end(late.id);
    const errors: unknown[] = [];
    const worker = startMailing(test.context, (error) => errors.push(error), { poll: 5 });
    onTestFinished(worker.stop);
    const other = await person();
    test.clock.advance(1);
    await created('BIRCH');
    await queueAlerts(test.context);
    const mails = await server.taken(1);
    expect(mails.map(({ to }) => to)).toEqual([[`${other.userName}@people.test`]]);
    expect(errors).toEqual([]);
  });

  it('tell nobody of what they may no longer see [DECISIONS §13]', async () => {
    const { id } = await person();
    await created('ACME');
    await queueAlerts(test.context);
    await test.context.platform.insertInto('roles').values({ name: 'Blind' }).execute();
    const roleId = await roleIdOf(test, 'Blind');
    await test.context.platform.updateTable('users').set({ roleId }).where('id', '=', id).execute();
    expect(await claimMail(test.context.platform, EVENING, 1)).toBeUndefined();
    await test.context.platform
      .updateTable('users')
      .set({ roleId: await roleIdOf(test, 'Viewer') })
      .where('id', '=', id)
      .execute();
    expect(await claimMail(test.context.platform, EVENING, 1)).toBeDefined();
  });

  it('are forgotten where no event is chosen, and nothing is written without a mail server [DECISIONS §13]', async () => {
    const { token } = await person();
    const { mail } = test.context;
    test.context.mail = undefined;
    await created('ACME');
    await queueAlerts(test.context);
    const shown = (await test.call(alertRoutes.get, { token })).result;
    test.context.mail = mail;
    expect(shown.mailsAreSent).toBe(false);
    expect(await mailed(0)).toEqual([]);
    const answer = await test.call(alertRoutes.edit, { token, body: form({ eventTypes: [] }) });
    expect(answer).toMatchObject({ status: 200, result: { eventTypes: [] } });
    expect(await test.context.platform.selectFrom('alerts').select('userId').execute()).toEqual([]);
  });
});
