import { createHash, randomBytes } from 'node:crypto';
import { accountRoutes } from '@apotheca/contract/account';
import { authRoutes, COMMON_PASSWORD } from '@apotheca/contract/auth';
import { recoveryRoutes } from '@apotheca/contract/recovery';
import type { ContractRoute } from '@apotheca/contract/route';
import { userRoutes } from '@apotheca/contract/users';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startMailing } from '../../../mail/mail-worker.ts';
import { readMailServer } from '../../../mail-settings.ts';
import { type Account, insertAccount, roleIdOf, signInTo } from '../../../testing/accounts.ts';
import { ADMINISTRATOR } from '../../../testing/administrator.ts';
import { useTestApp } from '../../../testing/app.ts';
import { editedUser } from '../../../testing/builders.ts';
import { putRight } from '../../../testing/clock-ahead.ts';
import { inGroups } from '../../../testing/in-groups.ts';
import { type MailServer, plainTextOf, startMailServer } from '../../../testing/mail-server.ts';
import { patiently } from '../../../testing/patiently.ts';
import { forgetOldLinks } from './recovery.service.ts';

const test = useTestApp();
const NEW = 'a new one of mine';
const SENT = 'If the address belongs to a user, a mail is on its way there.';

let mailServer: MailServer;
let worker: ReturnType<typeof startMailing>;
const errors: unknown[] = [];

beforeAll(async () => {
  mailServer = await startMailServer();
  const server = readMailServer(`smtp://127.0.0.1:${mailServer.port}`);
  if (!server) throw new Error('No mail server.');
  test.context.mail = { server, from: 'console@clinic.test', publicUrl: 'https://console.clinic.test' };
  worker = startSending();
});
const startSending = () => startMailing(test.context, (error) => errors.push(error), { poll: 20 });
afterAll(async () => {
  await worker.stop();
  await mailServer.close();
  expect(errors).toEqual([]);
});
beforeEach(async () => {
  await test.context.platform.deleteFrom('signInAttempts').execute();
  // What earlier tests were told may still be on its way.
  await nothingWaits();
  mailServer.mails.length = 0;
});

const emailOf = ({ userName }: Account) => `${userName}@people.test`;

/** Calls from an address of its own each time, unless one is given. */
let callers = 0;
async function post({ path }: ContractRoute, payload: object, remoteAddress?: string) {
  callers += 1;
  const from = remoteAddress ?? `10.${callers >> 16}.${(callers >> 8) & 255}.${callers & 255}`;
  const response = await test.app.inject({ method: 'POST', url: `/identity${path}`, remoteAddress: from, payload });
  return { ...response.json(), status: response.statusCode };
}

const request = (email: string, address?: string) => post(recoveryRoutes.request, { email }, address);
const recover = (token: string, address?: string, password = NEW) =>
  post(recoveryRoutes.recover, { token, password, confirmPassword: password }, address);

/** The mails to a person, once there are so many. */
async function mailsTo(account: Account, count: number): Promise<string[]> {
  const own = () => mailServer.mails.filter(({ to }) => to[0] === emailOf(account));
  await expect.poll(() => own().length).toBe(count);
  return own().map(plainTextOf);
}

const hashOf = (token: string) => createHash('sha256').update(token).digest();
const tokenOf = (text: string) => /\/recover-password#token=([\w-]{43})\s/.exec(text)?.[1] ?? '';

/** Does something while no mail is sent. Then all that waits is. */
async function beforeMailsAreSent(work: () => Promise<unknown>): Promise<void> {
  await worker.stop();
  try {
    await work();
  } finally {
    worker = startSending();
  }
  await nothingWaits();
}

/** A link that was mailed to a person. */
async function linkFor(account: Account): Promise<string> {
  const before = mailServer.mails.filter(({ to }) => to[0] === emailOf(account)).length;
  expect((await request(emailOf(account))).status).toBe(200);
  return tokenOf((await mailsTo(account, before + 1)).at(-1) ?? '');
}

const nothingWaits = () =>
  expect.poll(() => test.context.platform.selectFrom('mails').select('id').execute()).toEqual([]);

const entriesOf = ({ id }: Account) =>
  test.context.platform.selectFrom('auditEntries').selectAll().where('entityId', '=', id).orderBy('id').execute();

