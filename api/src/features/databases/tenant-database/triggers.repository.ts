import type pg from 'pg';
import { inPublic } from './qualified-names.ts';

/**
 * Runs `work` while no trigger and no rule of the tables runs; both are as before afterwards. Where it fails, the caller's transaction must be
 * rolled back. Only a superuser may set session_replication_role, and triggers that are enabled always run in spite of it.
 */
export async function withoutTriggers<T>(
  client: pg.Client,
  tables: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const { rows } = await client.query<{ off: string; on: string }>(
    `select format('alter table %s disable %s', class, what) as off,
       format('alter table %s enable %s%s', class, case mode when 'A' then 'always ' when 'R' then 'replica ' else '' end, what) as on
     from (
       select tgrelid::regclass as class, 'trigger ' || quote_ident(tgname) as what, tgenabled as mode from pg_trigger
       where not tgisinternal
       union all
       select ev_class::regclass, 'rule ' || quote_ident(rulename), ev_enabled from pg_rewrite
     ) own
     where mode <> 'D' and class = any ($1::regclass[])`,
    [tables.map(inPublic)],
  );
  for (const { off } of rows) await client.query(off);
  const result = await work();
  // PostgreSQL alters no table of whose rows something is still to be checked.
  if (rows.length > 0) await client.query('set constraints all immediate');
  for (const { on } of rows) await client.query(on);
  return result;
}
