import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditRoutes } from '@apotheca/contract/audit';
import { BASE_PATHS } from '@apotheca/contract/route';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendAudit } from '../../audit/audit.service.ts';
import { findAnchor, formatAnchor } from '../../audit/signatures.ts';
import { useTestApp } from '../../testing/app.ts';
import { runCommand } from '../../testing/commands.ts';
import { exportAudit } from './audit-export.ts';
import { removeExpiredEntries } from './retention.ts';

const test = useTestApp();
let folder = '';

const append = (count: number, entityId: string, name = 'tester') =>
  test.context.platform.transaction().execute(async (trx) => {
    for (let n = 0; n < count; n += 1) {
      const actor = { id: null, name, address: '198.51.100.1' };
      await appendAudit(test.context, trx, { actor, action: 'tests.write', entity: 'tests', entityId, changes: { n } });
    }
  });
const download = async (query: Record<string, string>) => {
  const token = (await test.signIn()).result.accessToken;
  const headers = { authorization: `Bearer ${token}` };
  return test.app.inject({ url: BASE_PATHS.api + auditRoutes.export.path, query, headers });
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'apotheca-trail-'));
  // More than are read at once.
  await append(2_500, 'many');
  await append(1, 'formula', '=1+1, "quoted"');
});
afterAll(() => rm(folder, { recursive: true }));

describe('GET /audit/export', () => {
  it('gives what a filter leaves as CSV, which a spreadsheet cannot run, newest first [DECISIONS §13]', async () => {
    const { headers, body } = await download({ format: 'csv', entityId: 'formula' });
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename\*=UTF-8''audit%20.*\.csv$/),
      'cache-control': 'no-store',
    });
    const [head, row, end] = body.split('\r\n');
    expect(head).toBe('\ufeffid,onUtc,actorName,actorId,action,outcome,entity,entityId,address,changes');
    expect(row).toMatch(
      /^\d+,[\d:.TZ-]+,"'=1\+1, ""quoted""",,tests\.write,succeeded,tests,formula,198\.51\.100\.1,"\{""n"":0\}"$/,
    );
    expect(end).toBe('');
    const many = (await download({ format: 'csv', entityId: 'many' })).body.split('\r\n').slice(1, -1);
    const ids = many.map((line) => Number(line.split(',')[0]));
    expect(ids).toEqual([...ids].sort((one, other) => other - one));
    expect(new Set(ids).size).toBe(2_500);
  });

  it('gives the same as JSON, also where it is nothing [DECISIONS §13]', async () => {
    const entries = JSON.parse((await download({ format: 'json', entityId: 'many' })).body);
    expect(entries).toHaveLength(2_500);
    const [newest] = (await test.call(auditRoutes.search, { query: { entityId: 'many' } })).result.entries;
    expect(entries[0]).toEqual(newest);
    expect(JSON.parse((await download({ format: 'json', entityId: 'nothing' })).body)).toEqual([]);
  });

  it('is audited, with the filter [DECISIONS §13]', async () => {
    await download({ format: 'csv', actor: 'nobody' });
    const [entry] = (await test.call(auditRoutes.search, { query: { action: 'audit.export' } })).result.entries;
    expect(entry).toMatchObject({ actorName: 'admin', changes: { format: 'csv', actor: 'nobody' } });
  });

  it('is refused where the format is another one [DECISIONS §13]', async () => {
    expect((await download({ format: 'xml' })).json()).toMatchObject({
      status: 400,
      message: 'format must be one of: csv, json, trail',
    });
  });
});

