import { expect, it } from 'vitest';
import { forgetOldSessions } from './features/auth/sessions.service.ts';
import { forgetOldDeliveries } from './features/webhooks/dispatch.ts';
import { forgetOldOperations } from './operations/operations.service.ts';
import { forgetOldKeys } from './plugins/idempotency.ts';
import { useTestApp } from './testing/app.ts';

const test = useTestApp();

/** Rows of long ago, more than may go in one statement. */
const OLD = `generate_series(1, 11000) n, (values ('2020-01-01'::timestamptz)) of_old (old)`;

const FILLED: Record<string, string> = {
  operations: `
    insert into operations (id, kind, database_id, database_name, input, actor_name, address, state, steps, size_bytes, created_at, finished_at)
    select gen_random_uuid(), 'backup', gen_random_uuid(), 'ACME', '{}', '', '', 'succeeded', '{}', 0, old, old from ${OLD}`,
  sessions: `
    insert into sessions (
      id, user_id, kind, access_token_id, access_issued_at, address, created_at, last_used_at, last_seen_at, expires_at
    )
    select gen_random_uuid(), (select id from users limit 1), 'api', gen_random_uuid(), old, '', old, old, old, old from ${OLD}`,
  sign_in_attempts: `
    insert into sign_in_attempts (subject, attempts, blocked_until, updated_at) select 'old ' || n, 1, old, old from ${OLD}`,
  idempotency_keys: `
    insert into idempotency_keys (caller, key, request, attempt, held_until, created_at)
    select '', n, '', gen_random_uuid(), old, old from ${OLD}`,
  used_provider_tokens: `
    insert into used_provider_tokens (digest, expires_at) select sha256(('old ' || n)::bytea), old from ${OLD}`,
  webhook_deliveries: `
    with webhook as (
      insert into webhooks (name, kind, sealed, event_types, entry_cursor, created_at, updated_at)
      values ('old', 'standard', '', '{tenants.created}', 0, now(), now()) returning id
    )
    insert into webhook_deliveries (
      webhook_id, entry_id, event_id, event_type, entity, entity_id, body, occurred_at, state, due_at, ended_at
    )
    select (select id from webhook), n, n, '', '', '', '', old, 'delivered', old, old from ${OLD}`,
};

it('what has expired is deleted some rows at a time, as a statement for all of a backlog would take too long [DECISIONS §9]', async () => {
  const { context } = test;
  await context.pool.query(`
    create function refuse_many() returns trigger language plpgsql as $$ begin
      if (select count(*) from gone) > 10000 then raise 'this would take too long'; end if;
      return null;
    end $$`);
  for (const [table, fill] of Object.entries(FILLED)) {
    await context.pool.query(fill);
    await context.pool.query(
      `create trigger refuse_many after delete on ${table} referencing old table as gone
        for each statement execute function refuse_many()`,
    );
  }
  await forgetOldOperations(context);
  await forgetOldSessions(context, 1);
  await forgetOldKeys(context);
  await forgetOldDeliveries(context);
  for (const table of Object.keys(FILLED)) {
    const { rowCount } = await context.pool.query(`select from ${table} t where t::text like '%2020-01-01%'`);
    expect([table, rowCount]).toEqual([table, 0]);
  }
});
