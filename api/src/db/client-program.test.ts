import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEmptyDatabase } from '../testing/databases.ts';
import { addressOf, ProgramError, runProgram } from './client-program.ts';
import { isDatabaseAway } from './postgres-errors.ts';
import { findPostgresTools } from './postgres-tools.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

/** How pg_dump fails that is sent to the test's database in another way. */
async function failureAt(change: (url: URL) => void): Promise<unknown> {
  const url = new URL(database.url);
  change(url);
  const { address, environment } = addressOf(url.href);
  const { pgDump } = await findPostgresTools(undefined, 15);
  const dumping = runProgram(pgDump, ['--no-password', `--dbname=${address}`], { environment });
  return dumping.then(
    () => undefined,
    (error: unknown) => error,
  );
}

it('a refused sign-in is a failure with its reason and no outage: to try it again changes nothing [DECISIONS §8]', async () => {
  const refused = await failureAt((url) => {
    url.username = 'nobody_of_that_name';
    url.password = 'wrong';
  });
  expect(refused).toBeInstanceOf(ProgramError);
  expect(refused).toMatchObject({ message: expect.stringMatching(/FATAL: .*nobody_of_that_name/) });
  expect(isDatabaseAway(refused)).toBe(false);
});

it('a server that cannot be reached is an outage [DECISIONS §8]', async () => {
  // Nothing listens on the discard port.
  const unreachable = await failureAt((url) => {
    url.port = '9';
  });
  expect(isDatabaseAway(unreachable)).toBe(true);
});
