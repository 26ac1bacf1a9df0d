import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Account, insertAccount } from '../../testing/accounts.ts';
import { ADMINISTRATOR } from '../../testing/administrator.ts';
import { useTestApp } from '../../testing/app.ts';
import { putRight } from '../../testing/clock-ahead.ts';
import { inGroups } from '../../testing/in-groups.ts';
import { patiently } from '../../testing/patiently.ts';
import { endSignInDelay } from './auth.service.ts';

const test = useTestApp();
const WRONG = 'wrong horse';

beforeEach(async () => {
  await test.context.platform.deleteFrom('signInAttempts').execute();
});

const statusOf = async (username: string, password = WRONG) =>
  (await patiently(() => test.signIn(username, password))).status;

/** Makes guesses one after another. @returns their statuses */
async function guess(username: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < times; n += 1) statuses.push(await statusOf(username));
  return statuses;
}

const signInFrom = (remoteAddress: string, username: string, headers: Record<string, string> = {}) =>
  test.app.inject({
    method: 'POST',
    url: '/identity/authenticate/authenticate',
    remoteAddress,
    headers,
    payload: { username, password: WRONG },
  });

/** One of many guesses at once. @returns its status */
const guessFrom = async (remoteAddress: string, username: string): Promise<number> => {
  const signIn = async () => {
    const { statusCode: status, body } = await signInFrom(remoteAddress, username);
    return { status, title: JSON.parse(body).title };
  };
  return (await patiently(signIn)).status;
};

const auditedActions = async ({ id }: Account) => {
  const entries = test.context.platform.selectFrom('auditEntries').select('action').where('entityId', '=', id);
  return (await entries.orderBy('id').execute()).map(({ action }) => action);
};

const count = (all: readonly number[], status: number) => all.filter((one) => one === status).length;

