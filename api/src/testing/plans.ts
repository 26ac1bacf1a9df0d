import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { vi } from 'vitest';

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Runs a statement. @returns how many rows PostgreSQL read in that step of its plan which read most */
export async function mostRowsRead(client: pg.Client | pg.Pool, text: string, values: unknown[] = []): Promise<number> {
  const { rows } = await client.query(`explain (analyze, format json) ${text}`, values);
  const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan);
  return Math.max(
    ...nodes.map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']),
  );
}

interface SentStatement {
  text: string;
  values: unknown[];
}

/** What the work has sent that a statement belongs to. A connection of the server's pools sends at once what it is asked, and so as a part of it. */
const sentBy = new AsyncLocalStorage<SentStatement[]>();

/**
 * Does some work over the server's pools. @returns its result, and the statements that it sent, without those of what else goes on in this
 * process
 */
export async function statementsOf<T>(work: () => Promise<T>): Promise<{ result: T; statements: SentStatement[] }> {
  const statements: SentStatement[] = [];
  const send = pg.Query.prototype.submit;
  const submit = vi.spyOn(pg.Query.prototype, 'submit').mockImplementation(function (this: pg.Query, connection) {
    const sent = { text: String(Reflect.get(this, 'text')), values: Reflect.get(this, 'values') };
    sentBy.getStore()?.push(sent);
    return send.call(this, connection);
  });
  try {
    return { result: await sentBy.run(statements, work), statements };
  } finally {
    submit.mockRestore();
  }
}

/** Does some work. @returns its result, and the first statement that it sent, as above */
export async function firstStatementOf<T>(work: () => Promise<T>): Promise<{ result: T } & SentStatement> {
  const { result, statements } = await statementsOf(work);
  return { result, ...(statements[0] ?? { text: '', values: [] }) };
}
