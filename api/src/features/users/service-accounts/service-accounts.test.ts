import { authRoutes } from '@apotheca/contract/auth';
import { serviceAccountRoutes } from '@apotheca/contract/service-accounts';
import { userRoutes } from '@apotheca/contract/users';
import { beforeAll, describe, expect, it } from 'vitest';
import { COMMAND_LINE_ACTOR } from '../../../actor.ts';
import { roleIdOf } from '../../../testing/accounts.ts';
import { useApiKeys } from '../../../testing/api-keys.ts';
import { useTestApp } from '../../../testing/app.ts';
import { editedUser } from '../../../testing/builders.ts';
import { useUsers } from '../../../testing/users.ts';
import { newSession, sessionEnd } from '../../auth/session-times.ts';
import { signAccessToken } from '../../auth/tokens.ts';
import { setUserPassword } from '../users.service.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

const test = useTestApp();
const { find, audited, createdId, rowOf } = useUsers(test);
const { service, issued, person } = useApiKeys(test);
let viewer: string;
let administrator: string;
beforeAll(async () => {
  viewer = await roleIdOf(test, 'Viewer');
  administrator = await roleIdOf(test, 'Administrator');
});

const create = (body: unknown, token?: string) =>
  test.call(serviceAccountRoutes.create, { body, ...(token && { token }) });
const edit = (body: unknown, token?: string) => test.call(serviceAccountRoutes.edit, { body, ...(token && { token }) });

describe('POST /users/createservice', () => {
  it('makes a user without a password and without a person, and audits it [DECISIONS §13]', async () => {
    const answer = await create({ userName: ' nightly  import ', roleId: viewer, notes: 'Runs at two' });
    expect(answer).toMatchObject({ status: 200, message: 'Success! The service account has been created.' });
    expect(await find(answer.result.id)).toMatchObject({
      userName: 'nightly import',
      email: '',
      fName: '',
      lName: '',
      notes: 'Runs at two',
      role: { roleName: 'Viewer' },
      isActive: true,
      hasPassword: false,
      isService: true,
    });
    const changes = { userName: 'nightly import', roleId: viewer, isService: true };
    expect(await audited(answer.result.id)).toMatchObject([{ action: 'users.create', changes }]);
  });

  it('names what is wrong, and needs the permission and what the role has [DECISIONS §13]', async () => {
    expect(await create({})).toMatchObject({
      status: 400,
      errors: { userName: ['Name is required'], roleId: ['User Role is Required'] },
    });
    expect(await create({ userName: 'x'.repeat(21), roleId: viewer })).toMatchObject({
      errors: { userName: ['Name should not be more than 20 characters'] },
    });
    expect(await create({ userName: 'roleless', roleId: NOBODY })).toMatchObject({
      errors: { roleId: ['This User Role is unknown.'] },
    });
    await service('taken');
    expect(await create({ userName: 'TAKEN', roleId: viewer })).toMatchObject({
      status: 409,
      errors: { userName: ['This User Name is taken already.'] },
    });
    const { token: ofViewer } = await person('Viewer');
    expect((await create({ userName: 'refused', roleId: viewer }, ofViewer)).status).toBe(403);
    const { token: ofOperator } = await person('Operator');
    const stronger = await create({ userName: 'stronger', roleId: administrator }, ofOperator);
    expect(stronger.message).toMatch(/^This user role has the permission '.+', which you do not have\.$/);
  });
});

describe('PUT /users/editservice', () => {
  it('changes name, role and notes, and audits them before and after; the keys go on [DECISIONS §13]', async () => {
    const id = await service('edited');
    const { key } = await issued(undefined, { userId: id });
    const answer = await edit({ id, userName: 'renamed', roleId: viewer, notes: 'New', version: 1 });
    expect(answer).toMatchObject({ status: 200, message: 'Success! The service account has been updated.' });
    expect(await find(id)).toMatchObject({ userName: 'renamed', role: { roleName: 'Viewer' }, version: 2 });
    expect((await audited(id)).at(-1)).toMatchObject({
      action: 'users.edit',
      changes: {
        userName: ['edited', 'renamed'],
        roleId: [administrator, viewer],
        notes: ['', 'New'],
        version: [1, 2],
      },
    });
    expect((await test.call(authRoutes.me, { token: key })).result).toMatchObject({
      username: 'renamed',
      role: 'Viewer',
    });
    expect((await edit({ id, userName: 'renamed', roleId: viewer, version: 1 })).title).toBe('Changed meanwhile');
    // Notes that are not named stay; null empties them.
    const notesAfter = async (fields: object) => {
      expect((await edit({ id, userName: 'renamed', roleId: viewer, ...fields })).status).toBe(200);
      return (await find(id))?.notes;
    };
    expect([await notesAfter({}), await notesAfter({ notes: null })]).toEqual(['New', '']);
  });

  it('is refused for a person, and for a stronger one [DECISIONS §13]', async () => {
    const id = await createdId('somebody');
    expect(await edit({ id, userName: 'somebody', roleId: viewer })).toMatchObject({
      status: 409,
      message: 'This is a person, not a service account.',
    });
    expect((await edit({ id: NOBODY, userName: 'nobody', roleId: viewer })).status).toBe(404);
    const { token } = await person('Operator');
    const strong = await service('strong');
    expect((await edit({ id: strong, userName: 'strong', roleId: viewer }, token)).status).toBe(403);
  });
});

