import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { databaseRoutes } from '@apotheca/contract/databases';
import { faqRevisionRoutes } from '@apotheca/contract/faq-revisions';
import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { menuRoutes } from '@apotheca/contract/menus';
import { parkedDatabaseRoutes } from '@apotheca/contract/parked-databases';
import type { ContractRoute } from '@apotheca/contract/route';
import { type User, userRoutes } from '@apotheca/contract/users';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { useTestApp } from '../testing/app.ts';
import { type AskForList, fillLists, LISTS } from '../testing/lists.ts';
import { urlOf } from '../testing/routes.ts';
import { answerList } from './list-answers.ts';

// It answers as ever; the tests also read what it was asked for.
vi.mock('./list-answers.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('./list-answers.ts')>();
  return { ...original, answerList: vi.fn(original.answerList) };
});

const test = useTestApp();

let token: string;
beforeAll(async () => {
  token = (await test.signIn()).result.accessToken;
});

/** A reader that keeps what it was sent, as browsers do. */
function makeReader() {
  let etag = '';
  let users: User[] = [];
  const uses = { sent: 0, unchanged: 0 };
  return {
    uses,
    async read(): Promise<User[]> {
      const headers = { authorization: `Bearer ${token}`, 'if-none-match': etag };
      const answer = await test.app.inject({ method: 'GET', url: urlOf(userRoutes.list), headers });
      if (answer.statusCode === 304) {
        uses.unchanged += 1;
        return users;
      }
      expect(answer.statusCode).toBe(200);
      uses.sent += 1;
      etag = String(answer.headers.etag);
      users = answer.json().result;
      return users;
    },
  };
}

/** psql as a process of its own, told one statement after another. */
async function openPsql() {
  const psql = spawn('psql', ['-qAtX', '-v', 'ON_ERROR_STOP=1', test.databaseUrl]);
  const lines = createInterface({ input: psql.stdout })[Symbol.asyncIterator]();
  return {
    async run(statement: string): Promise<void> {
      psql.stdin.write(`${statement};\n\\echo done\n`);
      expect(await lines.next()).toEqual({ value: 'done', done: false });
    },
    async close(): Promise<void> {
      psql.stdin.end('\\q\n');
      await new Promise((end) => psql.once('close', end));
    },
  };
}

describe('after a write by psql', () => {
  let psql: Awaited<ReturnType<typeof openPsql>>;
  beforeAll(async () => {
    psql = await openPsql();
  });
  afterAll(() => psql.close());

  it('the next read shows it, 1,000 times [§7]', async () => {
    const reader = makeReader();
    for (let round = 0; round < 1_000; round += 1) {
      await psql.run(`update users set notes = 'round ${round}' where user_name = 'admin'`);
      const [admin] = (await reader.read()).filter(({ userName }) => userName === 'admin');
      expect(admin?.notes).toBe(`round ${round}`);
    }
    expect(reader.uses).toEqual({ sent: 1_000, unchanged: 0 });
    await reader.read();
    expect(reader.uses.unchanged).toBe(1);
  });
});

describe('20 writers and 20 readers', () => {
  const WRITERS = 20;
  const ROUNDS = 25;

  it('never meet in an old answer, nor in half a transaction [§7]', async () => {
    const pool = new pg.Pool({ connectionString: test.databaseUrl, max: WRITERS });
    await pool.query(
      `insert into users (user_name, email, first_name, last_name, notes, role_id, created_at, updated_at)
       select 'writer ' || n / 2 || ' ' || n % 2, n || '@writers.test', 'A', 'B', '0', (select id from roles limit 1), now(), now()
       from generate_series(0, $1::int * 2 - 1) n`,
      [WRITERS],
    );
    const committed = Array.from({ length: WRITERS }, () => 0);
    const write = async (writer: number) => {
      for (let round = 1; round <= ROUNDS; round += 1) {
        const client = await pool.connect();
        await client.query('begin');
        for (const half of [0, 1]) {
          const name = `writer ${writer} ${half}`;
          await client.query('update users set notes = $1 where user_name = $2', [String(round), name]);
        }
        await client.query('commit');
        client.release();
        committed[writer] = round;
      }
    };
    let isWriting = true;
    const read = async () => {
      const reader = makeReader();
      let reads = 0;
      while (isWriting) {
        const least = [...committed];
        const users = new Map((await reader.read()).map(({ userName, notes }) => [userName, Number(notes)]));
        for (const [writer, round] of least.entries()) {
          const [one, other] = [users.get(`writer ${writer} 0`), users.get(`writer ${writer} 1`)];
          expect(one).toBe(other);
          expect(one).toBeGreaterThanOrEqual(round);
        }
        reads += 1;
      }
      return reads;
    };
    const readers = Array.from({ length: 20 }, read);
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    isWriting = false;
    const reads = await Promise.all(readers);
    await pool.end();
    expect(Math.min(...reads)).toBeGreaterThan(0);
  });
});

