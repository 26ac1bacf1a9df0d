import { randomUUID } from 'node:crypto';
import { auditRoutes } from '@apotheca/contract/audit';
import { backupRoutes } from '@apotheca/contract/backups';
import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { faqRevisionRoutes } from '@apotheca/contract/faq-revisions';
import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { faqRoutes } from '@apotheca/contract/faqs';
import { menuRoutes } from '@apotheca/contract/menus';
import type { ContractRoute } from '@apotheca/contract/route';
import { ROUTES } from '@apotheca/contract/routes';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { insertAccount } from './accounts.ts';
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
 * Makes rows for every list: a tenant with its database, a backup with a copy, a schedule of backups, an anonymized clone, an operation that claims the
 * database, a parked database, and an FAQ with a question.
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
  await insertParked(test, rows[0]?.id ?? '');
  await insertFactors(test);
  const token = (await test.signIn()).result.accessToken;
  const queries = new Map<ContractRoute, Record<string, string>>([
    [faqSectionRoutes.list, { faqId: place.faqId }],
    [faqQuestionRoutes.list, { sectionId: place.sectionId }],
    [faqRoutes.search, { text: 'question' }],
    [faqRevisionRoutes.list, { kind: 'faq', id: place.faqId }],
    [menuRoutes.treeOfRole, { roleId: await roleId(test, 'Administrator') }],
    [backupRoutes.list, { databaseName: 'LISTS' }],
    [auditRoutes.list, { entity: 'faqs', entityId: place.faqId }],
  ]);
  return (route, headers = {}) =>
    injectList(test, route, queries.get(route) ?? {}, { authorization: `Bearer ${token}`, ...headers });
}

/** An authenticator app and a passkey of a user for whom nobody signs in. */
async function insertFactors(test: TestApp): Promise<void> {
  const { id } = await insertAccount(test);
  const { pool } = test.context;
  await pool.query(`insert into totp_factors (user_id, secret, last_step, created_at) values ($1, '', 0, now())`, [id]);
  await pool.query(
    `insert into passkeys (user_id, name, credential_id, public_key, transports, counter, created_at)
     values ($1, 'Laptop', 'AAAA', '', '{}', 0, now())`,
    [id],
  );
}

/** A row like that of a database, in state 'parked'. PostgreSQL has no such database. */
async function insertParked({ context: { pool } }: TestApp, databaseId: string): Promise<void> {
  await pool.query(
    `with parked as (
       insert into databases (id, name, physical_name, role_name, role_password, state, created_at, schema_version)
       select gen_random_uuid(), 'parked', physical_name || '_parked', role_name || '_parked', role_password, 'parked',
         created_at, schema_version
       from databases where id = $1
       returning id
     )
     insert into parked_databases (database_id, name, tenant, parked_at, kept_until)
     select id, 'PARKED', '{"code": "PARKED"}', now(), now() from parked`,
    [databaseId],
  );
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
  await pool.query(`insert into backup_copies (backup_id, store) select id, 'file:/mnt/copies' from backups`);
  await pool.query(
    `insert into backup_schedules (database_id, frequency, hour, weekday, keep_hourly, keep_daily, keep_weekly, keep_monthly)
     values ($1, 'daily', 2, 7, 24, 7, 4, 12)`,
    [databaseId],
  );
  await pool.query('insert into anonymized_clones (database_id, refreshed_at) values ($1, now())', [databaseId]);
  await pool.query("insert into backup_schedule_runs (database_id, rule, due_at) values ($1, 'daily', now())", [
    databaseId,
  ]);
}
