-- By what PostgreSQL verifies the passwords of logins, so that PgBouncer lets programs in by the same (decision 075).
alter table database_logins add column scram_verifier text;

-- What PgBouncer asks with each login: nothing of one that has ended, or whose database is closed or under work.
create function pgbouncer_login(login text) returns table (usename text, passwd text)
  language sql stable security definer set search_path = pg_catalog as $$
    select l.role_name, l.scram_verifier from public.database_logins l join public.databases d on d.id = l.database_id
    where l.role_name = login and (l.valid_until is null or l.valid_until > now())
      and d.state = 'ready' and d.access <> 'closed'
  $$;
revoke all on function pgbouncer_login(text) from public;
