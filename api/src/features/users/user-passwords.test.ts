import { authRoutes, COMMON_PASSWORD } from '@apotheca/contract/auth';
import { userRoutes } from '@apotheca/contract/users';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertAccount, roleIdOf } from '../../testing/accounts.ts';
import { useTestApp } from '../../testing/app.ts';
import { userInput } from '../../testing/builders.ts';
import { hashPassword } from '../auth/passwords.ts';

// The limits of the specification; the length that an installation asks for has tests of its own.
const test = useTestApp({ passwordMin: 5 });
let viewer: string;
let id: string;

beforeAll(async () => {
  viewer = await roleIdOf(test, 'Viewer');
  id = (await test.call(userRoutes.create, { body: userInput('edited', viewer) })).result.id;
});

let made = 0;
async function create(password: string) {
  made += 1;
  const userName = `person-${made}`;
  const answer = await test.call(userRoutes.create, {
    body: userInput(userName, viewer, { password, confirmPassword: password }),
  });
  return { ...answer, userName };
}
async function edit(password: string) {
  const body = { ...userInput('edited', viewer, { password, confirmPassword: password }), id };
  return { ...(await test.call(userRoutes.edit, { body })), userName: 'edited' };
}

/** One character each. The last two are more than one UTF-16 unit, and é may be one code point or two. */
const CHARACTERS = { ASCII: '~', accented: 'é', kana: 'が', emoji: '💊', flagged: '𝒜' };
const LENGTHS: [length: number, refusal?: string][] = [
  [4, 'Must be 5 characters or more'],
  [5],
  [30],
  [31, 'Must be 30 characters or less'],
];
const CASES = Object.entries(CHARACTERS).flatMap(([script, character]) =>
  LENGTHS.map(([length, refusal]) => ({ script, length, refusal, password: character.repeat(length) })),
);

describe.each([
  ['create', create],
  ['edit', edit],
] as const)('a common password in %s', (_, set) => {
  it.each(['12345', 'Football', 'ｑｗｅｒｔｙ'])('%s is refused at its field [§5]', async (password) => {
    const { status, message, errors } = await set(password);
    expect({ status, message, errors }).toEqual({
      status: 400,
      message: COMMON_PASSWORD,
      errors: { password: [COMMON_PASSWORD] },
    });
  });
});

it('an existing common password goes on working [§5]', async () => {
  const passwordHash = await hashPassword('football');
  const { userName } = await insertAccount(test, { passwordHash });
  expect((await test.signIn(userName, 'football')).status).toBe(200);
});

describe.each([
  ['create', create],
  ['edit', edit],
] as const)('the password of %s', (_, set) => {
  it.each(CASES)(
    'of $length $script characters, whatever keyboard they come from [§5]',
    async ({ password, refusal }) => {
      const [composed, decomposed] = [password.normalize('NFC'), password.normalize('NFD')];
      for (const [typed, typedLater] of [
        [composed, decomposed],
        [decomposed, composed],
      ] as const) {
        const { status, errors, userName } = await set(typed);
        if (refusal) {
          expect({ status, errors }).toEqual({ status: 400, errors: { password: [refusal] } });
          continue;
        }
        expect(status, JSON.stringify(errors)).toBe(200);
        expect((await test.signIn(userName, typed)).status).toBe(200);
        expect((await test.signIn(userName, typedLater)).status).toBe(200);
      }
    },
  );

  it('counts code points that do not compose, and each code point of an emoji [§5]', async () => {
    expect((await set('x\u0301x\u0301')).status).toBe(400);
    expect((await set('x\u0301x\u0301x')).status).toBe(200);
    expect((await set('👩🏽‍⚕️')).status).toBe(200);
    expect((await set('👩🏽‍⚕️'.repeat(7))).status).toBe(400);
  });

  it('keeps its blanks and its case [§5]', async () => {
    const { status, userName } = await set('  Two  ');
    expect(status).toBe(200);
    expect((await test.signIn(userName, '  Two  ')).status).toBe(200);
    expect((await test.signIn(userName, '  two  ')).status).toBe(401);
    const trimmed = await test.call(authRoutes.authenticate, {
      body: { username: userName, password: 'Two' },
      token: null,
    });
    expect(trimmed.status).not.toBe(200);
  });

  it.each(['pass\u0000word', 'half\ud83d-pair'])(
    'is refused where PostgreSQL could not hold it: %j [§5]',
    async (text) => {
      const message = 'This text contains a character that cannot be stored';
      expect(await set(text)).toMatchObject({ status: 400, errors: { password: [message] } });
    },
  );
});