const count = (answers: readonly { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

const setUser = (id: string, fields: { isActive?: boolean; deletedAt?: Date; passwordHash?: null; email?: string }) =>
  test.context.platform.updateTable('users').set(fields).where('id', '=', id).execute();

describe('a link from a mail', () => {
  it('sets a new password, ends sessions and delays, and is audited and told [DECISIONS §13]', async () => {
    const account = await insertAccount(test);
    const { accessToken } = await signInTo(test, account);
    expect(await request(emailOf(account).toUpperCase(), '198.51.100.3')).toMatchObject({ status: 200, message: SENT });
    const [text = ''] = await mailsTo(account, 1);
    expect(mailServer.mails[0]?.source).toMatch(new RegExp(`^To: Pat Doe <${emailOf(account)}>\r$`, 'm'));
    expect(text).toContain(
      `Somebody at the address 198.51.100.3 asked for a new password for the user ${account.userName}`,
    );
    for (let guess = 0; guess < 6; guess += 1) await test.signIn(account.userName, 'wrong horse');
    expect(await recover(tokenOf(text), '198.51.100.4')).toMatchObject({ status: 200, result: null });
    expect((await test.signIn(account.userName, ADMINISTRATOR.password)).status).toBe(401);
    expect((await test.signIn(account.userName, NEW)).status).toBe(200);
    expect((await test.call(authRoutes.me, { token: accessToken })).status).toBe(401);
    const [, notice = ''] = await mailsTo(account, 2);
    expect(notice).toMatch(/was changed on 20 November 2026 at 23:20 UTC with the link that was mailed to you/);
    expect(notice).toContain('198.51.100.4');
    const audited = (await entriesOf(account)).filter(({ action }) => /link|recover/.test(action));
    expect(audited.map(({ action, actorId, address }) => ({ action, actorId, address }))).toEqual([
      { action: 'auth.link-requested', actorId: account.id, address: '198.51.100.3' },
      { action: 'auth.password-recovered', actorId: account.id, address: '198.51.100.4' },
    ]);
    expect(audited[1]?.changes).toEqual({ version: [1, 2], password: 'changed' });
    expect(JSON.stringify(await entriesOf(account))).not.toContain(tokenOf(text));
  });

  it('is kept as the SHA-256 of its token only [DECISIONS §13]', async () => {
    const account = await insertAccount(test);
    const token = await linkFor(account);
    const links = test.context.platform.selectFrom('passwordLinks').selectAll().where('userId', '=', account.id);
    const { tokenHash, expiresAt } = await links.executeTakeFirstOrThrow();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(tokenHash).toEqual(hashOf(token));
    expect(expiresAt).toEqual(new Date(test.clock.now.getTime() + 30 * 60_000));
  });

  it('works once [DECISIONS §13]', async () => {
    const token = await linkFor(await insertAccount(test));
    expect((await recover(token)).status).toBe(200);
    expect(await recover(token)).toMatchObject({ status: 410, title: 'Link no longer valid' });
  });

  it('works once for 50 who use it at the same time [DECISIONS §13]', async () => {
    const account = await insertAccount(test);
    const token = await linkFor(account);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => patiently(() => recover(token, undefined, `password ${n} of mine`))),
    );
    const won = answers.findIndex(({ status }) => status === 200);
    expect({ won: count(answers, 200), refused: count(answers, 410) + count(answers, 429) }).toEqual({
      won: 1,
      refused: 49,
    });
    expect((await test.signIn(account.userName, `password ${won} of mine`)).status).toBe(200);
  });

  it('ends with a newer one [DECISIONS §13]', async () => {
    const account = await insertAccount(test);
    const [older, newer] = [await linkFor(account), await linkFor(account)];
    expect((await recover(older)).status).toBe(410);
    expect((await recover(newer)).status).toBe(200);
  });

  it('outlives a password that is no good [§5] [DECISIONS §13]', async () => {
    const account = await insertAccount(test);
    const token = await linkFor(account);
    expect(await recover(token, undefined, 'eleven-char')).toMatchObject({
      status: 400,
      errors: { password: ['Must be 12 characters or more'] },
    });
    expect(await recover(token, undefined, 'qwerty123456')).toMatchObject({
      status: 400,
      errors: { password: [COMMON_PASSWORD] },
    });
    const differing = { token, password: NEW, confirmPassword: `${NEW}!` };
    expect(await post(recoveryRoutes.recover, differing)).toMatchObject({
      status: 400,
      errors: { confirmPassword: ['Passwords must match'] },
    });
    await test.context.platform.deleteFrom('signInAttempts').execute();
    expect((await recover(token)).status).toBe(200);
  });

  it('is not mailed once a newer one was asked for [DECISIONS §13]', async () => {
    const account = await insertAccount(test);
    await beforeMailsAreSent(async () => {
      for (let n = 0; n < 2; n += 1) expect((await request(emailOf(account))).status).toBe(200);
    });
    const [text = ''] = await mailsTo(account, 1);
    expect((await recover(tokenOf(text))).status).toBe(200);
  });

  it.each([
    [
      'a new password',
      async ({ id, userName }: Account, roleId: string) => {
        const body = {
          ...editedUser(userName, roleId),
          email: `${userName}@people.test`,
          id,
          password: NEW,
          confirmPassword: NEW,
        };
        expect(await test.call(userRoutes.edit, { body })).toMatchObject({ status: 200 });
      },
    ],
    [
      'another address',
      async ({ id, userName }: Account, roleId: string) => {
        const body = { ...editedUser(userName, roleId), email: `moved.${userName}@people.test`, id };
        expect(await test.call(userRoutes.edit, { body })).toMatchObject({ status: 200 });
      },
    ],
    [
      'deactivation, though the user is active again',
      async ({ id }: Account) => {
        await test.call(userRoutes.deactivate, { query: { id } });
        expect((await test.call(userRoutes.activate, { query: { id } })).status).toBe(200);
      },
    ],
    [
      'deletion',
      async ({ id }: Account) => {
        expect((await test.call(userRoutes.delete, { query: { id } })).status).toBe(200);
      },
    ],
  ])('ends with %s [DECISIONS §13]', async (_, change) => {
    const account = await insertAccount(test);
    const token = await linkFor(account);
    const roleId = await roleIdOf(test, 'Viewer');
    await change(account, roleId);
    expect((await recover(token)).status).toBe(410);
    const other = await insertAccount(test);
    await beforeMailsAreSent(async () => {
      expect((await request(emailOf(other))).status).toBe(200);
      await change(other, roleId);
    });
    const links = mailServer.mails.map(plainTextOf).filter((text) => tokenOf(text) !== '');
    expect(links.map(tokenOf)).toEqual([token]);
  });

  it('outlives other changes of the user [DECISIONS §13]', async () => {
    const account = await insertAccount(test);
    const token = await linkFor(account);
    const body = {
      ...editedUser(account.userName, await roleIdOf(test, 'Operator')),
      email: emailOf(account),
      id: account.id,
    };
    expect((await test.call(userRoutes.edit, { body })).status).toBe(200);
    expect((await recover(token)).status).toBe(200);
  });
});