describe('npm run audit:verify -- --file', () => {
  let lines: string[] = [];
  beforeAll(async () => {
    lines = (await download({ format: 'trail' })).body.split('\n');
  });
  const verify = async (content: string, options: readonly string[] = [], settings: Record<string, string> = {}) => {
    const file = join(folder, 'trail.jsonl');
    await writeFile(file, content);
    // The server of the trail is not asked.
    const offline = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none', ...settings };
    return runCommand(test, 'verify-audit.ts', { args: ['--file', file, ...options], settings: offline });
  };
  const changed = (change: (all: string[]) => string[]) => change([...lines]).join('\n');
  const idAt = (index: number): string => JSON.parse(lines[index] ?? '').id;

  it('verifies the file of the whole trail without server and database [DECISIONS §13]', async () => {
    expect(await verify(lines.join('\n'))).toEqual({
      code: 0,
      output: `${lines.length - 3} audit entries, none altered or removed.\n`,
      errors: '',
    });
  });

  it.each<[string, (all: string[]) => string[], (id: (index: number) => string) => string]>([
    [
      'a changed row',
      (all) => all.with(9, all[9]?.replace('198.51', '198.52').replace('127.0', '127.1') ?? ''),
      (id) => `Entry ${id(9)} was altered, or the secret is another one.`,
    ],
    ['a removed row', (all) => all.toSpliced(9, 1), (id) => `Entry ${id(9)} is missing.`],
    ['an inserted row', (all) => all.toSpliced(9, 0, all[9] ?? ''), (id) => `Entry ${id(10)} is missing.`],
    ['swapped rows', (all) => all.with(9, all[10] ?? '').with(10, all[9] ?? ''), (id) => `Entry ${id(9)} is missing.`],
    ['a removed newest row', (all) => all.toSpliced(-3, 1), () => ''],
    ['a missing end', (all) => all.slice(0, 100), () => 'The end of the file is missing.'],
    [
      'an altered head',
      (all) => all.with(-2, all.at(-2)?.replace(/ \d+ /, ' 9 ') ?? ''),
      () => 'The signed head at the end of the file was altered, or the secret is another one.',
    ],
    ['a line that is no JSON', (all) => all.with(9, '{'), () => ''],
    ['another file', () => ['hello'], () => 'This is no file of a whole audit trail.'],
  ])('finds %s [DECISIONS §13]', async (_what, change, problem) => {
    const { code, output, errors } = await verify(changed(change));
    expect({ code, output }).toEqual({ code: 1, output: '' });
    const expected = problem(idAt);
    if (expected) expect(errors).toBe(`${expected}\n`);
    else expect(errors).toMatch(/^(Entries after \d+ are missing|The file has a line that is no entry: .*)/);
  });

  it('compares with an anchor from the log, given as a line or as a file [DECISIONS §13]', async () => {
    const { audit } = test.context.keys;
    const head = findAnchor(audit, lines.at(-2) ?? '');
    if (!head) throw new Error('The file has no signed head.');
    const later = formatAnchor(audit, {
      ...head,
      lastId: String(Number(head.lastId) + 10),
      on: '2026-11-21T01:00:00.000Z',
    });
    const missing = `Entries ${Number(head.lastId) + 1} to ${Number(head.lastId) + 10} are missing: an anchor of 2026-11-21T01:00:00.000Z knows of them.\n`;
    expect((await verify(lines.join('\n'), ['--anchor', `{"level":30,"msg":"${later}"}`])).errors).toBe(missing);
    const log = join(folder, 'server.log');
    await writeFile(log, `{"level":50}\n${formatAnchor(audit, head)}\n${later}\n`);
    expect((await verify(lines.join('\n'), ['--anchor', log])).errors).toBe(missing);
    expect((await verify(lines.join('\n'), ['--anchor', formatAnchor(audit, head)])).code).toBe(0);
    expect((await verify(lines.join('\n'), ['--anchor', 'nothing'])).errors).toBe(
      'The audit trail cannot be read: --anchor names neither a line nor a file with an anchor that this secret has signed\n',
    );
  });

  it('finds the newest anchor of a log that is longer than a text can be, and says why one cannot be read [DECISIONS §13]', async () => {
    const { audit } = test.context.keys;
    const head = findAnchor(audit, lines.at(-2) ?? '');
    if (!head) throw new Error('The file has no signed head.');
    const later = formatAnchor(audit, { ...head, lastId: String(Number(head.lastId) + 10) });
    const log = join(folder, 'long.log');
    const file = await open(log, 'w');
    await file.write(`${later}\n`);
    // What lies between takes no room on the disk.
    for (let part = 1; part <= 33; part += 1) await file.write('\n', part * 16 * 1024 * 1024);
    await file.write(`${formatAnchor(audit, head)}\n`, 33 * 16 * 1024 * 1024 + 1);
    await file.close();
    expect((await verify(lines.join('\n'), ['--anchor', log])).errors).toMatch(
      new RegExp(`^Entries ${Number(head.lastId) + 1} to ${Number(head.lastId) + 10} are missing: `),
    );
    expect((await verify(lines.join('\n'), ['--anchor', folder])).errors).toBe(
      `The audit trail cannot be read: Cannot read ${folder}: EISDIR: illegal operation on a directory, read\n`,
    );
  });

  it('compares the database with an anchor too [DECISIONS §13]', async () => {
    const line = formatAnchor(test.context.keys.audit, {
      lastId: '9999999',
      lastHash: Buffer.alloc(32),
      on: '2026-11-21T01:00:00.000Z',
    });
    const { code, errors } = await runCommand(test, 'verify-audit.ts', { args: ['--anchor', line] });
    expect(code).toBe(1);
    expect(errors).toMatch(
      /^Entries \d+ to 9999999 are missing: an anchor of 2026-11-21T01:00:00\.000Z knows of them\.\n$/,
    );
  });

  it('says that it needs the secret, or which argument is wrong [DECISIONS §13]', async () => {
    expect((await verify(lines.join('\n'), [], { APOTHECA_SECRET: '' })).errors).toMatch(
      /^The audit trail cannot be read: Set APOTHECA_SECRET, or APOTHECA_DATA_DIR to a folder with secrets\.json: /,
    );
    expect((await verify(lines.join('\n'), ['--fil'])).errors).toMatch(/^The audit trail cannot be read: .*--fil/);
    const gone = await runCommand(test, 'verify-audit.ts', { args: ['--file', join(folder, 'gone')] });
    expect(gone.errors).toMatch(/^The audit trail cannot be read: Cannot read .*gone: ENOENT/);
  });
});

