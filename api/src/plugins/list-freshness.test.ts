import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type User, userRoutes } from '@apotheca/contract/users';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrackedList } from '../db/json-list.ts';
import { databasesList } from '../features/databases/databases.repository.ts';
import { faqsList } from '../features/faqs/faqs.repository.ts';
import { questionsList } from '../features/faqs/questions.repository.ts';
import { sectionsList } from '../features/faqs/sections.repository.ts';
import { permissionsList } from '../features/permissions/permissions.repository.ts';
import { tenantsList } from '../features/tenants/tenants.repository.ts';
import { usersList } from '../features/users/users.repository.ts';
import { useTestApp } from '../testing/app.ts';
import { urlOf } from '../testing/routes.ts';

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
  const { pgDump } = await test.context.findTools();
  const psql = spawn(join(dirname(pgDump), 'psql'), ['-qAtX', '-v', 'ON_ERROR_STOP=1', test.databaseUrl]);
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
  }, 120_000);
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
  }, 120_000);
});

describe('the version of a list', () => {
  const sort = { sortDirection: 'asc' } as const;
  const id = '00000000-0000-4000-8000-000000000000';
  // Kinds and ids of operations never change, and their claims, which are watched, go before they do.
  const UNWATCHED = ['operations'];
  const of = <Query>({ tables, select }: TrackedList<Query>, query: Query) => ({ tables, list: select(query) });
  const LISTS = {
    tenants: of(tenantsList('localhost'), { ...sort, sortColumn: 'code' }),
    users: of(usersList, { ...sort, sortColumn: 'userName' }),
    databases: of(databasesList(1), { ...sort, sortColumn: 'datName' }),
    permissions: of(permissionsList, { ...sort, sortColumn: 'name' }),
    faqs: of(faqsList, {}),
    sections: of(sectionsList, { faqId: id }),
    questions: of(questionsList, { sectionId: id }),
  };

  it.each(Object.entries(LISTS))('%s is that of all tables that PostgreSQL reads for it [§7]', async (_, given) => {
    const { tables, list } = given;
    const { rows, values = [] } = list;
    const explained = await test.context.pool.query(`explain (format json) ${rows}`, [...values]);
    const read = [...JSON.stringify(explained.rows).matchAll(/"Relation Name":"(\w+)"/g)].map(([, name]) => name);
    expect(read.length).toBeGreaterThan(0);
    expect(read.filter((name = '') => !tables.includes(name) && !UNWATCHED.includes(name))).toEqual([]);
  });

  it('is that of tables whose every change is noted [§7]', async () => {
    const tables = Object.values(LISTS).flatMap((list) => list.tables);
    const { rows } = await test.context.pool.query<{ table: string; triggers: number }>(
      `select relname as table, count(*)::int as triggers from pg_trigger join pg_class c on c.oid = tgrelid
       where tgfoid = 'note_table_change'::regproc and tgenabled = 'O' group by relname`,
    );
    const watched = rows.filter(({ triggers }) => triggers === 4).map(({ table }) => table);
    expect(tables.filter((name) => !watched.includes(name))).toEqual([]);
  });
});
