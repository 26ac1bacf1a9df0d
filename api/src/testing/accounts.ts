import { ADMINISTRATOR } from './administrator.ts';
import type { TestApp } from './app.ts';

export interface Account {
  id: string;
  userName: string;
}

interface AccountFields {
  /** Name of an existing role. */
  role?: string;
  userName?: string;
  email?: string;
  isActive?: boolean;
  /** Absent: the administrator's, so that tests need not hash one; null: nobody can sign in. */
  passwordHash?: string | null;
}

let made = 0;

/** Inserts a user with the administrator's password. */
export async function insertAccount(test: TestApp, fields: AccountFields = {}): Promise<Account> {
  made += 1;
  const { role = 'Viewer', userName = `person${made}`, email = `${userName}@people.test`, ...rest } = fields;
  const { platform } = test.context;
  const administrator = platform
    .selectFrom('users')
    .select('passwordHash')
    .where('userName', '=', ADMINISTRATOR.userName);
  const [roleId, { passwordHash }] = await Promise.all([roleIdOf(test, role), administrator.executeTakeFirstOrThrow()]);
  const { id } = await platform
    .insertInto('users')
    .values({ userName, email, passwordHash, firstName: 'Pat', lastName: 'Doe', roleId, deletedAt: null, ...rest })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, userName };
}

/** Signs in as an account. @returns its pair of tokens */
export async function signInTo(
  test: TestApp,
  { userName }: Pick<Account, 'userName'>,
): Promise<{ accessToken: string; refreshToken: string }> {
  const { status, message, result } = await test.signIn(userName);
  if (status !== 200) throw new Error(`${userName} cannot sign in: ${message}`);
  return { accessToken: result.accessToken, refreshToken: result.refreshToken };
}

/** The id of a role by its name. */
export async function roleIdOf({ context }: TestApp, name: string): Promise<string> {
  const role = context.platform.selectFrom('roles').select('id').where('name', '=', name);
  return (await role.executeTakeFirstOrThrow()).id;
}

/** The id of the seeded administrator. */
export async function administratorIdOf({ context }: TestApp): Promise<string> {
  const user = context.platform.selectFrom('users').select('id').where('userName', '=', ADMINISTRATOR.userName);
  return (await user.executeTakeFirstOrThrow()).id;
}
