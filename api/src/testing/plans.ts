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

/** Does some work. @returns its result, and the statements that were sent meanwhile */
export async function statementsOf<T>(work: () => Promise<T>): Promise<{ result: T; statements: SentStatement[] }> {
  const submit = vi.spyOn(pg.Query.prototype, 'submit');
  try {
    const result = await work();
    const sent = submit.mock.contexts.filter((query) => query instanceof pg.Query);
    const statements = sent.map((query) => ({
      text: String(Reflect.get(query, 'text')),
      values: Reflect.get(query, 'values'),
    }));
    return { result, statements };
  } finally {
    submit.mockRestore();
  }
}

/** Does some work. @returns its result, and the first statement that was sent meanwhile */
export async function firstStatementOf<T>(work: () => Promise<T>): Promise<{ result: T } & SentStatement> {
  const { result, statements } = await statementsOf(work);
  return { result, ...(statements[0] ?? { text: '', values: [] }) };
}
