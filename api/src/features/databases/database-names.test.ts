import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { databaseName, RESERVED_DATABASE_NAMES } from '@apotheca/contract/database-name';
import { databaseRoutes } from '@apotheca/contract/databases';
import { tenantRoutes } from '@apotheca/contract/tenants';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, inject, it } from 'vitest';
import type { Platform } from '../../db/platform.ts';
import { type Answer, TEST_CONNECTIONS, useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { withClient } from '../../testing/databases.ts';
import { IS_LONG_RUN } from '../../testing/long-run.ts';

// What is deleted or replaced is dropped at once; parking has tests of its own.
const test = useTestApp({ parkDays: 0 });

const NAMES = IS_LONG_RUN ? 10_000 : 150;
/** How many calls run at a time, each on its own database. */
const LANES = 8;
/**
 * A part of every generated name. When PostgreSQL logs it outside of a value, a name has become part of a statement. It is too long to
 * occur by chance in a password's base64.
 */
const MARK = 'zqxjvkzqxjvk';

const hostile = fc.constantFrom(
  `${MARK}'; drop table tenants; --`,
  `${MARK}"; drop database postgres; --`,
  `${MARK}$$; select pg_sleep(9); $$`,
  `${MARK}\\'; truncate users; --`,
  `${MARK}%s %I %L $1 ?`,
  `../${MARK}/*`,
  `${MARK}\u0000hidden`,
  `${MARK}\ud800`,
  `${MARK}\u200bjoined`,
  `${MARK}\u202egnp`,
  `${MARK}\nselect 1`,
  `👩‍⚕️ ${MARK} 💊`,
  `Straße ${MARK} ﬁ`,
  `ı İ ${MARK}`,
  '',
  '   ',
  'template0',
  'Postgres',
  'APOTHECA',
);
const long = fc.integer({ min: 250, max: 260 }).map((length) => `${MARK} `.padEnd(length, 'long'));
const twin = fc.constantFrom('Case Twin', 'case twin', 'CASE TWIN', ' case  twin ').map((text) => `${text} ${MARK}`);
const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((rest) => `${MARK}${rest}`);
const name = fc.oneof({ weight: 3, arbitrary: hostile }, long, twin, { weight: 5, arbitrary: text });

const call = {
  create: (code: string, given: string) =>
    test.call(tenantRoutes.create, { body: tenantInput(code, { databaseName: given }) }),
  clone: (copyFrom: string, given: string) =>
    test.call(databaseRoutes.copy, { query: { copyFrom, databaseName: given } }),
  rename: (from: string, given: string) =>
    test.call(databaseRoutes.rename, { query: { databaseName: from, newName: given } }),
  delete: (given: string) => test.call(databaseRoutes.delete, { query: { databaseName: given } }),
};
const isRegistered = async (given: string) =>
  (await test.context.platform.selectFrom('databases').select('name').where('name', '=', given).execute()).some(
    (row) => row.name === given,
  );

/** Expects a refusal, or a database with the given name. @returns its name */
async function checkAnswer(answer: Answer, given: string): Promise<string | undefined> {
  const parsed = databaseName('required').safeParse(given);
  if (!parsed.success) {
    expect(answer.status, JSON.stringify(given)).toBe(400);
    return undefined;
  }
  if (RESERVED_DATABASE_NAMES.includes(parsed.data)) expect(answer.status, given).toBe(409);
  expect([200, 409], `${JSON.stringify(given)} ${answer.message}`).toContain(answer.status);
  if (answer.status === 409) return undefined;
  expect(await isRegistered(parsed.data), given).toBe(true);
  return parsed.data;
}

async function walk(lane: number, names: readonly string[]): Promise<void> {
  const code = `LANE ${lane}`;
  expect((await call.create(code, code)).status).toBe(200);
  let mine = code;
  for (const [index, generated] of names.entries()) {
    // A URL cannot have half of a surrogate pair.
    const given = generated.toWellFormed();
    if (index % 100 === 0) {
      const made = await checkAnswer(await call.create(`LANE ${lane} ${index}`, generated), generated);
      if (made) expect((await call.rename(made, `MADE ${lane} ${index}`)).status).toBe(200);
    } else if (index % 100 === 50) {
      const made = await checkAnswer(await call.clone(mine, given), given);
      if (made) expect((await call.delete(made)).status, made).toBe(200);
    } else if (index % 100 === 75) {
      // No database has such a name. One that another lane has cloned may have the generated one.
      expect([400, 404], JSON.stringify(given)).toContain((await call.delete(`NONE ${given}`)).status);
    } else {
      mine = (await checkAnswer(await call.rename(mine, given), given)) ?? mine;
    }
  }
}

/** Whether all connections of the pool work. The pool finds a connection that PostgreSQL has ended only by using it. */
const isWhole = (connections: Platform) =>
  Promise.all(Array.from({ length: TEST_CONNECTIONS }, () => sql`select pg_sleep(0.1)`.execute(connections))).then(
    () => true,
    () => false,
  );

/** The statements that PostgreSQL has logged since the test began, without their parameters. */
async function loggedStatements(since: string): Promise<string[]> {
  const lines = createInterface({ input: createReadStream(inject('postgresLog'), 'utf8') });
  const statements: string[] = [];
  let hasBegun = false;
  for await (const line of lines) {
    if (line.includes(since)) hasBegun = true;
    if (hasBegun && /LOG: {2}(statement|execute|parse|bind)/.test(line)) statements.push(line);
    // The further lines of a statement begin with a tab.
    else if (hasBegun && line.startsWith('\t')) statements.push(line);
  }
  return statements;
}

it(`${NAMES} generated names are refused or stored as given, and none becomes part of a statement [DECISIONS §6]`, async () => {
  const begin = `names begin ${process.pid}`;
  const setLogging = (value: string) =>
    withClient(test.databaseUrl, async (client) => {
      const { rows } = await client.query('select current_database() as name');
      await client.query(`alter database "${rows[0].name}" set log_statement = '${value}'`);
    });
  await setLogging('all');
  // Older sessions do not log.
  await withClient(test.databaseUrl, async (client) => {
    await client.query(`select '${begin}'`);
    await client.query(
      'select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  });
  for (const connections of [test.context.platform, test.context.utility])
    await expect.poll(() => isWhole(connections)).toBe(true);
  const names = fc.sample(name, { numRuns: NAMES, seed: 20_261_121 });
  const lanes = Array.from({ length: LANES }, (_, lane) => names.filter((_name, index) => index % LANES === lane));
  await Promise.all(lanes.map((own, lane) => walk(lane, own)));
  await setLogging('none');
  const statements = await loggedStatements(begin);
  expect(statements.length).toBeGreaterThan(NAMES);
  const foreign = statements
    .map((line) => line.replaceAll(/db_[0-9a-f]{32}[a-z0-9_]*/g, ''))
    .filter((line) => line.toLowerCase().includes(MARK));
  expect(foreign).toEqual([]);
});
