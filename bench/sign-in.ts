import { hash } from '@node-rs/argon2';
import { type Installation, PASSWORD, SIGN_IN } from './installation.ts';
import { CONNECTIONS, load } from './load.ts';
import { takeTurns } from './measurements.ts';
import { type RunningProcess, startFloor, startServer } from './processes.ts';
import { fillUsers, withClient } from './rows.ts';
import { type Comparison, compare, type Table, type Target } from './tables.ts';

const ROUNDS = 5;
const SIGN_INS = 60;

/** Answers a second, and milliseconds of processor time an answer: of the server, and of PostgreSQL. */
interface Round {
  rate: number;
  serverCpu: number;
  postgresCpu: number;
}

/**
 * Sign-ins by ten connections, each of a user of its own, beside a bare server that only checks the password's argon2 hash. Earlier code
 * has a control database of its own.
 */
export async function benchSignIn(installation: Installation): Promise<Table[]> {
  const { environment, earlier } = installation;
  const server = await startServer(environment);
  const floor = await startFloor('argon2.ts', { PASSWORD });
  const before = earlier && (await startServer(earlier.environment, earlier.root));
  try {
    for (const { DATABASE_URL } of [environment, ...(earlier ? [earlier.environment] : [])])
      await giveUsers(DATABASE_URL);
    const sides: Record<string, () => Promise<Round>> = {
      ours: () => signIns(installation, server, SIGN_IN.path),
      floor: () => signIns(installation, floor, ''),
    };
    if (before) sides.earlier = () => signIns(installation, before, SIGN_IN.path);
    const { ours = [], ...others } = await takeTurns<string, Round>(ROUNDS, sides);
    const beside = (name: string, side: Round[] = [], target?: Target) => [
      compared(`sign-ins beside ${name}`, '/s', ({ rate }) => rate, ours, side, target),
      compared('processor time of one, server', ' ms', ({ serverCpu }) => serverCpu, ours, side),
      compared(
        'processor time of one, PostgreSQL too',
        ' ms',
        (round) => round.serverCpu + round.postgresCpu,
        ours,
        side,
      ),
    ];
    const rows = beside('bare argon2 checks', others.floor, { atLeast: 0.9 });
    return [compare('Sign-in', [...rows, ...(earlier ? beside(earlier.ref, others.earlier) : [])])];
  } finally {
    await before?.stop();
    await floor.stop();
    await server.stop();
  }
}

function giveUsers(databaseUrl: string): Promise<void> {
  return withClient(databaseUrl, async (client) => {
    await fillUsers(client, CONNECTIONS + 1);
    await client.query("update users set password_hash = $1 where user_name <> 'admin'", [await hash(PASSWORD)]);
  });
}

async function signIns({ postgresCpu }: Installation, side: RunningProcess, path: string): Promise<Round> {
  const { headers, bodyFor } = SIGN_IN;
  const bodies = Array.from({ length: CONNECTIONS }, (_, index) => bodyFor(`user${index + 1}`));
  const before = [side.cpu(), postgresCpu()] as const;
  const { answersPerSecond, times } = await load({ url: `${side.url}${path}`, headers, bodies }, SIGN_INS);
  return {
    rate: answersPerSecond,
    serverCpu: (side.cpu() - before[0]) / times.length,
    postgresCpu: (postgresCpu() - before[1]) / times.length,
  };
}

const compared = (
  name: string,
  unit: string,
  figure: (round: Round) => number,
  ours: Round[],
  floor: Round[],
  target?: Target,
): Comparison => ({ name, unit, ours: ours.map(figure), floor: floor.map(figure), ...(target && { target }) });
