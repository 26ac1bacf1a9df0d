import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../../errors.ts';
import { createEmptyDatabase, withClient } from '../../testing/databases.ts';
import { testTools } from '../../testing/postgres-version.ts';
import { openTcpProxy } from '../../testing/tcp-proxy.ts';
import { useTlsServer } from '../../testing/tls-server.ts';
import { withDatabaseName } from '../connections/connection-string.ts';
import { fullDisk, isDatabaseAway } from '../errors/postgres-errors.ts';
import { addressOf, ProgramError, runProgram } from './client-program.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

/** The error of a pg_dump with a changed address of the test's database. */
async function failureAt(change: (url: URL) => void): Promise<unknown> {
  const url = new URL(database.url);
  change(url);
  const { address, environment } = addressOf(url.href);
  const { pgDump } = await testTools();
  const dumping = runProgram(pgDump, ['--no-password', `--dbname=${address}`], { environment });
  return dumping.then(
    () => undefined,
    (error: unknown) => error,
  );
}

it('a refused sign-in is a failure with its reason, not an outage: trying again would not help [DECISIONS §8]', async () => {
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

describe('a server that is lost while its rows are read', () => {
  const tls = useTlsServer();
  const MANY = "create table many as select repeat('x', 1000) from generate_series(1, 50000)";
  beforeAll(async () => {
    await withClient(database.url, (client) => client.query(MANY));
    await tls.ask(MANY);
  });
  const encrypted = () => {
    const url = new URL(withDatabaseName(tls.url, 'postgres'));
    url.search = String(new URLSearchParams({ sslmode: 'verify-full', sslrootcert: tls.caFile }));
    return url.href;
  };

  it.each([
    ['reset', 'as it is', () => database.url],
    ['close', 'as it is', () => database.url],
    ['reset', 'over TLS', encrypted],
    ['close', 'over TLS', encrypted],
  ] as const)('is an outage: %s, %s [DECISIONS §8]', async (end, _way, target) => {
    const link = await openTcpProxy(target());
    onTestFinished(() => link.close());
    const url = new URL(link.url);
    url.hostname = 'localhost';
    const { address, environment } = addressOf(url.href);
    const { pgDump } = await testTools();
    const onOutput = (chunk: Buffer) => {
      if (chunk.includes('xxx')) link.set(end);
    };
    const dumping = runProgram(pgDump, ['--no-password', `--dbname=${address}`], { environment, onOutput });
    const failure = await dumping.catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: expect.stringMatching(/contents of table "many" failed/) });
    expect(isDatabaseAway(failure)).toBe(true);
  });
});

it('a server that takes no writes is an outage [DECISIONS §8]', async () => {
  const line =
    'pg_restore: error: could not execute query: ERROR:  cannot execute CREATE TABLE in a read-only transaction';
  const failure = await runProgram('sh', ['-c', 'echo "$0" >&2; exit 1', line], {}).catch((error: unknown) => error);
  expect(isDatabaseAway(failure)).toBe(true);
});

it('settings of the connection string reach the program as they reach the server [DECISIONS §2]', async () => {
  const failure = await failureAt((url) => {
    url.searchParams.set('options', '-c no_such.setting=1 -c lock_timeout=wrong');
  });
  expect(failure).toMatchObject({ message: expect.stringContaining('"lock_timeout": "wrong"') });
});

it('a server without the TLS that is asked for is a failure with its reason: trying again would not help [§2.30]', async () => {
  const refused = await failureAt((url) => url.searchParams.set('sslmode', 'require'));
  expect(refused).toMatchObject({
    message: expect.stringContaining('server does not support SSL, but SSL was required'),
  });
  expect(isDatabaseAway(refused)).toBe(false);
});

it.each([
  ['verify-full', 'sslmode=verify-full&sslrootcert=%2Fca.pem'],
  ['verify-full', 'sslmode=require&sslrootcert=%2Fca.pem'],
  ['require', 'sslmode=require'],
  ['require', 'sslmode=require&sslrootcert=%2Fca.pem&uselibpqcompat=true'],
  ['disable', 'sslmode=disable&sslrootcert=%2Fca.pem'],
  [null, ''],
])('a client program verifies no less than the server does: %s for %s [§2.30]', (mode, given) => {
  const { address } = addressOf(`postgresql://someone@db.clinic.test/apotheca?${given}`);
  expect(new URL(address).searchParams.get('sslmode')).toBe(mode);
});

const REFUSED_LOGIN = Object.assign(new pg.DatabaseError('password authentication failed', 0, 'error'), {
  code: '28P01',
});

