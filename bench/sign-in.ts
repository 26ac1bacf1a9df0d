import { type Installation, PASSWORD, signInRequest } from './installation.ts';
import { load } from './load.ts';
import { takeTurns } from './measurements.ts';
import { startFloor, startServer } from './processes.ts';
import { compare, type Table } from './tables.ts';

const ROUNDS = 5;
const SIGN_INS = 60;

/** Sign-ins by ten connections beside a bare server that only checks the password's argon2 hash. */
export async function benchSignIn({ environment }: Installation): Promise<Table[]> {
  const server = await startServer(environment);
  const floor = await startFloor('argon2.ts', { PASSWORD });
  const { url: _, ...request } = signInRequest(server.url);
  try {
    const figures = await takeTurns(ROUNDS, {
      ours: async () => (await load(signInRequest(server.url), SIGN_INS)).answersPerSecond,
      floor: async () => (await load({ ...request, url: floor.url }, SIGN_INS)).answersPerSecond,
    });
    const name = 'sign-ins beside bare argon2 checks';
    return [compare('Sign-in', [{ name, unit: '/s', target: { atLeast: 0.9 }, ...figures }])];
  } finally {
    await floor.stop();
    await server.stop();
  }
}
