import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmptyDatabase, type TestDatabase, withClient } from '../../../testing/databases.ts';
import { readWrittenFromNow } from './comparison.repository.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

const numberOf = async (client: pg.Client): Promise<bigint> =>
  BigInt((await client.query('select pg_current_xact_id()::text as number')).rows[0].number);

describe('rows that count as written since a moment', () => {
  it('are those of later transactions, and none of those that are older, however long ago [decision 076]', () =>
    withClient(database.url, async (client) => {
      const before = await numberOf(client);
      const isWritten = await readWrittenFromNow(client);
      const after = await numberOf(client);
      // A row keeps the number of its transaction after it is frozen, which 2^31 later seems to be one of the future.
      const agoes = [0n, 1_000n, 2n ** 31n - 1_000n, 2n ** 31n + 1_000n, 2n ** 32n - 1_000_000n];
      const xids = [...agoes.map((ago) => before - ago), after].map((xid) => String(BigInt.asUintN(32, xid)));
      const { rows } = await client.query(
        `select ${isWritten} as written from unnest($1::text[]::xid[]) with ordinality t (xmin, place) order by place`,
        [xids],
      );
      expect(rows.map(({ written }) => written)).toEqual([...agoes.map(() => false), true]);
    }));
});