it.each([
  [
    'is ended where its server gives no sign of life',
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
    true,
  ],
  ['goes on where its server lets nobody in any more', REFUSED_LOGIN, false],
])('a program %s [§2.30]', async (_, cause, isEnded) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const away = new AppError('database-away', { message: 'It does not answer.' }, { cause });
  const ask = vi.fn(() => Promise.reject(away));
  const stop = new AbortController();
  const stopped = new Error('stopped');
  const ended = vi.fn((error: unknown) => error);
  const running = runProgram('sleep', ['600'], { signal: stop.signal, ask }).catch(ended);
  while (ask.mock.calls.length < 5 && !ended.mock.calls.length) await vi.advanceTimersByTimeAsync(1_000);
  stop.abort(stopped);
  expect(await running).toBe(isEnded ? away : stopped);
});

it('a client program looks for the machine of its server as soon, and as often, as the server does [DECISIONS §3]', () => {
  const { searchParams } = new URL(addressOf('postgresql://someone@db.clinic.test/apotheca').address);
  const asked = ['keepalives_idle', 'keepalives_interval', 'keepalives_count'].map((name) => searchParams.get(name));
  expect(asked).toEqual(['5', '1', '10']);
});

it.each([
  ['server', 'pg_dump: error: could not write to output file: No space left on device'],
  ['postgres', 'pg_restore: error: COPY failed: ERROR:  could not extend file "base/1/2": No space left on device'],
] as const)('a full disk of %s is reported as one [§8]', async (whose, line) => {
  const saying = runProgram('sh', ['-c', 'echo "$0" >&2; exit 1', line], {});
  const failure = await saying.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ProgramError);
  expect(fullDisk(failure)).toBe(whose);
});

describe('an error that is none', () => {
  const harmless = /transaction_timeout/;
  const REFUSED =
    'pg_restore: error: could not execute query: ERROR:  unrecognized configuration parameter "transaction_timeout"';
  /** What comes of a program that prints lines of errors, goes on for as long as it is let, and ends with a code. */
  const outcome = (lines: string[], code: number) =>
    runProgram(
      'sh',
      ['-c', `printf '%s\\n' "$@" >&2; [ $# -lt 2 ] || exec sleep infinity; exit ${code}`, 'sh', ...lines],
      {
        harmless,
      },
    ).then(
      () => 'success',
      (error: Error) => error.message,
    );

  it('is forgiven once, and any other one ends the program [DECISIONS §2]', async () => {
    expect(await outcome([REFUSED], 1)).toBe('success');
    expect(await outcome([REFUSED, REFUSED], 1)).toBe(REFUSED);
    expect(await outcome([REFUSED, 'pg_restore: error: COPY failed'], 1)).toBe('pg_restore: error: COPY failed');
    expect(await outcome(['pg_restore: error: COPY failed', 'pg_restore: error: more'], 1)).toMatch(/COPY failed/);
  });

  it('explains no other end of the program [DECISIONS §2]', async () => {
    expect(await outcome([REFUSED], 2)).toMatch(/ended with code 2/);
    expect(await outcome(['pg_restore: a warning'], 1)).toMatch(/ended with code 1/);
  });
});

it('a program that is cancelled while it is being started does not run [§2.13]', async () => {
  const cancelling = new AbortController();
  const running = runProgram('sleep', ['infinity'], { signal: cancelling.signal });
  const reason = new Error('cancelled');
  cancelling.abort(reason);
  await expect(running).rejects.toBe(reason);
});

/** Runs a script in place of a pg_restore that reads a hostile archive. */
async function failureOf(script: string, options: Partial<Parameters<typeof runProgram>[2]> = {}): Promise<unknown> {
  return runProgram(process.execPath, ['-e', script], options).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('what an archive makes a client program say', () => {
  it('is cut: a line of 560 MB ends only the program [§2.13]', async () => {
    const lines: number[] = [];
    const said = await failureOf(
      `const part = Buffer.alloc(1024 * 1024, 'w');
       const write = (left) => left > 0 && process.stderr.write(part, () => write(left - 1));
       write(560);`,
      { onLine: (line) => lines.push(line.length) },
    );
    expect(said).toMatchObject({ message: 'It was ended because it said more than 4 MiB of errors and warnings.' });
    expect(said).toBeInstanceOf(ProgramError);
    expect(lines).toEqual([]);
  });

  it('is reported in 2 KB, and matched quickly: 1.3 MB of errors that look like lost connections [§2.13]', async () => {
    const began = performance.now();
    const said = await failureOf(
      `process.stderr.write('pg_restore: error: ' + 'connection to server '.repeat(65_000) + '\\n', () => process.exit(1));`,
    );
    expect(said).toBeInstanceOf(ProgramError);
    expect((said as Error).message.length).toBeLessThanOrEqual(2048);
    // A regular expression that backtracks takes 170 seconds.
    expect(performance.now() - began).toBeLessThan(30_000);
  });

  it('is waited for until the deadline, even if the program would never end [§2.13]', async () => {
    const script = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`;
    expect(await failureOf(script, { deadline: 300 })).toMatchObject({
      message: 'It was ended because it took longer than 1 minute.',
    });
  });
});
