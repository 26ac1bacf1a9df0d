import { authRoutes } from '@apotheca/contract/auth';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../testing/app.ts';

const test = useTestApp();

describe('sign-in', () => {
  it('gives tokens and profile, and says so [§4]', async () => {
    const answer = await test.signIn();
    expect(answer).toMatchObject({
      status: 200,
      success: true,
      message: 'Login Successful.',
      result: { username: 'admin', role: 'Administrator' },
    });
    const me = await test.call(authRoutes.me, { token: answer.result.accessToken });
    expect(me.result).toMatchObject({ username: 'admin' });
  });
});
