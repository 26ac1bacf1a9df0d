import { alertRoutes } from '@apotheca/contract/alerts';
import { EVENT_KINDS, EVENT_TYPES } from '@apotheca/contract/events';
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
    test.clock.advance(300);
    const [second] = await mailed(1);
    expect(second).toContain('Apotheca: 2 events');
    expect(second).toMatch(/Tenant BIRCH was created\.\s+.*Tenant CEDAR was created\./);
    expect(second).not.toMatch(/ACME|deleted/);
    test.clock.advance(300);
    expect(await mailed(0)).toEqual([]);
  });

  it('wait ten minutes for a newer version, of whose events this one does not know one [DECISIONS §13]', async () => {
    await person();
    await person({ mode: 'daily', hour: 1 });
    await test.context.platform
      .updateTable('alerts')
      .set({ eventTypes: ['tenants.created', 'later'] })
      .execute();
    await created('ACME');
    for (const [seconds, mails] of [
      [599, 0],
      [1, 1],
      // The daily one is due at one o'clock.
      [1.5 * HOUR + 599, 0],
      [1, 1],
    ] as const) {
      test.clock.advance(seconds);
      expect(await mailed(mails)).toHaveLength(mails);
    }
  });

  it('come once a day at an hour of the person, and not on a day of which there is nothing to tell [DECISIONS §13]', async () => {
    await person({ mode: 'daily', hour: 18, timezoneId: 'America/Los_Angeles' });
    await created('ACME');
    test.clock.advance(2 * HOUR + 1_800);
    // 17:50 there.
    expect(await mailed(0)).toEqual([]);
    test.clock.advance(HOUR / 6);
    expect((await mailed(1))[0]).toContain('ACME');
    test.clock.advance(24 * HOUR);
    expect(await mailed(0)).toEqual([]);
    await created('BIRCH');
    expect(await mailed(0)).toEqual([]);
    test.clock.advance(24 * HOUR);
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
      test.clock.now = new Date('2027-11-20T23:20:00Z');
      await created('AHEAD');
      await mailed(1);
      test.clock.now = EVENING;
      await created('RIGHT');
      expect((await mailed(1))[0]).toContain('Tenant RIGHT was created.');
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
