import { hash } from '@node-rs/argon2';
import { type Installation, PASSWORD, SIGN_IN } from './installation.ts';
import { CONNECTIONS, load } from './load.ts';
import { takeTurns } from './measurements.ts';
import { startFloor, startServer } from './processes.ts';
import { fillUsers, withClient } from './rows.ts';
import { compare, type Table } from './tables.ts';

const ROUNDS = 5;
const SIGN_INS = 60;

/** Sign-ins by ten connections, each of a user of its own, beside a bare server that only checks the password's argon2 hash. */
export async function benchSignIn({ environment }: Installation): Promise<Table[]> {
  await withClient(environment.DATABASE_URL, async (client) => {
    await fillUsers(client, CONNECTIONS + 1);
    await client.query("update users set password_hash = $1 where user_name <> 'admin'", [await hash(PASSWORD)]);
  });
  const server = await startServer(environment);
  const floor = await startFloor('argon2.ts', { PASSWORD });
  const { path, headers, bodyFor } = SIGN_IN;
  const bodies = Array.from({ length: CONNECTIONS }, (_, index) => bodyFor(`user${index + 1}`));
  const signInsPerSecond = async (url: string) => (await load({ url, headers, bodies }, SIGN_INS)).answersPerSecond;
  try {
    const figures = await takeTurns(ROUNDS, {
      ours: () => signInsPerSecond(`${server.url}${path}`),
      floor: () => signInsPerSecond(floor.url),
    });
    const name = 'sign-ins beside bare argon2 checks';
    return [compare('Sign-in', [{ name, unit: '/s', target: { atLeast: 0.9 }, ...figures }])];
  } finally {
    await floor.stop();
    await server.stop();
  }
}
