import pg from 'pg';
import { expect, it } from 'vitest';
import { loggedError } from './logged-error.ts';

const refused = () =>
  Object.assign(new pg.DatabaseError('not like that', 1, 'error'), {
    code: '23505',
    table: 'patients',
    constraint: 'patients__email',
    detail: 'Key (email)=(ada@clinic.test) already exists.',
    where: "COPY patients, line 1: 'Ada'",
    internalQuery: "insert into patients values ('Ada')",
    hint: 'Not Ada',
  });

it.each([
  ['an error', refused(), 1],
  ['its cause', new Error('The rows could not be put back', { cause: refused() }), 0],
  ['errors that are told together', new AggregateError([new Error('one'), new AggregateError([refused()])]), 1],
])('%s is logged without the rows that PostgreSQL says it of [DECISIONS §13]', (_, error, tables) => {
  const text = JSON.stringify(loggedError(error));
  expect(text).toContain('not like that');
  expect(text.match(/"table":"patients"/g) ?? []).toHaveLength(tables);
  expect(text).not.toMatch(/ada/i);
});