describe('a service account', () => {
  it('never signs in, and is never given a password or an address [DECISIONS §13]', async () => {
    const id = await service('robot');
    expect((await test.signIn('robot', 'correct horse')).status).toBe(401);
    const password = { password: 'correct horse', confirmPassword: 'correct horse' };
    const asPerson = { ...editedUser('robot', viewer), id, ...password };
    expect(await test.call(userRoutes.edit, { body: asPerson })).toMatchObject({
      status: 409,
      message: 'A service account has neither a password nor a person: please edit it as a service account.',
    });
    await expect(setUserPassword(test.context, COMMAND_LINE_ACTOR, id, 'correct horse')).rejects.toThrow(
      'A service account has no password.',
    );
    const update = test.context.platform.updateTable('users').where('id', '=', id);
    const { passwordHash } = await rowOf(await createdId('withpassword'));
    await expect(update.set({ passwordHash }).execute()).rejects.toThrow('users__is_service');
    await expect(update.set({ email: 'robot@people.test' }).execute()).rejects.toThrow('users__is_service');
    expect((await test.signIn('robot', 'correct horse')).status).toBe(401);
  });

  it('is nobody with a session, whatever made that [DECISIONS §13]', async () => {
    const id = await service('intruder');
    const session = newSession(id, test.clock.now);
    const refreshTokenHash = Buffer.from('of a service account');
    const opened = {
      kind: 'console' as const,
      provedAt: test.clock.now,
      refreshTokenHash,
      expiresAt: sessionEnd(test.clock.now),
    };
    await test.context.platform
      .insertInto('sessions')
      .values({
        ...session,
        ...opened,
        address: '',
        userAgent: '',
        previousAccessTokenId: null,
        revokedAt: null,
        revokedReason: null,
      })
      .execute();
    const claims = { userId: id, role: 'Administrator', sessionId: session.id, tokenId: session.accessTokenId };
    const token = await signAccessToken(test.context.keys.token, claims, test.clock.now, 60);
    const answer = () => test.call(authRoutes.me, { token });
    expect((await answer()).status).toBe(401);
    const person = await createdId('person');
    await test.context.platform.updateTable('sessions').set({ userId: person }).where('id', '=', session.id).execute();
    expect((await answer()).status).toBe(200);
  });

  it('is not duplicated, but activated, deactivated and deleted as everybody [DECISIONS §13]', async () => {
    const id = await service('switched');
    const query = { id };
    expect(await test.call(userRoutes.duplicate, { query: { id, userName: 'copy' } })).toMatchObject({
      status: 409,
      message: 'A service account is not duplicated: please create another one.',
    });
    for (const route of [userRoutes.deactivate, userRoutes.activate, userRoutes.delete]) {
      expect((await test.call(route, { query })).status, route.path).toBe(200);
    }
    expect(await find(id)).toBeUndefined();
    expect(await service('switched')).not.toBe(id);
  });

  it('with the role Administrator is not the one that must stay [DECISIONS §5] [DECISIONS §13]', async () => {
    const { key } = await issued(undefined, {
      userId: await service('root'),
      scopes: ['users.write', 'users.read'],
    });
    const { platform } = test.context;
    const people = await platform
      .selectFrom('users')
      .select('id')
      .where('roleId', '=', administrator)
      .where('isService', '=', false)
      .where('deletedAt', 'is', null)
      .where('userName', '!=', 'admin')
      .execute();
    for (const { id } of people)
      await platform.updateTable('users').set({ isActive: false }).where('id', '=', id).execute();
    const all = await platform.selectFrom('permissions').select('identifier').execute();
    await platform
      .updateTable('apiKeys')
      .set({ scopes: all.map(({ identifier }) => identifier) })
      .execute();
    const first = await platform
      .selectFrom('users')
      .select('id')
      .where('userName', '=', 'admin')
      .executeTakeFirstOrThrow();
    expect(await test.call(userRoutes.deactivate, { token: key, query: { id: first.id } })).toMatchObject({
      status: 409,
      message: 'At least one active Administrator with a password must stay.',
    });
  });
});
