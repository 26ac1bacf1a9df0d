-- Tells whether a table has changed since an answer was made of it (decision 029). Each statement that changes rows of a tracked table
-- leaves a random number here in its own transaction, whoever sends it. The exclusive or of a table's numbers is its version: another
-- one for every set of changes that a snapshot sees. Rows are only added, so that transactions never wait for each other here;
-- merging numbers into one leaves their exclusive or as it is.
create table table_changes (
  table_name text   not null,
  number     bigint not null
);
create index table_changes__table_name__idx on table_changes (table_name);

-- As its owner, and by the path of this migration: whoever may write a tracked table need know nothing of this one.
create function note_table_change() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if tg_op <> 'TRUNCATE' then
    -- A statement without rows has changed nothing. Columns that the trigger names are of no interest in themselves.
    if tg_op = 'UPDATE' and tg_nargs > 0 then
      if not exists (
        select from (select to_jsonb(o) - tg_argv as row from old_rows o) o
        full join (select to_jsonb(n) - tg_argv as row from new_rows n) n using (row)
        where o.row is null or n.row is null
      ) then
        return null;
      end if;
    elsif tg_op = 'DELETE' then
      if not exists (select from old_rows) then return null; end if;
    elsif not exists (select from new_rows) then
      return null;
    end if;
  end if;
  insert into table_changes values (tg_table_name, hashtextextended(gen_random_uuid()::text, 0));
  return null;
end $$;

-- Tracks the changes of a table. `ignored`: columns whose change alone is none.
create procedure track_changes(tracked text, variadic ignored text[] default '{}')
language plpgsql as $$
begin
  execute format(
    'create trigger note_insert after insert on %1$I referencing new table as new_rows
       for each statement execute function note_table_change();
     create trigger note_update after update on %1$I referencing old table as old_rows new table as new_rows
       for each statement execute function note_table_change(%2$s);
     create trigger note_delete after delete on %1$I referencing old table as old_rows
       for each statement execute function note_table_change();
     create trigger note_truncate after truncate on %1$I
       for each statement execute function note_table_change();',
    tracked, (select coalesce(string_agg(quote_literal(c), ', '), '') from unnest(ignored) c)
  );
end $$;

call track_changes('tenants');
call track_changes('tenant_statuses');
call track_changes('timezones');
call track_changes('emrs');
call track_changes('databases', 'measured_at');
call track_changes('operation_claims');
call track_changes('backups');
call track_changes('users');
call track_changes('roles');
call track_changes('permissions');
call track_changes('faqs');
call track_changes('faq_sections');
call track_changes('faq_questions');