describe('the version of a list', () => {
  let ask: AskForList;
  let psql: Awaited<ReturnType<typeof openPsql>>;
  beforeAll(async () => {
    [ask, psql] = await Promise.all([fillLists(test), openPsql()]);
  });
  afterAll(() => psql.close());

  /** What a call's list reads: what PostgreSQL says, and what the list says. */
  async function readBy(route: ContractRoute) {
    expect((await ask(route)).statusCode).toBe(200);
    const [, , , list, query] = vi.mocked(answerList).mock.lastCall ?? [];
    const { rows, values = [] } = list?.select(query as never) ?? { rows: '' };
    const explained = await test.context.pool.query(`explain (format json) ${rows}`, [...values]);
    const read = [...JSON.stringify(explained.rows).matchAll(/"Relation Name":"(\w+)"/g)].map(([, name]) =>
      String(name),
    );
    return { read: [...new Set(read)].sort(), tables: [...(list?.tables ?? [])].sort() };
  }

  it.each(LISTS.map((route) => [route.path, route] as const))(
    '%s is that of the tables that PostgreSQL reads for it, and of no others [§7]',
    async (_, route) => {
      const { read, tables } = await readBy(route);
      expect(tables.filter((name) => !CHECKED[route.path]?.includes(name))).toEqual(
        read.filter((name) => !UNWATCHED[route.path]?.includes(name)),
      );
    },
  );

  it.each(LISTS.map((route) => [route.path, route] as const))(
    '%s is another one after a change of any of its tables by psql [§7]',
    async (_, route) => {
      const { tables } = await readBy(route);
      for (const table of tables) {
        const etag = String((await ask(route)).headers.etag);
        await psql.run(CHANGES[table] ?? `no change of ${table} is known`);
        const { statusCode, headers } = await ask(route, { 'if-none-match': etag });
        expect([table, statusCode, headers.etag !== etag]).toEqual([table, 200, true]);
      }
    },
  );
});

/** Kinds and ids of operations never change, and their claims, which are watched, go before they do. */
const UNWATCHED: Record<string, string[]> = {
  [databaseRoutes.list.path]: ['operations'],
  [parkedDatabaseRoutes.listParked.path]: ['operations'],
};

/** Tables that are read where a list has no rows: to find out whether there is what it belongs to. */
const CHECKED: Record<string, string[]> = {
  [faqSectionRoutes.list.path]: ['faqs'],
  [faqRevisionRoutes.list.path]: ['faqs', 'faq_sections', 'faq_questions'],
  [menuRoutes.treeOfRole.path]: ['roles'],
};

/** A change of a row in each table that lists read. */
const CHANGES: Record<string, string> = {
  anonymized_clones: "update anonymized_clones set refreshed_at = refreshed_at + interval '1 day'",
  audit_entries: "update audit_entries set address = address || '!'",
  backup_copies: 'update backup_copies set attempts = attempts + 1',
  backup_schedule_runs: 'update backup_schedule_runs set is_late = not is_late',
  backup_schedules: 'update backup_schedules set hour = (hour + 1) % 24',
  backups: 'update backups set size_bytes = size_bytes + 1',
  clinical_roles: 'update clinical_roles set sort_order = sort_order + 100',
  databases: 'update databases set size_bytes = coalesce(size_bytes, 0) + 1',
  database_servers: "update database_servers set region = region || '!'",
  emrs: 'update emrs set sort_order = sort_order + 100',
  faq_helpfulness: `
    insert into faq_helpfulness select id, 1, 0 from faq_questions
    on conflict (question_id) do update set helpful = faq_helpfulness.helpful + 1`,
  faq_questions: "update faq_questions set question = question || '?'",
  faq_revisions: "update faq_revisions set actor_name = actor_name || '!'",
  faq_sections: "update faq_sections set overview = overview || '!'",
  faqs: "update faqs set overview = overview || '!'",
  operation_claims: 'update operation_claims set operation_id = operation_id',
  operations: "update operations set message = message || '!'",
  parked_databases: "update parked_databases set kept_until = kept_until + interval '1 day'",
  passkeys: "update passkeys set name = name || '!'",
  permissions: "update permissions set name = name || '!'",
  role_permissions: `
    delete from role_permissions where (role_id, permission_id) =
      (select role_id, permission_id from role_permissions rp join roles r on r.id = role_id where name = 'Viewer' limit 1)`,
  roles: 'insert into roles (name) values (gen_random_uuid())',
  tenant_statuses: 'update tenant_statuses set sort_order = sort_order + 100',
  tenants: "update tenants set city = city || '!'",
  timezones: 'update timezones set offset_minutes = offset_minutes + 1',
  totp_factors: "update totp_factors set created_at = created_at + interval '1 day'",
  users: "update users set notes = notes || '!'",
};