describe('asking for a link', () => {
  it('mails none to whose password is switched off, and answers as everybody [DECISIONS §13]', async () => {
    const [off, only] = [await insertAccount(test), await insertAccount(test)];
    test.context.onlyLocalAccount = only.userName.toUpperCase();
    try {
      const answers = await Promise.all([request(emailOf(off)), request(emailOf(only))]);
      expect(answers).toMatchObject(Array(2).fill({ status: 200, message: SENT, result: null }));
    } finally {
      delete test.context.onlyLocalAccount;
    }
    await mailsTo(only, 1);
    await nothingWaits();
    expect(mailServer.mails.flatMap(({ to }) => to)).toEqual([emailOf(only)]);
    expect((await entriesOf(off)).map(({ action }) => action)).toEqual(['auth.link-requested']);
  });

  it('answers everybody alike, and mails only who can sign in with a password [DECISIONS §13]', async () => {
    const accounts = {
      known: await insertAccount(test),
      inactive: await insertAccount(test, { isActive: false }),
      withoutPassword: await insertAccount(test, { passwordHash: null }),
      deleted: await insertAccount(test),
    };
    await setUser(accounts.deleted.id, { deletedAt: test.clock.now });
    const emails = [...Object.values(accounts).map(emailOf), 'nobody@people.test'];
    const answers = await Promise.all(emails.map((email) => request(email)));
    const messageKeys = [{ key: SENT, parameters: {} }];
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ status: 200, success: true, message: SENT, messageKeys, result: null })]),
    );
    await mailsTo(accounts.known, 1);
    await nothingWaits();
    expect(mailServer.mails.map(({ to }) => to)).toEqual([[emailOf(accounts.known)]]);
    const links = test.context.platform.selectFrom('passwordLinks').select('userId');
    expect(
      await links
        .where(
          'userId',
          'in',
          Object.values(accounts).map(({ id }) => id),
        )
        .execute(),
    ).toEqual([{ userId: accounts.known.id }]);
  });

  it('takes as long for an unknown address as for a known one [DECISIONS §13]', async () => {
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let round = 0; round < 40; round += 1) {
      const asked = [
        { of: times.known, email: emailOf(await insertAccount(test)) },
        { of: times.unknown, email: `unknown${round}@people.test` },
      ];
      for (const { of, email } of round % 2 ? asked : asked.toReversed()) {
        const begun = performance.now();
        expect((await request(email)).status).toBe(200);
        of.push(performance.now() - begun);
        await nothingWaits();
      }
    }
    // In how many pairs the known one took longer: half, give or take 0.07, on a machine of any speed and load.
    const pairs = times.known.flatMap((known) => times.unknown.map((unknown) => known > unknown));
    const longer = pairs.filter(Boolean).length / pairs.length;
    expect(longer).toBeGreaterThan(0.2);
    expect(longer).toBeLessThan(0.8);
  });

  it.each(['ada', 'ada@', '', `${'x'.repeat(90)}@people.test`, 'ada@people.test\r\nBcc: eve@evil.test'])(
    'refuses what is no address: %j [§5]',
    async (email) => {
      expect(await request(email)).toMatchObject({ status: 400, errors: { email: [expect.any(String)] } });
    },
  );

  it.each([
    ['a user', async () => emailOf(await insertAccount(test))],
    ['nobody', async () => 'nobody.there@people.test'],
  ])('50 times at once for one address is done three times: of %s [DECISIONS §13]', async (_, find) => {
    const email = await find();
    const answers = await Promise.all(Array.from({ length: 50 }, () => patiently(() => request(email))));
    expect({ done: count(answers, 200), refused: count(answers, 429) }).toEqual({ done: 3, refused: 47 });
    expect(answers.find(({ status }) => status === 429).message).toBe(
      'Too many requests for a new password. Try again in 60 seconds.',
    );
    await nothingWaits();
    const mailed = mailServer.mails
      .filter(({ to }) => to[0] === email)
      .map((mail) => hashOf(tokenOf(plainTextOf(mail))));
    const links = await test.context.platform
      .selectFrom('passwordLinks')
      .innerJoin('users', 'users.id', 'passwordLinks.userId')
      .select('tokenHash')
      .where('email', '=', email)
      .execute();
    expect(links).toHaveLength(email.startsWith('nobody') ? 0 : 1);
    // A mail is not sent any more once a later request has ended its link.
    expect(mailed).toEqual(expect.arrayContaining(links.map(({ tokenHash }) => tokenHash)));
    expect(mailed.length).toBeLessThanOrEqual(3 * links.length);
    test.clock.advance(60);
    expect((await request(email)).status).toBe(200);
    expect((await request(email)).status).toBe(429);
  });

  it('from one address is limited too [DECISIONS §13]', async () => {
    const requests = Array.from({ length: 60 }, (_, n) =>
      patiently(() => request(`spray${n}@people.test`, '198.51.100.77')),
    );
    const answers = await Promise.all(requests);
    expect({ done: count(answers, 200), refused: count(answers, 429) }).toEqual({ done: 20, refused: 40 });
  });

  it('is another count than that of sign-ins [§4] [DECISIONS §13]', async () => {
    const account = await insertAccount(test);
    for (let n = 0; n < 4; n += 1) await request(emailOf(account));
    expect((await test.signIn(account.userName)).status).toBe(200);
  });
});

