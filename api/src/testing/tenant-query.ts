import { withDatabaseName } from '../db/connections/connection-string.ts';
import { getDatabaseByName } from '../features/databases/databases.service.ts';
import type { TestApp } from './app.ts';
import { withClient } from './databases.ts';

/** Queries a tenant's database as the cluster's superuser. @param name the database's name @returns the rows */
export async function queryTenant(test: TestApp, name: string, text: string, values: unknown[] = []) {
  const { physicalName } = await getDatabaseByName(test.context, name);
  const url = withDatabaseName(test.databaseUrl, physicalName);
  const { rows } = await withClient(url, (client) => client.query(text, values));
  return rows;
}
