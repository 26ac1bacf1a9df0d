import { alertRoutes } from '@apotheca/contract/alerts';
import { authRoutes } from '@apotheca/contract/auth';
import { openIdConnectRoutes } from '@apotheca/contract/openid-connect';
import { preferenceRoutes } from '@apotheca/contract/preferences';
import { recoveryRoutes } from '@apotheca/contract/recovery';
import { roleRoutes } from '@apotheca/contract/roles';
import type { ContractRoute } from '@apotheca/contract/route';
import { CALLS } from '@apotheca/contract/routes';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from './testing/app.ts';
import { inputFields } from './testing/input-fields.ts';
import { leastProcessorTime, processorTime } from './testing/processor-time.ts';
import { urlOf } from './testing/routes.ts';

const test = useTestApp();
const MEBIBYTE = 1024 * 1024;
/** How much more a hostile call may take than a plain one; what grows with the square of its length takes thousands of times as much. */
const MUCH = 30;

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const LISTS = ['array', 'record'];
const FIELDS = [...CALLS].flatMap(([name, { query, body }]) => [
  ...(query ? inputFields(query, `${name} query`) : []),
  ...(body ? inputFields(body, `${name} body`) : []),
]);
const isBody = ({ path }: { path: string }) => path.includes(' body');

/** What reading a body of 1 MiB takes, in microseconds. */
let reading: number;
beforeAll(async () => {
  const pad = 'x'.repeat(MEBIBYTE - 100);
  const read = () => test.call(authRoutes.authenticate, { token: null, body: { pad } });
  reading = await leastProcessorTime(read);
});

describe('every text and list of a call', () => {
  it('has a limit, before which nothing is done but reading it', () => {
    expect(FIELDS.length).toBeGreaterThan(300);
    const isChecked = ({ path, schema }: (typeof FIELDS)[number]) => {
      const { def } = schema._zod;
      // Those of records are counted by what stands before them.
      if (def.type === 'record' || ('format' in def && def.format === 'uuid')) return [];
      const checks = (def.checks ?? []).map(({ _zod }) => _zod.def.check);
      const before = checks.slice(0, checks.indexOf('max_length'));
      // A text is trimmed, and is looked through for what cannot be stored.
      const reads = def.type === 'array' ? ['min_length'] : ['min_length', 'custom', 'overwrite'];
      return checks.includes('max_length') && before.every((check) => reads.includes(check)) ? [] : [path];
    };
    expect(FIELDS.flatMap(isChecked)).toEqual([]);
  });

  it.each([
    ['one letter', 'T'],
    ['one letter before the end of a line', 'T', '\nx'],
    ['marks of two classes', '\u0301\u0323'],
    ['ends of lines', '\r\n'],
    ['spaces of two kinds before a letter', ' \u3000', 'x'],
    ['letters that upper case makes longer', 'ß'],
    ['joined pictures', '\u{1f469}\u200d'],
    ['brackets of markup', '<a '],
    ['figures of a moment', '0', 'Z', '2026-01-31T08:15:00.'],
    ['an address', 'a.', '@', 'a@'],
  ])('of a body is checked in the time of reading it: 1 MiB of %s', async (_, part, end = '', start = '') => {
    // The smaller one comes first, so that a failure takes no minutes.
    for (const bytes of [MEBIBYTE / 4, MEBIBYTE]) {
      const text = start + part.repeat((bytes - 100) / Buffer.byteLength(part)) + end;
      for (const { path, schema, inputWith } of FIELDS.filter(isBody)) {
        if (LISTS.includes(schema._zod.def.type)) continue;
        const call = CALLS.get(path.split(' ')[0] ?? '');
        const input = inputWith(text);
        const taken = await leastProcessorTime(() => call?.body?.safeParse(input), reading * MUCH);
        expect(taken, `${path}, ${bytes} bytes`).toBeLessThan(reading * MUCH);
      }
    }
  });

  it('of a body is counted before its items are checked', async () => {
    const keys = Object.fromEntries(Array.from({ length: MEBIBYTE / 10 }, (_, index) => [`-${index}`, 0]));
    for (const { path, schema, inputWith } of FIELDS.filter(isBody)) {
      const { type } = schema._zod.def;
      if (!LISTS.includes(type)) continue;
      const call = CALLS.get(path.split(' ')[0] ?? '');
      const sent = inputWith(type === 'array' ? Array(MEBIBYTE / 2).fill(0) : keys);
      const { error } = call?.body?.safeParse(sent) ?? {};
      expect(error?.issues.length, path).toBeLessThan(30);
    }
  });
});

