// Rows of the control database for the benchmarks. Every column that a table must have is given, and what a table has not is left out: so the
// same rows go into the database of an earlier commit.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { newestTenantSchemaVersion } from '../api/src/db/migrate.ts';

type Row = Record<string, unknown>;

/** Runs `work` on a connection of its own. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Inserts rows, with those of their columns that the table has, and leaves nothing to autovacuum. */
async function insertRows(client: pg.Client, table: string, rows: Row[]): Promise<void> {
  if (rows.length === 0) return;
  const { rows: found } = await client.query(
    'select column_name from information_schema.columns where table_schema = current_schema() and table_name = $1',
    [table],
  );
  const names = Object.keys(rows[0] ?? {}).filter((name) => found.some(({ column_name }) => column_name === name));
  await client.query(
    `insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, $1::json)`,
    [JSON.stringify(rows)],
  );
  await client.query(`vacuum analyze ${table}`);
}

/** One item for each number from 1 on. */
const numbered = <T>(count: number, make: (number: number) => T): T[] =>
  Array.from({ length: Math.max(count, 0) }, (_, index) => make(index + 1));

const now = () => ({ created_at: new Date(), updated_at: new Date() });

/** Leaves the control database with exactly so many tenants, whose databases stand in the registry only. */
export async function fillTenants(client: pg.Client, count: number): Promise<void> {
  await client.query('delete from databases');
  await client.query('delete from tenants');
  await fillUpTenants(client, count);
}

/** Leaves the control database with exactly so many tenants: those whose databases are real stay, the others stand in the registry only. */
export async function fillUpTenants(client: pg.Client, count: number): Promise<void> {
  await client.query("delete from databases where physical_name like 'db\\_clinic%'");
  await client.query(`delete from tenants where code collate "C" like 'CLINIC%'`);
  const { rows } = await client.query('select count(*)::int as count from tenants');
  const tenants = numbered(count - rows[0].count, tenantRow);
  const databases = tenants.map((tenant) => databaseRow(tenant, randomUUID(), `db_${tenant.code.toLowerCase()}`));
  await insertRows(client, 'tenants', tenants);
  await insertRows(client, 'databases', databases);
}

/** A database that is there. */
export interface MadeDatabase {
  id: string;
  /** Of its tenant, and its own name. */
  code: string;
  /** In PostgreSQL; its role has the same name. */
  physicalName: string;
}

/** Registers databases as those of new tenants, with a size as the server measures it. */
export async function registerTenants(client: pg.Client, made: readonly MadeDatabase[]): Promise<void> {
  const tenants = made.map(({ code }, index) => ({ ...tenantRow(index + 1), code }));
  const measured = { size_bytes: 10_700_000, measured_at: new Date() };
  const databases = made.map(({ id, physicalName }, index) => {
    const tenant = tenants[index];
    if (!tenant) throw new Error('No tenant');
    return { ...databaseRow(tenant, id, physicalName), ...measured };
  });
  await insertRows(client, 'tenants', tenants);
  await insertRows(client, 'databases', databases);
}

const databaseRow = (tenant: { id: string; code: string }, id: string, physicalName: string) => ({
  id,
  name: tenant.code,
  physical_name: physicalName,
  role_name: physicalName,
  role_password: '',
  tenant_id: tenant.id,
  state: 'ready',
  schema_version: newestTenantSchemaVersion(),
  server: 'default',
  ...now(),
});

const tenantRow = (number: number) => ({
  id: randomUUID(),
  code: `CLINIC${number}`,
  customer_code: `Clinic number ${number}`,
  name: `Clinic number ${number}`,
  first_name: 'Ines',
  last_name: `Moreau ${number}`,
  email: `ines${number}@clinic.test`,
  phone: '(425) 555-0134',
  address_line1: `${number} Shore Drive`,
  address_line2: '',
  address_line3: '',
  city: 'Everett',
  state: 'WA',
  zip_code: '98201',
  emr_id: 'athenahealth',
  timezone_id: 'America/Los_Angeles',
  tenant_status_id: 'live',
  tenant_version: '1.0',
  tenant_api_url: '',
  configuration: '',
  subdomain: '',
  logo_url: '',
  color_scheme: '',
  subscription_level: 'Monthly',
  subscription_start_date: '2026-01-01',
  subscription_end_date: '2099-01-01',
  license_count: 25,
  is_active: true,
  version: 1,
  ...now(),
});