describe('a download of the whole trail', () => {
  const DAY = 86_400;
  const begin = async () => {
    const actor = { id: null, name: 'tester', address: '198.51.100.1' };
    const { content } = await exportAudit(test.context, actor, 'trail', {});
    const parts: AsyncIterator<string> = content[Symbol.asyncIterator]();
    const next = async (): Promise<string> => (await parts.next()).value ?? '';
    const rest = async () => {
      const found: string[] = [];
      for (let part = await next(); part !== ''; part = await next()) found.push(part);
      return found;
    };
    return { next, rest };
  };

  it('breaks off where entries that it has not come to were removed because of their age [DECISIONS §13]', async () => {
    const { next, rest } = await begin();
    expect(await next()).toContain('"removed":null');
    test.clock.advance(2 * DAY);
    test.context.auditDays = 1;
    await removeExpiredEntries(test.context);
    // Otherwise the file would tell of a trail of which somebody has removed entries.
    await expect(rest()).rejects.toThrow('were removed because of their age');
    const again = await begin();
    expect(await again.next()).toContain('"removed":{');
    expect((await again.rest()).at(-1)).toContain('"head":');
  });

  it('is whole where somebody else has removed entries, so that the file shows it [DECISIONS §13]', async () => {
    await append(2, 'tampered');
    const { platform } = test.context;
    const oldest = platform.selectFrom('auditEntries').select('id').orderBy('id').limit(1);
    const { id } = await oldest.executeTakeFirstOrThrow();
    await platform.deleteFrom('auditEntries').where('id', '=', id).execute();
    const file = await (await begin()).rest();
    expect(file.join('')).not.toContain(`"id":"${id}"`);
    expect(file.at(-1)).toContain('"head":');
  });
});