describe('a call with 1 MiB of wrong items', () => {
  const layout = { hidden: [], order: [], density: 'compact' };
  const calls: [string, ContractRoute, object][] = [
    ['a list', alertRoutes.edit, { mode: 'daily', hour: 1, timezoneId: 'UTC', eventTypes: Array(520_000).fill(0) }],
    [
      'values by keys',
      preferenceRoutes.put,
      {
        list: 'tenants',
        layout: { ...layout, widths: Object.fromEntries(Array.from({ length: 90_000 }, (_, i) => [i, 0])) },
      },
    ],
    [
      'a long list that is allowed',
      roleRoutes.planPermissions,
      { roleId: NOWHERE, permissionIds: Array(10_000).fill(0) },
    ],
  ];

  it.each(calls)('is answered in short: %s', async (_, route, body) => {
    const taken = await leastProcessorTime(async () => {
      const { headers, ...answer } = await test.call(route, { body });
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer).length).toBeLessThan(100_000);
    }, reading * MUCH);
    expect(taken).toBeLessThan(reading * MUCH);
  });
});

describe("a provider's form", () => {
  const send = (payload: string) =>
    test.app.inject({
      method: 'POST',
      url: urlOf(openIdConnectRoutes.providerSignOut),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload,
    });

  it('is read with the longest logout token that the contract takes', async () => {
    const sent = (length: number) => send(`logout_token=${'x'.repeat(length)}`);
    expect((await sent(16_384)).json()).toMatchObject({ status: 400, message: 'This logout token is not valid.' });
    expect((await sent(16_385)).json()).toMatchObject({ status: 400, message: 'logout_token is too long' });
  });

  it('of 64 KiB is not read', async () => {
    expect((await send('a&'.repeat(32 * 1024))).statusCode).toBe(413);
  });
});

describe('a password of 1 MiB', () => {
  const TOO_LONG = ['Must be 30 characters or less'];
  // Composing orders the marks by their classes, for which it compares each with those before it.
  const password = (bytes: number) => `a${'\u0301\u0323'.repeat((bytes - 100) / 4)}`;
  const signIn = (sent: string) => ({ username: 'nobody.there', password: sent });
  const recover = (sent: string) => ({ token: 'x', password: sent, confirmPassword: sent });
  const calls: [string, ContractRoute, (sent: string) => object, number][] = [
    ['a sign-in', authRoutes.authenticate, signIn, 1],
    ['choosing a new password', recoveryRoutes.recover, recover, 2],
  ];

  it.each(calls)('is no more work than one that is tried, for %s', async (_, route, bodyOf, copies) => {
    await test.call(route, { token: null, body: bodyOf('wrong horse') });
    const plain = await processorTime(() =>
      test.call(authRoutes.authenticate, { token: null, body: signIn('wrong horse') }),
    );
    // The smaller ones come first, so that a failure takes no minutes.
    for (const bytes of [MEBIBYTE / 16, MEBIBYTE / 4, MEBIBYTE]) {
      const body = bodyOf(password(bytes / copies));
      const hostile = await leastProcessorTime(async () => {
        const answer = await test.call(route, { token: null, body });
        expect(answer).toMatchObject({ status: 400, errors: { password: TOO_LONG } });
      }, plain * MUCH);
      expect(hostile, `${bytes} bytes`).toBeLessThan(plain * MUCH);
    }
  });
});
