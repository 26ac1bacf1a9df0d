import { sql } from 'kysely';
import pg from 'pg';
import { SERVER_ACTOR } from './audit/audit.service.ts';
import type { Context } from './context.ts';
import { insertSampleRows } from './db/sample-rows.ts';
import { DEMO_TENANTS } from './demo-tenants.ts';
import { AppError } from './errors.ts';
import { connectionStringOf, getDatabaseByName, measureDatabase } from './features/databases/databases.service.ts';
import { createTenant, setTenantActive } from './features/tenants/tenants.service.ts';

const MARK = 'demo';
/** One server process at a time makes the demo. */
const DEMO_LOCK = 7_206_432;

/**
 * Makes a small believable set of tenants with databases and rows, once in the life of an installation. Interrupted, it
 * goes on at the next start; what an administrator deleted does not come back.
 * @param signal ends it between two tenants
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
      for (const [index] of DEMO_TENANTS.entries()) {
        if (signal.aborted) return;
        await makeDemoTenant(context, index);
      }
      await connection.insertInto('installationMarks').values({ name: MARK }).execute();
    } finally {
      await sql`select pg_advisory_unlock(${DEMO_LOCK})`.execute(connection);
    }
  });
}

async function makeDemoTenant(context: Context, index: number): Promise<void> {
  const demo = DEMO_TENANTS[index];
  if (!demo) return;
  const { endsInDays, ...fields } = demo;
  const day = (plusDays: number) =>
    new Date(context.now().getTime() + plusDays * 86_400_000).toISOString().slice(0, 10);
  const subscription = { subscriptionStartDate: day(endsInDays - 365), subscriptionEndDate: day(endsInDays) };
  try {
    const { id } = await createTenant(context, SERVER_ACTOR, { ...fields, ...subscription, isActive: true });
    if (!fields.isActive) await setTenantActive(context, SERVER_ACTOR, id, false);
  } catch (error) {
    // Made before the interruption; its rows may still be missing.
    if (!(error instanceof AppError) || error.code !== 'already-exists') throw error;
  }
  await fillDemoDatabase(context, fields.databaseName, index, day(0));
}

async function fillDemoDatabase(context: Context, databaseName: string, index: number, today: string): Promise<void> {
  const database = await getDatabaseByName(context, databaseName);
  const connectionString = connectionStringOf(context, database);
  const client = new pg.Client({ connectionString, application_name: 'apotheca demo' });
  await client.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query('select exists (select from patients) as filled');
    if (!rows[0].filled) await insertSampleRows(client, { patients: 40 + index * 25, seed: index + 1, today });
    await client.query('commit');
  } finally {
    await client.end();
  }
  await measureDatabase(context, context.platform, database);
}
