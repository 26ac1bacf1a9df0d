import { accountRoutes } from '@apotheca/contract/account';
import { authRoutes } from '@apotheca/contract/auth';
import { proofNeeded, WRONG_PASSWORD } from '@apotheca/contract/proof';
import { ROUTES } from '@apotheca/contract/routes';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userRoutes } from '@apotheca/contract/users';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Account, insertAccount, signInTo } from '../../testing/accounts.ts';
import { ADMINISTRATOR } from '../../testing/administrator.ts';
import { useTestApp } from '../../testing/app.ts';
import { patiently } from '../../testing/patiently.ts';
import { titleOf } from '../../testing/routes.ts';
import { PROOF_SECONDS } from '../auth/session-times.ts';

const test = useTestApp();
const WRONG = 'wrong horse';
const { password } = ADMINISTRATOR;

beforeEach(async () => {
  await test.context.platform.deleteFrom('signInAttempts').execute();
});

interface Person extends Account {
  token: string;
  refreshToken: string;
}

/** A new person who has just signed in. */
async function signInNew(role: 'Administrator' | 'Operator' | 'Viewer' = 'Administrator'): Promise<Person> {
  const account = await insertAccount(test, { role });
  const { accessToken, refreshToken } = await signInTo(test, account);
  return { ...account, token: accessToken, refreshToken };
}

/** Lets time pass, and takes a new access token, which proves nothing. */
async function refreshAfter(person: Person, seconds: number): Promise<void> {
  test.clock.advance(seconds);
  const body = { refreshToken: person.refreshToken, accessToken: person.token };
  person.token = (await test.call(authRoutes.refresh, { body, token: null })).result.accessToken;
}

const prove = ({ token }: Pick<Person, 'token'>, typed = password) =>
  test.call(accountRoutes.prove, { body: { password: typed }, token });

/** Deletes a new user. @returns the answer, and whether the user is still there */
async function deleteSomebody({ token }: Pick<Person, 'token'>) {
  const { id } = await insertAccount(test);
  const answer = await test.call(userRoutes.delete, { query: { id }, token });
  const { deletedAt } = await test.context.platform
    .selectFrom('users')
    .select('deletedAt')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { ...answer, isThere: deletedAt === null };
}

const actionsOf = async (actorId: string) => {
  const entries = test.context.platform.selectFrom('auditEntries').select(['action', 'changes']);
  return (await entries.where('actorId', '=', actorId).orderBy('id').execute()).map(
    ({ action, changes }) => [action, changes] as const,
  );
};

const count = (all: readonly number[], status: number) => all.filter((one) => one === status).length;

describe('a call that wants a fresh proof', () => {
  it('is one that destroys data of tenants or gives rights, and no other [DECISIONS §13]', () => {
    expect(ROUTES.filter(({ fresh }) => fresh).map(titleOf)).toEqual([
      'POST /identity/auth/generate-token',
      'DELETE /identity/auth/usersession',
      'POST /identity/account/factors/begintotp',
      'DELETE /identity/account/factors/removetotp',
      'POST /identity/account/factors/recoverycodes',
      'POST /identity/account/factors/beginpasskey',
      'DELETE /identity/account/factors/removepasskey',
      'PUT /api/roles/secondfactor',
      'POST /api/apikeys/create',
      'POST /api/apikeys/rotate',
      'DELETE /api/apikeys/delete',
      'PUT /api/tenant/delete',
      'POST /api/tenant/revealcredentials',
      'POST /api/tenant/rotatecredentials',
      'GET /api/managedatabase/deletedatabase',
      'DELETE /api/managedatabase/deletebackup',
      'POST /api/managedatabase/restoredatabase',
      'DELETE /api/managedatabase/deleterejectedrows',
      'PUT /api/managedatabase/backupschedule',
      'POST /api/managedatabase/deletetablesdata',
      'POST /api/managedatabase/anonymizedatabase',
      'POST /api/managedatabase/cloneanonymized',
      'POST /api/managedatabase/refreshclone',
      'PUT /api/managedatabase/refreshschedule',
      'POST /api/managedatabase/fixfinding',
      'DELETE /api/managedatabase/removeparked',
      'POST /api/roles/create',
      'PUT /api/roles/edit',
      'DELETE /api/roles/delete',
      'PUT /api/rolepermissions/edit',
      'POST /api/users/create',
      'PUT /api/users/edit',
      'PUT /api/users/activate',
      'POST /api/users/duplicate',
      'DELETE /api/user/factors',
      'PUT /api/users/softdelete',
      'POST /api/users/import',
      'POST /api/users/bulk',
      'POST /api/users/createservice',
      'PUT /api/users/editservice',
      'POST /api/webhooks/create',
      'PUT /api/webhooks/edit',
      'POST /api/webhooks/rotate',
      'POST /api/databaseservers/create',
      'PUT /api/databaseservers/edit',
    ]);
  });

  it('is allowed for 15 minutes after the sign-in, whatever was refreshed meanwhile [DECISIONS §13]', async () => {
    const person = await signInNew();
    await refreshAfter(person, PROOF_SECONDS);
    expect(await deleteSomebody(person)).toMatchObject({ status: 200, isThere: false });
    await refreshAfter(person, 1);
    const refused = await deleteSomebody(person);
    expect(refused).toMatchObject({ status: 403, success: false, title: 'Proof needed', isThere: true });
    expect(proofNeeded.parse(refused.result)).toEqual({ proofMaxAge: 900 });
    expect(refused.headers['www-authenticate']).toMatch(/^Bearer error="insufficient_user_authentication"/);
  });

  it('is refused before anything of its input counts, and the refusal is audited [DECISIONS §12] [DECISIONS §13]', async () => {
    const person = await signInNew();
    await refreshAfter(person, PROOF_SECONDS + 1);
    const refused = await test.call(tenantRoutes.delete, { query: { no: 'sense' }, token: person.token });
    expect(refused).toMatchObject({ status: 403, title: 'Proof needed' });
    const refusal = { path: '/tenant/delete', reason: 'proof-needed' };
    expect((await actionsOf(person.id)).at(-1)).toEqual(['auth.refused', refusal]);
  });

  it('asks for the permission first [DECISIONS §13]', async () => {
    const person = await signInNew('Viewer');
    await refreshAfter(person, PROOF_SECONDS + 1);
    expect(await deleteSomebody(person)).toMatchObject({ status: 403, title: 'Not allowed', isThere: true });
  });

  it('is open again after a proof, to this session alone [DECISIONS §13]', async () => {
    const person = await signInNew();
    const elsewhere = { ...person, ...tokensOf(await signInTo(test, person)) };
    await refreshAfter(person, PROOF_SECONDS + 1);
    await refreshAfter(elsewhere, 0);
    const proved = await prove(person);
    expect(proved).toMatchObject({ status: 200, result: { provedOnUtc: test.clock.now.toISOString() } });
    expect(await deleteSomebody(person)).toMatchObject({ status: 200, isThere: false });
    expect(await deleteSomebody(elsewhere)).toMatchObject({ status: 403, isThere: true });
    expect(await actionsOf(person.id)).toContainEqual(['auth.prove', { method: 'password' }]);
  });

  it('that only reads or plans is none of these [DECISIONS §13]', async () => {
    const person = await signInNew();
    await refreshAfter(person, PROOF_SECONDS + 1);
    expect((await test.call(userRoutes.list, { token: person.token })).status).toBe(200);
    expect(ROUTES.filter(({ fresh, path }) => fresh && /\/(get|preview)/.test(path))).toEqual([]);
  });
});