describe('a link that nobody has', () => {
  it('is refused 300 times, however it is made up, and audited [DECISIONS §13]', async () => {
    const account = await insertAccount(test);
    const token = await linkFor(account);
    const mutated = Array.from({ length: 300 }, (_, n) => mutate(token, n));
    expect(new Set([token, ...mutated]).size).toBe(301);
    const answers = await inGroups(mutated.length, (n) => recover(mutated[n] ?? ''));
    expect(answers.map(({ status }) => status).filter((status) => ![400, 410].includes(status))).toEqual([]);
    expect(count(answers, 410)).toBeGreaterThan(200);
    expect((await recover(token)).status).toBe(200);
  });

  it('is tried at most 20 of 50 times from one address [DECISIONS §13]', async () => {
    const guesses = Array.from({ length: 50 }, () =>
      patiently(() => recover(randomBytes(32).toString('base64url'), '198.51.100.99')),
    );
    const answers = await Promise.all(guesses);
    expect({ tried: count(answers, 410), refused: count(answers, 429) }).toEqual({ tried: 20, refused: 30 });
  });
});

/** Another text than a token, of many kinds, and another one for each number. */
function mutate(token: string, n: number): string {
  const place = n % token.length;
  const [before, after] = [token.slice(0, place), token.slice(place)];
  const kinds = [
    `${before}${token[place] === 'x' ? 'y' : 'x'}${token.slice(place + 1)}${n >= token.length ? n : ''}`,
    `${before}\u0000${n}${after}`,
    `${before}${String.fromCharCode(0xd800 + n)}${after}`,
    `${before}' or ${n}=${n} --`,
    `${' '.repeat((n % 100) + 1)}${token}`,
    `${token}${n}`,
    randomBytes(32).toString('base64url'),
  ];
  return kinds[n % kinds.length] ?? '';
}