describe('lock-out of an account', () => {
  it('lets 5 wrong guesses pass, then refuses with a delay that doubles [§4]', async () => {
    const { userName } = await insertAccount(test);
    expect(await guess(userName, 5)).toEqual([401, 401, 401, 401, 401]);
    for (const seconds of [1, 2, 4, 8]) {
      const blocked = await test.signIn(userName, WRONG);
      const message = `Too many failed sign-ins. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
      expect(blocked).toMatchObject({ status: 429, success: false, title: 'Too many requests', message });
      expect(blocked.headers['retry-after']).toBe(String(seconds));
      test.clock.advance(seconds - 0.001);
      expect(await statusOf(userName)).toBe(429);
      test.clock.advance(0.001);
      expect(await statusOf(userName)).toBe(401);
    }
  });

  it('never lasts longer than 15 minutes [§4]', async () => {
    const { userName } = await insertAccount(test);
    await guess(userName, 5);
    const attempts = test.context.platform.updateTable('signInAttempts').set({ attempts: 10_000 });
    await attempts.where(sql<boolean>`starts_with(subject collate "C", 'account:')`).execute();
    test.clock.advance(1);
    expect(await statusOf(userName)).toBe(401);
    expect((await test.signIn(userName, WRONG)).headers['retry-after']).toBe('900');
    test.clock.advance(900);
    expect(await statusOf(userName, ADMINISTRATOR.password)).toBe(200);
  });

  it('is over once a clock that was ahead is right again [§4]', async () => {
    putRight(test.clock);
    const { userName } = await insertAccount(test);
    test.clock.advance(86_400);
    expect(await guess(userName, 6)).toEqual([401, 401, 401, 401, 401, 429]);
    test.clock.advance(-86_400);
    expect(await guess(userName, 2)).toEqual([401, 429]);
    expect((await test.signIn(userName, WRONG)).headers['retry-after']).toBe('2');
    test.clock.advance(2);
    expect(await statusOf(userName, ADMINISTRATOR.password)).toBe(200);
  });

  it('also refuses the right password, and opens no session [§4]', async () => {
    const account = await insertAccount(test);
    await guess(account.userName, 5);
    expect(await statusOf(account.userName, ADMINISTRATOR.password)).toBe(429);
    const sessions = test.context.platform.selectFrom('sessions').select('id').where('userId', '=', account.id);
    expect(await sessions.execute()).toEqual([]);
    expect(await auditedActions(account)).toEqual([...Array(5).fill('auth.sign-in-failed'), 'auth.sign-in-blocked']);
  });

  it('says in the audit trail until when, once for each delay, also of many attempts at once [DECISIONS §13]', async () => {
    const account = await insertAccount(test);
    const told = async () => {
      const entries = test.context.platform.selectFrom('auditEntries').select('changes');
      const blocked = entries.where('entityId', '=', account.id).where('action', '=', 'auth.sign-in-blocked');
      return (await blocked.orderBy('id').execute()).map(({ changes }) => changes);
    };
    await guess(account.userName, 5);
    await Promise.all(Array.from({ length: 6 }, () => statusOf(account.userName)));
    const until = { blockedUntil: new Date(test.clock.now.getTime() + 1_000).toISOString() };
    expect((await told()).toSorted((a, b) => Object.keys(b).length - Object.keys(a).length)).toEqual([
      until,
      ...Array(5).fill({}),
    ]);
    test.clock.advance(1);
    expect([await statusOf(account.userName), await statusOf(account.userName)]).toEqual([401, 429]);
    expect((await told()).at(-1)).toEqual({ blockedUntil: new Date(test.clock.now.getTime() + 2_000).toISOString() });
  });

  const block = async ({ id }: Account) => {
    const blockedUntil = new Date(test.clock.now.getTime() + 900_000);
    const attempts = test.context.platform.updateTable('signInAttempts').set({ blockedUntil });
    await attempts.where('subject', '=', `account:${id}`).execute();
  };
  const blockedEntries = async ({ id }: Account) => {
    const entries = test.context.platform.selectFrom('auditEntries').select('changes');
    const found = entries.where('entityId', '=', id).where('action', '=', 'auth.sign-in-blocked');
    return (await found.orderBy('id').execute()).map(({ changes }) => changes);
  };

  it('notes a hundred blocked attempts at once, then one a minute with how many it stands for [DECISIONS §12]', async () => {
    const account = await insertAccount(test);
    await guess(account.userName, 5);
    await block(account);
    const blocked = () => blockedEntries(account);
    const statuses = await inGroups(151, () => statusOf(account.userName));
    expect(count(statuses, 429)).toBe(151);
    // The first says until when.
    expect(await blocked()).toHaveLength(101);
    test.clock.advance(60);
    expect(count(await guess(account.userName, 3), 429)).toBe(3);
    expect((await blocked()).slice(101)).toEqual([{ others: 50 }]);
    test.clock.advance(60);
    expect(await guess(account.userName, 1)).toEqual([429]);
    expect((await blocked()).slice(102)).toEqual([{ others: 2 }]);
  });

  it('notes blocked attempts again once a clock that was ahead is right, with how many had no entry [DECISIONS §12]', async () => {
    putRight(test.clock);
    const account = await insertAccount(test);
    test.clock.advance(86_400);
    await guess(account.userName, 5);
    await block(account);
    await inGroups(103, () => statusOf(account.userName));
    test.clock.advance(-86_400);
    await block(account);
    await guess(account.userName, 2);
    expect((await blockedEntries(account)).slice(101)).toEqual([
      { blockedUntil: new Date(test.clock.now.getTime() + 900_000).toISOString() },
      { others: 2 },
    ]);
  });

  it('ends with a success [§4]', async () => {
    const { userName } = await insertAccount(test);
    expect(await guess(userName, 4)).toEqual([401, 401, 401, 401]);
    expect(await statusOf(userName, ADMINISTRATOR.password)).toBe(200);
    expect(await guess(userName, 6)).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('is forgotten after an hour without a guess [§4]', async () => {
    const { userName } = await insertAccount(test);
    await guess(userName, 5);
    test.clock.advance(3601);
    expect(await guess(userName, 6)).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('counts user name and e-mail address together, however they are written [§4]', async () => {
    const { userName } = await insertAccount(test);
    const spellings = [userName, userName.toUpperCase(), `${userName}@people.test`, ` ${userName}`];
    for (const spelling of spellings) expect(await statusOf(spelling)).toBe(401);
    expect(await guess(`${userName}@PEOPLE.test`, 2)).toEqual([401, 429]);
  });

  it('treats an unknown name like a known one [§4]', async () => {
    expect(await guess('Nobody.There', 5)).toEqual([401, 401, 401, 401, 401]);
    expect(await statusOf('nobody.there')).toBe(429);
  });

  it.each([
    ['full-width letters', 'ｇｕｅｓｓｅｄ'],
    ['a soft hyphen', 'gue\u00adssed'],
    ['capital letters', 'GUESSED'],
  ])('counts a name written with %s as the same one, known or not [§4]', async (_, spelling) => {
    const statuses = async () => {
      await test.context.platform.deleteFrom('signInAttempts').execute();
      return [...(await guess('guessed', 3)), ...(await guess(spelling, 3))];
    };
    const unknown = await statuses();
    const { id } = await insertAccount(test, { userName: 'guessed' });
    const known = await statuses();
    await test.context.platform.deleteFrom('users').where('id', '=', id).execute();
    expect({ unknown, known }).toEqual({
      unknown: [401, 401, 401, 401, 401, 429],
      known: [401, 401, 401, 401, 401, 429],
    });
  });

  it('does not affect another account at the same address [§4]', async () => {
    const [first, second] = [await insertAccount(test), await insertAccount(test)];
    await guess(first.userName, 6);
    expect(await statusOf(second.userName, ADMINISTRATOR.password)).toBe(200);
  });

  it('tries at most 5 of 100 parallel guesses [§4]', async () => {
    const account = await insertAccount(test);
    const statuses = await Promise.all(Array.from({ length: 100 }, () => statusOf(account.userName)));
    expect({ tried: count(statuses, 401), refused: count(statuses, 429) }).toEqual({ tried: 5, refused: 95 });
    const actions = await auditedActions(account);
    expect(actions.filter((action) => action === 'auth.sign-in-failed')).toHaveLength(5);
    expect(actions.filter((action) => action === 'auth.sign-in-blocked')).toHaveLength(95);
  });
});

describe('two sign-ins at once, of which the one counted later has read its clock earlier', () => {
  it.each([
    ['right', ADMINISTRATOR.password, 200],
    ['wrong', WRONG, 401],
  ])('are not refused as too many when their passwords are %s [§4]', async (_, password, status) => {
    const { userName } = await insertAccount(test);
    expect(await statusOf(userName, password)).toBe(status);
    test.clock.advance(-0.02);
    expect(await statusOf(userName, password)).toBe(status);
  });
});

describe('lock-out of an address', () => {
  it('tries at most 50 of 60 parallel guesses at 60 names, and ends [§4]', async () => {
    const from = '198.51.100.7';
    const guesses = Array.from({ length: 60 }, (_, n) => guessFrom(from, `spray${n}`));
    const statuses = await Promise.all(guesses);
    expect({ tried: count(statuses, 401), refused: count(statuses, 429) }).toEqual({ tried: 50, refused: 10 });
    expect((await signInFrom(from, 'spray.later')).headers['retry-after']).toBe('1');
    expect((await signInFrom('198.51.100.8', 'spray.later')).statusCode).toBe(401);
    test.clock.advance(1);
    expect((await signInFrom(from, 'spray.later')).statusCode).toBe(401);
  });

  it('counts the IPv6 addresses of one network together, which one caller has all of, and no others [§4]', async () => {
    const guesses = Array.from({ length: 50 }, (_, n) => guessFrom(`2001:db8::${n + 1}`, `sprayed${n}`));
    expect(count(await Promise.all(guesses), 401)).toBe(50);
    expect((await signInFrom('2001:DB8:0:0:ffff::51', 'sprayed.later')).statusCode).toBe(429);
    expect((await signInFrom('2001:db8:0:1::1', 'sprayed.later')).statusCode).toBe(401);
    const actor = { id: null, name: 'command line', address: '' };
    expect(await endSignInDelay(test.context, actor, '2001:db8::77')).toBe(true);
    expect((await signInFrom('2001:db8::51', 'sprayed.later')).statusCode).toBe(401);
    expect(await endSignInDelay(test.context, actor, '2001:db8::/64')).toBe(true);
    expect(await endSignInDelay(test.context, actor, '2001:db8::/64')).toBe(false);
  });

  it('counts an IPv4 address as the same one that IPv6 writes [§4]', async () => {
    await signInFrom('198.51.100.10', 'mapped');
    await signInFrom('::ffff:198.51.100.10', 'mapped');
    await signInFrom('::ffff:c633:640a', 'mapped');
    const rows = test.context.platform.selectFrom('signInAttempts').select(['subject', 'attempts']);
    const ofAddress = rows.where(sql<boolean>`starts_with(subject collate "C", 'address:')`);
    expect(await ofAddress.execute()).toEqual([{ subject: 'address:198.51.100.10', attempts: 3 }]);
  });

  it('goes by the address of the connection, whatever a header says [§4]', async () => {
    const account = await insertAccount(test);
    await signInFrom('198.51.100.9', account.userName, {
      'x-forwarded-for': '203.0.113.5',
      forwarded: 'for=203.0.113.5',
    });
    const entry = test.context.platform.selectFrom('auditEntries').select('address').where('entityId', '=', account.id);
    expect(await entry.executeTakeFirst()).toEqual({ address: '198.51.100.9' });
  });

  it('does not count successful sign-ins [§4]', async () => {
    const account = await insertAccount(test);
    for (let n = 0; n < 3; n += 1) await test.signIn(account.userName);
    const rows = await test.context.platform.selectFrom('signInAttempts').select('attempts').execute();
    expect(rows).toEqual([{ attempts: 0 }]);
  });
});
