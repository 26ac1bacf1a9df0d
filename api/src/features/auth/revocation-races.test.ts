import { authRoutes } from '@apotheca/contract/auth';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { roleRoutes } from '@apotheca/contract/roles';
import { userRoutes } from '@apotheca/contract/users';
import { expect, it } from 'vitest';
import { type Account, insertAccount, roleIdOf, signInTo } from '../../testing/accounts.ts';
import { type Answer, useTestApp } from '../../testing/app.ts';
import { IS_LONG_RUN } from '../../testing/long-run.ts';
import { addTotpTo } from '../../testing/second-factors.ts';

const test = useTestApp();
const RACES = IS_LONG_RUN ? 200 : 10;
const CALLERS = 4;

// Only finds what hangs.
type Session = Account & { accessToken: string; refreshToken: string };

const signOut = ({ refreshToken }: Session) => test.call(authRoutes.logout, { token: null, body: { refreshToken } });
const deactivate = ({ id }: Session) => test.call(userRoutes.deactivate, { query: { id } });
const remove = ({ id }: Session) => test.call(userRoutes.delete, { query: { id } });

/** Gives somebody another role, by the same call as the console. */
async function changeRole({ id, userName }: Session): Promise<Answer> {
  const { result: users } = await test.call(userRoutes.list);
  const user = users.find((one: { id: string }) => one.id === id);
  const { spSRXID: _id, role: _role, hasPassword: _hasPassword, isActive: _isActive, ...fields } = user;
  const roleId = await roleIdOf(test, 'Viewer');
  return test.call(userRoutes.edit, { body: { ...fields, id, userName, roleId, password: '', confirmPassword: '' } });
}

const resetFactors = ({ id }: Session) => test.call(userRoutes.resetFactors, { query: { id } });

const signInPlain = async (): Promise<Session> => {
  const account = await insertAccount(test, { role: 'Operator' });
  return { ...account, ...(await signInTo(test, account)) };
};

/** Somebody with an authenticator app. */
async function signInWithFactor(): Promise<Session> {
  const { now } = test.clock;
  const session = await signInPlain();
  await addTotpTo(test, session.accessToken);
  test.clock.now = now;
  return session;
}

/** Calls without a pause until the calls are refused. @returns the statuses of those that began after `isOver` */
async function callUntilRefused({ accessToken }: Session, isOver: () => boolean): Promise<number[]> {
  const late: number[] = [];
  for (let status = 200; status === 200 || late.length === 0; ) {
    const isLate = isOver();
    ({ status } = await test.call(authRoutes.me, { token: accessToken }));
    expect([200, 401]).toContain(status);
    if (isLate) late.push(status);
  }
  return late;
}

it.each<[string, (session: Session) => Promise<Answer>, (() => Promise<Session>)?]>([
  ['signing out', signOut],
  ['deactivation', deactivate],
  ['deletion', remove],
  ['a change of role', changeRole],
  ['a reset of the second factor', resetFactors, signInWithFactor],
])(`after %s no call is answered, in ${RACES} races [§4] [DECISIONS §4]`, async (_what, end, open = signInPlain) => {
  for (let race = 0; race < RACES; race += 1) {
    const session = await open();
    let isOver = false;
    const calls = Array.from({ length: CALLERS }, () => callUntilRefused(session, () => isOver));
    const ended = await end(session);
    isOver = true;
    expect(ended.status).toBe(200);
    for (const late of await Promise.all(calls)) expect(late).toEqual([401]);
  }
});

it(`after a role has lost a permission no call that needs it is answered, in ${RACES} races [§6] [DECISIONS §5]`, async () => {
  const { token } = await test.signInAs('Operator');
  const { result: roles } = await test.call(roleRoutes.list);
  const role = roles.find(({ roleName }: { roleName: string }) => roleName === 'Operator');
  const { result } = await test.call(permissionRoutes.list);
  const read = result.permissions.find(({ identifier }: { identifier: string }) => identifier === 'users.read');
  const setPermissions = (permissionIds: string[]) =>
    test.call(roleRoutes.editPermissions, { body: { roleId: role.id, permissionIds } });
  const without = role.permissionIds.filter((id: string) => id !== read.id);
  const call = async () => (await test.call(userRoutes.list, { token })).status;
  for (let race = 0; race < RACES; race += 1) {
    expect((await setPermissions(role.permissionIds)).status).toBe(200);
    expect(await call()).toBe(200);
    const early = Array.from({ length: CALLERS }, call);
    expect((await setPermissions(without)).status).toBe(200);
    const late = await Promise.all(Array.from({ length: CALLERS }, call));
    expect(late).toEqual(late.map(() => 403));
    for (const status of await Promise.all(early)) expect([200, 403]).toContain(status);
  }
});