describe('a password that was changed otherwise', () => {
  it('is told at the address from before, with who changed it [DECISIONS §13]', async () => {
    const roleId = await roleIdOf(test, 'Administrator');
    const [told, own] = [await insertAccount(test), await insertAccount(test, { role: 'Administrator' })];
    const change = ({ id, userName }: Account, email: string, token?: string) => {
      const body = { ...editedUser(userName, roleId), email, id, password: NEW, confirmPassword: NEW };
      return test.call(userRoutes.edit, { body, ...(token && { token }) });
    };
    expect((await change(told, 'elsewhere@people.test')).status).toBe(200);
    const [text] = await mailsTo(told, 1);
    expect(text).toMatch(/was changed on 20 November 2026 at \d\d:\d\d UTC by admin, from the address 127\.0\.0\.1/);
    expect((await change(own, emailOf(own), (await signInTo(test, own)).accessToken)).status).toBe(200);
    const [ownText] = await mailsTo(own, 1);
    expect(ownText).toContain('by yourself');
    for (const one of [text, ownText]) {
      expect(one).toContain('All open sessions were ended. API keys go on working.');
      expect(one).not.toContain(NEW);
    }
  });

  it('by oneself in the account is told with the session that goes on [DECISIONS §13]', async () => {
    const person = await insertAccount(test);
    const { accessToken: token } = await signInTo(test, person);
    const body = { currentPassword: ADMINISTRATOR.password, password: NEW, confirmPassword: NEW };
    expect((await test.call(accountRoutes.changePassword, { body, token })).status).toBe(200);
    const [text] = await mailsTo(person, 1);
    expect(text).toContain('by yourself');
    expect(text).toContain(
      'All other sessions were ended: the one in which it was changed goes on, and API keys go on working.',
    );
    expect(text).not.toContain('All open sessions');
  });
});

describe('without a mail server', () => {
  it('there is neither call [§2.4] [DECISIONS §13]', async () => {
    const { mail } = test.context;
    test.context.mail = undefined;
    const answers = [await request('ada@people.test'), await recover('x')];
    test.context.mail = mail;
    expect(answers).toMatchObject(Array(2).fill({ status: 404, message: 'This server sends no mails.' }));
  });
});

// Last, as it also ends the administrator's access token.
describe('a link that is not used', () => {
  it('ends with the clock that was ahead when it was made [DECISIONS §13]', async () => {
    putRight(test.clock);
    const account = await insertAccount(test);
    test.clock.advance(86_400);
    const token = await linkFor(account);
    test.clock.advance(-86_400);
    expect((await recover(token)).status).toBe(410);
    await forgetOldLinks(test.context);
    const links = test.context.platform.selectFrom('passwordLinks').select('userId').where('userId', '=', account.id);
    expect(await links.execute()).toEqual([]);
  });

  it('outlives what a process forgets whose clock is hours behind [DECISIONS §13]', async () => {
    putRight(test.clock);
    const account = await insertAccount(test);
    const token = await linkFor(account);
    await forgetOldLinks({ ...test.context, now: () => new Date(Date.now() - 5 * 3_600_000) });
    expect((await recover(token)).status).toBe(200);
  });

  it('ends after 30 minutes [DECISIONS §13]', async () => {
    const [early, late] = [await insertAccount(test), await insertAccount(test)];
    const tokens = [await linkFor(early), await linkFor(late)];
    test.clock.advance(30 * 60 - 1);
    expect((await recover(tokens[0] ?? '')).status).toBe(200);
    test.clock.advance(1);
    expect((await recover(tokens[1] ?? '')).status).toBe(410);
    await forgetOldLinks(test.context);
    const links = test.context.platform.selectFrom('passwordLinks').select('userId').where('userId', '=', late.id);
    expect(await links.execute()).toEqual([]);
  });
});
