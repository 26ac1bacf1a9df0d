import { authRoutes } from '@apotheca/contract/auth';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { insertAccount, signInTo } from '../../testing/accounts.ts';
import { useTestApp } from '../../testing/app.ts';

const test = useTestApp();
const MUTATIONS = 300;

/** Another text made of the given one by one to three edits of the kinds that a forger tries. */
const mutationOf = (text: string) => {
  const at = fc.nat({ max: text.length - 1 });
  const character = fc.constantFrom(...'AZaz09-_.=+/%~ "é');
  const edit = fc.oneof(
    fc.record({ at, character }).map((drawn) => (now: string) => replace(now, drawn.at, 1, drawn.character)),
    fc.record({ at, character }).map((drawn) => (now: string) => replace(now, drawn.at, 0, drawn.character)),
    fc
      .record({ at, length: fc.nat({ max: 40 }) })
      .map((drawn) => (now: string) => replace(now, drawn.at, drawn.length, '')),
    fc.constantFrom<(now: string) => string>(
      (now) => now.split('.').toReversed().join('.'),
      (now) => now.split('.').slice(0, 2).join('.'),
      (now) => `${now.split('.').slice(0, 2).join('.')}.`,
      (now) => `${now}.${now}`,
      (now) => now.toUpperCase(),
      (now) => now.repeat(3),
      () => '',
    ),
  );
  return fc
    .array(edit, { minLength: 1, maxLength: 3 })
    .map((edits) => edits.reduce((now, change) => change(now), text))
    .filter((mutated) => isAnother(mutated, text));
};

const replace = (text: string, at: number, length: number, by: string) =>
  text.slice(0, at) + by + text.slice(at + length);

/** The last character of a part in base64url has bits that mean nothing: with those changed it is the same token still. */
const isAnother = (mutated: string, text: string) => {
  const bytesOf = (token: string) => token.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'));
  return bytesOf(mutated.trim()).join('.') !== bytesOf(text).join('.');
};

it(`of ${MUTATIONS} mutated access tokens none is accepted [§4] [DECISIONS §4]`, async () => {
  const { accessToken } = await signInTo(test, await insertAccount(test, { role: 'Viewer' }));
  const ask = async (token: string) => (await test.call(authRoutes.me, { token })).status;
  await fc.assert(
    fc.asyncProperty(mutationOf(accessToken), async (token) => {
      expect(await ask(encodeURI(token))).toBe(401);
    }),
    { numRuns: MUTATIONS },
  );
  expect(await ask(accessToken)).toBe(200);
});

it(`of ${MUTATIONS} pairs with a mutated token none is refreshed, and the session goes on [§4] [DECISIONS §4]`, async () => {
  const pair = await signInTo(test, await insertAccount(test, { role: 'Viewer' }));
  const refresh = async (body: { accessToken: string; refreshToken: string }) =>
    (await test.call(authRoutes.refresh, { token: null, body })).status;
  const mutated = fc.oneof(
    mutationOf(pair.accessToken).map((accessToken) => ({ ...pair, accessToken })),
    mutationOf(pair.refreshToken).map((refreshToken) => ({ ...pair, refreshToken })),
  );
  const refused = fc.asyncProperty(mutated, async ({ accessToken, refreshToken }) => {
    expect([400, 401]).toContain(await refresh({ accessToken, refreshToken }));
  });
  await fc.assert(refused, { numRuns: MUTATIONS });
  expect(await refresh({ accessToken: pair.accessToken, refreshToken: pair.refreshToken })).toBe(200);
});
