import { authRoutes } from '@apotheca/contract/auth';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userRoutes } from '@apotheca/contract/users';
import { expect, it } from 'vitest';
import { insertAccount, signInTo } from '../../testing/accounts.ts';
import { useApiKeys } from '../../testing/api-keys.ts';
import { useTestApp } from '../../testing/app.ts';
import { signAccessToken } from './tokens.ts';

const test = useTestApp();
const { issued, person, revoke } = useApiKeys(test);

/** How often each caller calls in one turn: many more than queries go at a time. */
const CALLS = 12;

const signedIn = async (role: string) => {
  const account = await insertAccount(test, { role });
  return { ...account, ...(await signInTo(test, account)) };
};

const me = (token: string) => test.call(authRoutes.me, { token });
const listTenants = (token: string) => test.call(tenantRoutes.list, { token });
const listUsers = (token: string) => test.call(userRoutes.list, { token });

/** The same calls over and over, all of them in one turn. */
const atOnce = async <T>(calls: readonly (() => Promise<T>)[]): Promise<T[][]> => {
  const rounds = Array.from({ length: CALLS }, () => calls.map((call) => call()));
  return Promise.all(rounds.map((round) => Promise.all(round)));
};

it('callers at the same time get what each of them may have, and nothing of the others [DECISIONS §4]', async () => {
  const [administrator, viewer, left] = await Promise.all([
    signedIn('Administrator'),
    signedIn('Viewer'),
    signedIn('Operator'),
  ]);
  await test.call(authRoutes.logout, { token: null, body: { refreshToken: left.refreshToken } });
  const { token } = await person();
  const tenantsOnly = await issued(token, { scopes: ['tenants.read'] });
  const usersOnly = await issued(token, { scopes: ['users.read'] });
  const revoked = await issued(token, { scopes: ['tenants.read'] });
  await revoke(token, revoked.id);
  const rounds = await atOnce<{ status: number; id?: string }>([
    async () => idOf(await me(administrator.accessToken)),
    async () => idOf(await me(viewer.accessToken)),
    () => me(left.accessToken),
    () => listUsers(administrator.accessToken),
    () => listUsers(viewer.accessToken),
    () => listTenants(tenantsOnly.key),
    () => listUsers(tenantsOnly.key),
    () => listUsers(usersOnly.key),
    () => listTenants(usersOnly.key),
    () => listTenants(revoked.key),
    () => listTenants('made up'),
  ]);
  for (const answers of rounds) {
    expect(answers[0]).toEqual({ status: 200, id: administrator.id });
    expect(answers[1]).toEqual({ status: 200, id: viewer.id });
    expect(answers.slice(2).map(({ status }) => status)).toEqual([401, 200, 200, 200, 403, 200, 403, 401, 401]);
  }
});

it('a caller of whom PostgreSQL cannot be asked fails alone [DECISIONS §4]', async () => {
  const { id, accessToken } = await signedIn('Viewer');
  const claims = { userId: id, role: 'Viewer', sessionId: 'no id of a session', tokenId: id };
  const broken = await signAccessToken(test.context.keys.token, claims, test.clock.now, 900);
  const rounds = await atOnce([() => me(accessToken), () => me(broken), () => me(accessToken)]);
  for (const [before, between, after] of rounds) {
    expect(between?.status).toBeGreaterThanOrEqual(400);
    for (const answer of [before, after]) expect(answer && idOf(answer)).toEqual({ status: 200, id });
  }
});

const idOf = ({ status, result }: { status: number; result: { id: string } }) => ({ status, id: result.id });
