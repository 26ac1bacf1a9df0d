import { authRoutes } from '@apotheca/contract/auth';
import { userRoutes } from '@apotheca/contract/users';
import { beforeAll } from 'vitest';
import { roleIdOf } from './accounts.ts';
import type { TestApp } from './app.ts';
import { editedUser, userInput } from './builders.ts';

type Fields = Parameters<typeof userInput>[2];

/** Functions that create, change and read users as the administrator. By default the users are viewers. */
export function useUsers(test: TestApp) {
  let viewer: string;
  beforeAll(async () => {
    viewer = await roleIdOf(test, 'Viewer');
  });

  const create = (userName: string, fields: Fields = {}) =>
    test.call(userRoutes.create, { body: userInput(userName, viewer, fields) });
  const list = async (query: Record<string, string> = {}) => (await test.call(userRoutes.list, { query })).result;
  return {
    create,
    createdId: async (userName: string, fields: Fields = {}): Promise<string> =>
      (await create(userName, fields)).result.id,
    edit: (id: string, userName: string, fields: Record<string, unknown> = {}) =>
      test.call(userRoutes.edit, { body: { ...editedUser(userName, viewer), id, ...fields } }),
    list,
    find: async (id: string) => (await list()).find((row: { id: string }) => row.id === id),
    rowOf: (id: string) =>
      test.context.platform.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    audited: (entityId: string) =>
      test.context.platform
        .selectFrom('auditEntries')
        .select(['action', 'actorName', 'changes'])
        .where('entityId', '=', entityId)
        .where('action', 'like', 'users.%')
        .orderBy('id')
        .execute(),
    isSignedIn: async (token: string) => (await test.call(authRoutes.me, { token })).status === 200,
  };
}
