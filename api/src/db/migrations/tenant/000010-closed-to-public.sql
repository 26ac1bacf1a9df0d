-- What PostgreSQL lets every role do in a new database, and a tenant's role need not. A new database is closed so before its first
-- migration, an older one by this version; nothing here depends on another version, and twice is as good as once.

-- Before PostgreSQL 15, and in a template that somebody changed, PUBLIC may make functions there that are taken for PostgreSQL's own.
revoke create on schema public from public;

-- Advisory locks stand in the lock table that all databases share: one session can fill it. Large objects belong to the role that made
-- them, and keep it and its database from being deleted. Only the owner of the functions can take them from PUBLIC: where the
-- administrator is no superuser they stay, and the README says so.
do $$
declare
  function record;
begin
  for function in
    select p.proname, pg_get_function_identity_arguments(p.oid) as arguments
    from pg_proc p
    where p.pronamespace = 'pg_catalog'::regnamespace
      and p.proname ~ '^(pg_(try_)?advisory_|lo_|loread$|lowrite$)'
      and pg_has_role(p.proowner, 'usage')
      and has_function_privilege('public', p.oid, 'execute')
  loop
    execute format('revoke execute on function pg_catalog.%I(%s) from public', function.proname, function.arguments);
  end loop;
end $$;