/** Leaves the control database with exactly so many users, the administrator among them. */
export async function fillUsers(client: pg.Client, count: number): Promise<void> {
  await client.query("delete from users where user_name <> 'admin'");
  const { rows: roles } = await client.query('select id from roles order by name');
  const users = numbered(count - 1, (number) => ({
    id: randomUUID(),
    user_name: `user${number}`,
    email: `user${number}@clinic.test`,
    password_hash: 'nobody knows',
    first_name: 'Ines',
    last_name: `Moreau ${number}`,
    middle_initial: '',
    title: 'PharmD',
    dea_number: 'NA',
    phone: '(425) 555-0134',
    notes: 'Works on weekdays',
    role_id: roles[number % roles.length].id,
    clinical_role_id: 'pharmacist',
    is_active: true,
    version: 1,
    ...now(),
  }));
  await insertRows(client, 'users', users);
}

const REMOVE_PERMISSIONS = `delete from permissions where identifier collate "C" like 'bench.%'`;

/** Adds so many menus in six levels, as many on each, all inside the first one of the level above. */
export async function fillMenus(client: pg.Client, count: number, levels = 6): Promise<void> {
  await client.query(REMOVE_PERMISSIONS);
  let parent: string | null = null;
  for (let level = 1; level <= levels; level += 1) {
    const menus: Row[] = numbered(Math.ceil(count / levels), (number) => ({
      ...permissionRow(`bench.${level}.${number}`, `Menu ${level}.${number}`, number),
      is_menu: true,
      route: '/bench',
      icon: 'circle',
      parent_permission_id: parent,
    }));
    await insertRows(client, 'permissions', menus);
    parent = String(menus[0]?.id);
  }
}

/** Adds so many permissions in ten modules. */
export async function fillPermissions(client: pg.Client, count: number): Promise<void> {
  await client.query(REMOVE_PERMISSIONS);
  const permissions = numbered(count, (number) => ({
    ...permissionRow(`bench.${number}`, `Permission ${number}`, number),
    module: `Module ${number % 10}`,
  }));
  await insertRows(client, 'permissions', permissions);
}

const permissionRow = (identifier: string, name: string, sortOrder: number) => ({
  id: randomUUID(),
  module: 'Menu',
  name,
  identifier,
  is_menu: false,
  is_active: true,
  is_built_in: false,
  route: null,
  icon: null,
  sort_order: sortOrder,
  parent_permission_id: null,
  version: 1,
  ...now(),
});

/** Leaves the control database with exactly so many FAQs. */
export async function fillFaqs(client: pg.Client, count: number): Promise<void> {
  await client.query('delete from faqs');
  const faqs = numbered(count, (number) => content({ name: `FAQ ${number}`, code: `F${number}` }, number));
  await insertRows(client, 'faqs', faqs);
}

/** An FAQ with one section of so many questions. */
export interface FilledFaq {
  faqId: string;
  sectionId: string;
  questions: string[];
}

/** Leaves the control database with one FAQ, whose one section has so many questions. */
export async function fillQuestions(client: pg.Client, count: number): Promise<FilledFaq> {
  await client.query('delete from faqs');
  const faq = content({ name: 'Bench', code: 'BENCH' }, 1);
  await insertRows(client, 'faqs', [faq]);
  const section = { ...content({ name: 'Bench', code: 'BENCH' }, 1), faq_id: faq.id, icon: '' };
  await insertRows(client, 'faq_sections', [section]);
  const questions = numbered(count, (number) => {
    const answer = `<p>${'An answer of some words. '.repeat(12)}</p>`;
    return { ...content({ question: `Question number ${number}?`, answer }, number), section_id: section.id };
  });
  await insertRows(client, 'faq_questions', questions);
  return { faqId: faq.id, sectionId: section.id, questions: questions.map(({ id }) => id) };
}

const content = (fields: Row, number: number) => ({
  id: randomUUID(),
  overview: '',
  ...fields,
  sort_order: number - 1,
  is_active: true,
  published: true,
  version: 1,
  ...now(),
});
