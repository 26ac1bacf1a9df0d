import { apiKeyRoutes } from '@apotheca/contract/api-keys';
import { serviceAccountRoutes } from '@apotheca/contract/service-accounts';
import { type Account, insertAccount, roleIdOf, signInTo } from './accounts.ts';
import type { TestApp } from './app.ts';

interface KeyFields {
  name?: string;
  scopes?: string[];
  addresses?: string[];
  expiresOnUtc?: string;
  userId?: string;
}

let made = 0;

/** Functions that make people, service accounts and their keys. */
export function useApiKeys(test: TestApp) {
  const create = (token: string | undefined, fields: KeyFields = {}) => {
    made += 1;
    const body = { name: `key ${made}`, scopes: ['tenants.read'], ...fields };
    return test.call(apiKeyRoutes.create, { body, ...(token && { token }) });
  };
  const issued = async (token: string | undefined, fields?: KeyFields): Promise<{ id: string; key: string }> => {
    const { status, message, result } = await create(token, fields);
    if (status !== 200) throw new Error(`There is no key: ${message}`);
    return result;
  };
  return {
    create,
    issued,
    /** A new person with a session. */
    person: async (role = 'Administrator'): Promise<{ account: Account; token: string }> => {
      const account = await insertAccount(test, { role });
      return { account, token: (await signInTo(test, account)).accessToken };
    },
    /** A new service account. */
    service: async (userName: string, role = 'Administrator'): Promise<string> => {
      const body = { userName, roleId: await roleIdOf(test, role) };
      const { status, message, result } = await test.call(serviceAccountRoutes.create, { body });
      if (status !== 200) throw new Error(`There is no service account: ${message}`);
      return result.id;
    },
    rotate: (token: string | undefined, body: Record<string, unknown>) =>
      test.call(apiKeyRoutes.rotate, { body, ...(token && { token }) }),
    revoke: (token: string | undefined, id: string) =>
      test.call(apiKeyRoutes.delete, { query: { id }, ...(token && { token }) }),
    list: (token: string | undefined, userId?: string) =>
      test.call(apiKeyRoutes.list, { ...(userId && { query: { userId } }), ...(token && { token }) }),
    audited: (entityId: string) =>
      test.context.platform
        .selectFrom('auditEntries')
        .select(['action', 'actorId', 'actorName', 'address', 'changes'])
        .where('entity', '=', 'api_keys')
        .where('entityId', '=', entityId)
        .orderBy('id')
        .execute(),
  };
}
