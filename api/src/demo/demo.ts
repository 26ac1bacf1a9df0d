import { randomBytes } from 'node:crypto';
import { ALWAYS } from '@apotheca/contract/faq-content';
import { DEFAULT_DEA_NUMBER } from '@apotheca/contract/user-form';
import { sql } from 'kysely';
import type pg from 'pg';
import { SERVER_ACTOR } from '../actor.ts';
import type { Context } from '../context.ts';
import { listRows } from '../db/json-list.ts';
import { AppError } from '../errors.ts';
import { getDatabaseByName, measureDatabase } from '../features/databases/databases.service.ts';
import { createFaq, listFaqs } from '../features/faqs/faqs.service.ts';
import { createQuestion, listQuestions } from '../features/faqs/questions.service.ts';
import { createSection, listSections } from '../features/faqs/sections.service.ts';
import { listRoles } from '../features/roles/roles.service.ts';
import { createTenant, setTenantActive } from '../features/tenants/tenants.service.ts';
import { createUser } from '../features/users/users.service.ts';
import { utcDay } from '../wording.ts';
import { DEMO_FAQS } from './demo-faqs.ts';
import { DEMO_TENANTS } from './demo-tenants.ts';
import { DEMO_USERS } from './demo-users.ts';
import { insertSampleRows } from './sample-rows.ts';

const MARK = 'demo';
/** Key of the advisory lock that lets one server process at a time make the demo. */
const DEMO_LOCK = 7_206_432;

/** Each step can be repeated after an interruption. */
const STEPS: ((context: Context) => Promise<void>)[] = [
  ...DEMO_USERS.map((demo) => (context: Context) => makeDemoUser(context, demo)),
  ...DEMO_FAQS.map((demo) => (context: Context) => makeDemoFaq(context, demo)),
  ...DEMO_TENANTS.map((demo, index) => (context: Context) => makeDemoTenant(context, demo, index)),
];

/**
 * Makes a small, believable set of users, FAQs, and tenants with databases and rows, once in each installation. After an
 * interruption it goes on at the next start. Records that an administrator has deleted do not come back.
 * @param signal stops it between two steps
 */
export async function makeDemo(context: Context, signal: AbortSignal): Promise<void> {
  await context.platform.connection().execute(async (connection) => {
    const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${DEMO_LOCK}) as locked`.execute(
      connection,
    );
    if (!rows[0]?.locked) return;
    try {
      const mark = await connection
        .selectFrom('installationMarks')
        .select('name')
        .where('name', '=', MARK)
        .executeTakeFirst();
      if (mark) return;
      for (const step of STEPS) {
        if (signal.aborted) return;
        await step(context);
      }
      await connection.insertInto('installationMarks').values({ name: MARK }).execute();
    } finally {
      await sql`select pg_advisory_unlock(${DEMO_LOCK})`.execute(connection);
    }
  });
}

/** The password is random and known to nobody: with a known one anybody could sign in. */
async function makeDemoUser(context: Context, demo: (typeof DEMO_USERS)[number]): Promise<void> {
  const { role, hasPassword, ...fields } = demo;
  const roleId = idOf(await listRows(context.pool, listRoles, {}), 'roleName', role);
  const password = hasPassword ? randomBytes(22).toString('base64url') : null;
  await unlessItExists(
    createUser(context, SERVER_ACTOR, { ...fields, roleId, deaNumber: DEFAULT_DEA_NUMBER, password }),
  );
}

const PUBLIC = { isActive: true, published: true, ...ALWAYS };

async function makeDemoFaq(context: Context, { sections, ...fields }: (typeof DEMO_FAQS)[number]): Promise<void> {
  await unlessItExists(createFaq(context, SERVER_ACTOR, { ...PUBLIC, ...fields, module: null, sortOrder: 0 }));
  const faqId = idOf(await listRows(context.pool, listFaqs, {}), 'code', fields.code);
  for (const [at, section] of sections.entries()) await makeDemoSection(context, faqId, at, section);
}

async function makeDemoSection(
  context: Context,
  faqId: string,
  sortOrder: number,
  { questions, ...fields }: (typeof DEMO_FAQS)[number]['sections'][number],
): Promise<void> {
  await unlessItExists(createSection(context, SERVER_ACTOR, { ...PUBLIC, ...fields, faqId, icon: '', sortOrder }));
  const sectionId = idOf(await listRows(context.pool, listSections(context), { faqId }), 'code', fields.code);
  const present = await listRows(context.pool, listQuestions(context), { sectionId });
  for (const [at, question] of questions.entries()) {
    if (idOf(present, 'question', question.question)) continue;
    await createQuestion(context, SERVER_ACTOR, { ...PUBLIC, ...question, faqId, sectionId, sortOrder: at });
  }
}

/** The id of the first row of a list with a value; empty if there is none. */
function idOf(rows: readonly unknown[], field: string, value: string): string {
  return (rows as Record<string, string>[]).find((row) => row[field] === value)?.id ?? '';
}

async function makeDemoTenant(context: Context, demo: (typeof DEMO_TENANTS)[number], index: number): Promise<void> {
  const { endsInDays, ...fields } = demo;
  const day = (plusDays: number) => utcDay(context.now(), plusDays);
  const subscription = { subscriptionStartDate: day(endsInDays - 365), subscriptionEndDate: day(endsInDays) };
  const made = await unlessItExists(
    createTenant(context, SERVER_ACTOR, { ...fields, ...subscription, isActive: true }),
  );
  if (made && !fields.isActive) await setTenantActive(context, SERVER_ACTOR, made.id, false);
  await fillDemoDatabase(context, fields.databaseName, index, day(0));
}

/** The new record; undefined if it was made before an interruption. Its parts may still be missing. */
async function unlessItExists<T>(made: Promise<T>): Promise<T | undefined> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof AppError && error.code === 'already-exists') return undefined;
    throw error;
  }
}

async function fillDemoDatabase(context: Context, databaseName: string, index: number, today: string): Promise<void> {
  const database = await getDatabaseByName(context, databaseName);
  const fill = async (client: pg.Client) => {
    await client.query('begin');
    const { rows } = await client.query('select exists (select from public.patients) as filled');
    if (!rows[0].filled) await insertSampleRows(client, { patients: 40 + index * 25, seed: index + 1, today });
    await client.query('commit');
  };
  await context.tenants.with(database, fill, { unlimited: true, applicationName: 'apotheca demo' });
  await measureDatabase(context, context.platform, database);
}
