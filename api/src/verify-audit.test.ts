import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from './testing/app.ts';
import { runCommand } from './testing/commands.ts';

const test = useTestApp();

beforeAll(() => test.signIn());

const run = (settings: Record<string, string> = {}) => runCommand(test, 'verify-audit.ts', { settings });

const countEntries = async () => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from audit_entries`.execute(
    test.context.platform,
  );
  return Number(rows[0]?.count);
};

describe('npm run audit:verify', () => {
  it('says how many entries there are, and ends well [DECISIONS §12]', async () => {
    const entries = await countEntries();
    expect(entries).toBeGreaterThan(1);
    expect(await run()).toEqual({
      code: 0,
      output: `${entries} audit entries, none altered or removed.\n`,
      errors: '',
    });
    expect(await countEntries()).toBe(entries);
  });

  it('says what is wrong, and ends with 1 [DECISIONS §12]', async () => {
    const setAddress = (address: string) =>
      sql`update audit_entries set address = ${address} where id = 2`.execute(test.context.platform);
    await setAddress('198.51.100.66');
    const found = await run().finally(() => setAddress('127.0.0.1'));
    const errors = 'Entry 2 was altered, or the secret is another one.\n';
    expect(found).toEqual({ code: 1, output: '', errors });
  });

  it('ends with 1 if the secret is another one [DECISIONS §12]', async () => {
    const found = await run({ APOTHECA_SECRET: 'another secret that is long enough, too' });
    expect(found).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^Entry 1 was altered, or the secret is another one\./),
    });
  });

  it.each([
    [{ PORT: 'many' }, /^The audit trail cannot be read: PORT must be a number from 0 to 65535\n$/],
    [
      { DATABASE_URL: 'postgresql://nobody:top-secret@127.0.0.1:9/x' },
      /^The audit trail cannot be read: DATABASE_URL \(127\.0\.0\.1:9\) cannot be used: .*\n$/,
    ],
  ])('says in one line why it cannot begin: %o [DECISIONS §2]', async (settings, line) => {
    const { code, output, errors } = await run(settings as Record<string, string>);
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(line);
    expect(errors).not.toContain('top-secret');
  });
});
