import { CompiledQuery, sql } from 'kysely';
import { expect, it } from 'vitest';
import { useTestApp } from '../../testing/app.ts';

// In a worker of its own: a process prepares some hundred statements, and those of other files would be among them.
const test = useTestApp();

/** Runs one statement with several values in one connection. @returns its answers, and how it is prepared there */
function answersAndNames(mark: string, values: readonly number[]) {
  return test.context.platform.connection().execute(async (connection) => {
    const answers: number[] = [];
    for (const value of values) {
      const { rows } = await sql<{ answer: number }>`
        select ${value}::integer * 2 as answer, ${sql.lit(mark)} as mark`.execute(connection);
      answers.push(...rows.map(({ answer }) => answer));
    }
    const { rows } = await sql<{ name: string }>`
      select name from pg_prepared_statements where statement like '%' || ${mark} || '%' and statement like '% * 2 %'
    `.execute(connection);
    return { answers, names: rows.map(({ name }) => name) };
  });
}

it('a statement is prepared once in a connection, from its second use on, and answers for each value [§6]', async () => {
  expect(await answersAndNames('used three times', [1, 2, 3])).toEqual({
    answers: [2, 4, 6],
    names: [expect.stringMatching(/^s\d+$/)],
  });
});

it('a statement that is used once is not kept [§6]', async () => {
  expect(await answersAndNames('used once', [4])).toEqual({ answers: [8], names: [] });
});

it.each([
  'select * from growing where id >= $1',
  'select "g".* from growing g where g.id >= $1',
  'select id, g.* from growing g where g.id >= $1',
  'select distinct * from growing where id >= $1',
  'insert into growing values ($1) returning *',
])('a connection goes on with %s when its table gets another column [DECISIONS §13]', async (statement) => {
  await test.context.pool.query(
    'drop table if exists growing; create table growing (id integer); insert into growing values (1)',
  );
  const query = CompiledQuery.raw(statement, [1]);
  await test.context.platform.connection().execute(async (connection) => {
    for (let use = 1; use <= 3; use += 1) await connection.executeQuery(query);
    await test.context.pool.query("alter table growing add column colour text not null default 'red'");
    const { rows } = await connection.executeQuery(query);
    expect(rows).toEqual(expect.arrayContaining([{ id: 1, colour: 'red' }]));
  });
});
