import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, it } from 'vitest';
import { DatabaseTimeout, isConnectionError, isDatabaseAway, violatedConstraint } from './postgres-errors.ts';
import { refusalOf } from './postgres-refusals.ts';

const PACKAGES = fileURLToPath(new URL('../../../../node_modules/', import.meta.url));

/** The files of the installed packages that statements pass through; the errors of SASL's file are those of a sign-in. */
const SOURCES = [
  ['pg', 'lib/client.js'],
  ['pg', 'lib/connection.js'],
  ['pg', 'lib/query.js'],
  ['pg-pool', 'index.js'],
  ['pg-protocol', 'dist/parser.js'],
  ['kysely', 'dist/dialect/postgres/postgres-driver.js'],
  ['kysely', 'dist/driver/runtime-driver.js'],
] as const;

/** Texts that are not about the link, but about wrong use or setup of the packages. Every other text must be one of a lost link. */
const MISTAKES = [
  'A query must have either text or a name. Supplying neither is unsupported.',
  'Binary mode not supported yet',
  'Called end on pool more than once',
  'Client has already been connected. You cannot reuse a client.',
  'Client was passed a null or undefined query',
  'Passing a function as the first parameter to pool.query is not supported',
  'Password must be a string',
  "Prepared statements must be unique - '",
  'Query values must be an array',
  'Release called on client which has already been released to the pool.',
  'The `releaseSavepoint` method is not supported by this driver',
  'The `rollbackToSavepoint` method is not supported by this driver',
  'The `savepoint` method is not supported by this driver',
  "`cursor` is not present in your postgres dialect config. It's required to make streaming work in postgres.",
  'callback is not a function',
  'unexpected condition',
];

/** The text of every error in a source, up to the first part that varies. */
function textsOf(name: string, file: string): string[] {
  const source = readFileSync(join(PACKAGES, name, file), 'utf8');
  const thrown = source.matchAll(/Error\(\s*(?:[\w.]+ \? )?(['"`])((?:(?!\1|\$\{).)+)/g);
  const otherwise = source.matchAll(/: new Error\((['"])((?:(?!\1).)+)\1\)/g);
  return [...thrown, ...otherwise].map(([, , text = '']) => text);
}

const texts = new Set(SOURCES.flatMap(([name, file]) => textsOf(name, file)));
const ofLostLinks = [...texts].filter((text) => !MISTAKES.includes(text));

it('finds the texts of the packages [§8]', () => {
  expect([...texts]).toEqual(
    expect.arrayContaining([
      'timeout expired',
      'Connection terminated unexpectedly',
      'timeout exceeded when trying to connect',
      'Postgres connection has been discarded',
      'driver has already been destroyed',
      'received invalid response: ',
    ]),
  );
  expect(MISTAKES.filter((text) => !texts.has(text))).toEqual([]);
});

it.each(ofLostLinks)('"%s" is a database that is away, for calls and for operations [§8]', (text) => {
  const error = new Error(text);
  expect(isDatabaseAway(error)).toBe(true);
  expect(refusalOf(error)).toMatchObject({ code: 'database-away' });
});

it.each(MISTAKES)('"%s" is no lost link [§8]', (text) => {
  expect(isDatabaseAway(new Error(text))).toBe(false);
  expect(refusalOf(new Error(text))).toBeUndefined();
});

it.each([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'ERR_STREAM_DESTROYED',
  '08006',
  '25006',
  '25P03',
  '57P01',
  '57P03',
])('the code %s is a database that is away [§8]', (code) => {
  expect(refusalOf(Object.assign(new Error('x'), { code }))).toMatchObject({ code: 'database-away' });
});

/** An error of the system, as Node.js has it. */
const system = (code: string, syscall: string) => Object.assign(new Error(`${syscall} ${code}`), { code, syscall });

/** An error of PostgreSQL, as pg has it. */
const refused = (code: string) => Object.assign(new pg.DatabaseError('x', 1, 'error'), { code });

it.each([
  ['answers that come too late while others come', new DatabaseTimeout(true), true],
  ['no connection left in PostgreSQL', refused('53300'), true],
  ['no descriptor left for a connection', system('EMFILE', 'connect'), true],
  ['no descriptor left for a file', system('ENFILE', 'open'), false],
  ['no memory left in PostgreSQL', refused('53200'), false],
  ['a lock that is held for too long', refused('55P03'), false],
  ['locks that wait for each other', refused('40P01'), false],
])('%s is an overload, with a time to try again [§8]', (_, error, isBegunAnew) => {
  expect(refusalOf(error)).toMatchObject({ code: 'overloaded', details: { retryAfter: 2 } });
  expect(isDatabaseAway(error)).toBe(isBegunAnew);
});

it.each([
  ['of PostgreSQL', refused('53100'), /disk of PostgreSQL/],
  [
    'of PostgreSQL, for which it ends each new session,',
    Object.assign(new pg.DatabaseError('could not write init file', 1, 'error'), { code: 'XX000' }),
    /disk of PostgreSQL/,
  ],
  ["of the server's files", system('ENOSPC', 'write'), /data folder/],
  ['of an account that has used up its quota', system('EDQUOT', 'write'), /data folder/],
])('a full disk %s is reported as one [§8]', (_, error, message) => {
  expect(refusalOf(error)).toMatchObject({ code: 'disk-full', message: expect.stringMatching(message) });
});

it.each(['23503', '23001'])(
  '%s is a row that others refer to: ON DELETE RESTRICT has the second from PostgreSQL 18 on [§8]',
  (code) => {
    const error = Object.assign(refused(code), { constraint: 'patients__location_id__fk' });
    expect(violatedConstraint(error)).toEqual({ kind: 'foreign-key', constraint: 'patients__location_id__fk' });
  },
);

it('tells a lost connection, to whatever server, from a fault of what was read [DECISIONS §13]', async () => {
  const [refused] = await once(connect(1, '127.0.0.1'), 'error').catch((error: unknown) => [error]);
  const missing = await readFile('/nowhere/at/all').catch((error: unknown) => error);
  expect([refused, missing, new Error('ECONNRESET'), undefined].map(isConnectionError)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