const tokensOf = ({ accessToken, refreshToken }: { accessToken: string; refreshToken: string }) => ({
  token: accessToken,
  refreshToken,
});

describe('a proof', () => {
  it('with a wrong password is a 400 at its field, changes nothing and is audited [DECISIONS §13]', async () => {
    const person = await signInNew();
    await refreshAfter(person, PROOF_SECONDS + 1);
    expect(await prove(person, WRONG)).toMatchObject({ status: 400, errors: { password: [WRONG_PASSWORD] } });
    expect((await actionsOf(person.id)).at(-1)).toEqual(['auth.prove-failed', { method: 'password' }]);
    expect(await deleteSomebody(person)).toMatchObject({ status: 403, isThere: true });
    expect((await test.call(authRoutes.me, { token: person.token })).status).toBe(200);
  });

  it('names the field that is missing [DECISIONS §13]', async () => {
    const { token } = await signInNew();
    const answer = await test.call(accountRoutes.prove, { body: {}, token });
    expect(answer).toMatchObject({ status: 400, errors: { password: ['Password is required'] } });
  });

  it('shares its guesses with the sign-in, in both directions [§4] [DECISIONS §13]', async () => {
    const person = await signInNew();
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await prove(person, WRONG)).status);
    for (let n = 0; n < 3; n += 1) statuses.push((await test.signIn(person.userName, WRONG)).status);
    expect(statuses).toEqual([400, 400, 400, 401, 401, 429]);
    expect(await prove(person)).toMatchObject({ status: 429, title: 'Too many requests' });
    test.clock.advance(1);
    expect((await prove(person)).status).toBe(200);
    expect((await test.signIn(person.userName, WRONG)).status).toBe(401);
  });

  it('lets no more than 5 of 100 guesses at once pass [§4] [DECISIONS §13]', async () => {
    const person = await signInNew();
    const answers = await Promise.all(Array.from({ length: 100 }, () => patiently(() => prove(person, WRONG))));
    const statuses = answers.map(({ status }) => status);
    expect([count(statuses, 400), count(statuses, 429)]).toEqual([5, 95]);
  });

  it('is not possible with an API token, or after the end of the session [DECISIONS §13]', async () => {
    const person = await signInNew();
    const body = { name: 'script', minutes: 60 };
    const { result } = await test.call(authRoutes.generateToken, { body, token: person.token });
    expect(await prove({ token: result.accessToken })).toMatchObject({
      status: 403,
      message: 'This API token can only read.',
    });
    await test.call(authRoutes.logout, { body: { refreshToken: person.refreshToken }, token: null });
    expect((await prove(person)).status).toBe(401);
  });
});
