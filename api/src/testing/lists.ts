import { randomUUID } from 'node:crypto';
import { auditRoutes } from '@apotheca/contract/audit';
import { backupRoutes } from '@apotheca/contract/backups';
import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { faqRoutes } from '@apotheca/contract/faqs';
import { menuRoutes } from '@apotheca/contract/menus';
import type { ContractRoute } from '@apotheca/contract/route';
import { ROUTES } from '@apotheca/contract/routes';
import { tenantRoutes } from '@apotheca/contract/tenants';
import type { TestApp } from './app.ts';
import { tenantInput } from './builders.ts';
import { makeFaqs } from './faqs.ts';
import { roleId } from './permissions.ts';
import { urlOf } from './routes.ts';

/** Every call that answers a list with a version. */
export const LISTS = ROUTES.filter((route) => 'list' in route && route.list);

/** Asks for a list as someone with a token. */
export type AskForList = (route: ContractRoute, headers?: Record<string, string>) => ReturnType<typeof injectList>;

const injectList = (
  test: TestApp,
  route: ContractRoute,
  query: Record<string, string>,
  headers: Record<string, string>,
) => test.app.inject({ method: 'GET', url: urlOf(route), query, headers });

/**
 * Makes rows for every list: a tenant with its database, a backup, an operation that claims the database, and an FAQ with a question.
 * @returns a function that asks for a list with what it needs, as the administrator if no other token is among the headers
 */
export async function fillLists(test: TestApp): Promise<AskForList> {
  const make = makeFaqs(test);
  const place = await make.place();
  await make.question(place);
  const { result: tenant } = await test.call(tenantRoutes.create, { body: tenantInput('LISTS') });
  const { rows } = await test.context.pool.query<{ id: string }>('select id from databases where tenant_id = $1', [
    tenant.id,
  ]);
  await insertOperationAndBackup(test, rows[0]?.id ?? '');
  const token = (await test.signIn()).result.accessToken;
  const queries = new Map<ContractRoute, Record<string, string>>([
    [faqSectionRoutes.list, { faqId: place.faqId }],
    [faqQuestionRoutes.list, { sectionId: place.sectionId }],
    [faqRoutes.search, { text: 'question' }],
    [menuRoutes.treeOfRole, { roleId: await roleId(test, 'Administrator') }],
    [backupRoutes.list, { databaseName: 'LISTS' }],
    [auditRoutes.list, { entity: 'faqs', entityId: place.faqId }],
  ]);
  return (route, headers = {}) =>
    injectList(test, route, queries.get(route) ?? {}, { authorization: `Bearer ${token}`, ...headers });
}

async function insertOperationAndBackup({ context: { pool } }: TestApp, databaseId: string): Promise<void> {
  await pool.query(
    `insert into operations (id, kind, database_id, database_name, input, actor_name, address, state, steps, size_bytes, created_at)
     values ($1, 'backup', $2, 'LISTS', '{}', 'nobody', '', 'succeeded', '{"Back up"}', 0, now())`,
    [randomUUID(), databaseId],
  );
  await pool.query(
    `insert into operation_claims (database_id, operation_id) select $1, id from operations where database_id = $1 limit 1`,
    [databaseId],
  );
  await pool.query(
    `insert into backups (id, database_id, database_name, origin, state, row_counts, created_at)
     values ($1, $2, 'LISTS', 'made', 'ready', '{"patients": 3, "medicines": 4}', now())`,
    [randomUUID(), databaseId],
  );
}
