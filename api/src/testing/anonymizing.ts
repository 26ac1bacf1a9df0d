import { anonymizationRoutes } from '@apotheca/contract/anonymization';
import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import { tenantRoutes } from '@apotheca/contract/tenants';
import type pg from 'pg';
import { withDatabaseName } from '../db/connections/connection-string.ts';
import { insertSampleRows } from '../demo/sample-rows.ts';
import { getDatabaseByName } from '../features/databases/databases.service.ts';
import { waitForOperation } from '../operations/operations.service.ts';
import type { Answer, TestApp } from './app.ts';
import { tenantInput } from './builders.ts';
import { withClient } from './databases.ts';

export type Row = Record<string, unknown> & { id: number };
export type Snapshot = ReadonlyMap<string, ReadonlyMap<number, Row>>;

/** Helpers for tests of anonymizing. */
export function anonymizing(test: TestApp) {
  const plan = (databaseName: string) => test.call(anonymizationRoutes.planAnonymization, { query: { databaseName } });
  const anonymize = async (databaseName: string, plan?: string, token?: string): Promise<Answer> => {
    const query = { databaseName, ...(plan && { plan }) };
    const answer = await test.call(anonymizationRoutes.anonymize, { query, ...(token && { token }) });
    return answer.status === 202 ? settled(answer) : answer;
  };

  /** The final answer of a call, also if its operation takes longer than the call waits. */
  async function settled(answer: Answer): Promise<Answer> {
    for (;;) {
      const outcome = await waitForOperation(test.context, answer.result.operationId, false);
      if (outcome) return { ...answer, ...outcome, status: 200 };
    }
  }

  /** Runs `work` as the administrator, in UTC. */
  async function inside<T>(name: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const { physicalName } = await getDatabaseByName(test.context, name);
    return withClient(withDatabaseName(test.databaseUrl, physicalName), async (client) => {
      await client.query("set timezone = 'UTC'");
      return work(client);
    });
  }

  async function createFilled(code: string, patients: number): Promise<void> {
    await test.call(tenantRoutes.create, { body: tenantInput(code) });
    await inside(code, (client) => insertSampleRows(client, { patients, seed: 7 }));
  }

  /** Every row of every table as JSON, by id. */
  async function snapshot(name: string): Promise<Snapshot> {
    return inside(name, async (client) => {
      const tables = new Map<string, ReadonlyMap<number, Row>>();
      for (const table of TENANT_TABLE_NAMES) {
        const { rows } = await client.query<{ row: Row }>(`select to_jsonb(t) as row from ${table} t order by id`);
        tables.set(table, new Map(rows.map(({ row }) => [row.id, row])));
      }
      return tables;
    });
  }

  return { plan, anonymize, inside, createFilled, snapshot };
}
