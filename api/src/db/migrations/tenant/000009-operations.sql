-- What operations of the platform leave in a tenant's database.

-- Every operation that changed rows here notes itself in the transaction that did it: after a crash this tells whether it was done.
create table apotheca.applied_operations (
  operation_id uuid        not null,
  result       jsonb       not null,
  applied_at   timestamptz not null default now(),

  constraint applied_operations__operation_id primary key (operation_id)
);

-- What a purge removed, table by table, for as long as it can be put back. Few rows are kept here, as an array of JSON objects whose
-- values are PostgreSQL's texts; many are in a table of their own in the schema apotheca_purged, named kept_table.
create table apotheca.purged_tables (
  operation_id    uuid        not null,
  table_name      text        not null,
  row_count       bigint      not null,
  column_names    text[]      not null,
  rows            json,
  kept_table      text,
  -- Where the identity of the table stood; null where it has none.
  sequence_value  bigint,
  sequence_called boolean,
  purged_at       timestamptz not null,
  put_back_at     timestamptz,

  constraint purged_tables__operation_id__table_name primary key (operation_id, table_name),
  constraint purged_tables__one_place check ((rows is null) <> (kept_table is null) or put_back_at is not null)
);

create schema apotheca_purged;

comment on schema apotheca_purged is 'Rows that a purge removed, until they are put back or 7 days old.';
comment on table apotheca.applied_operations is 'The operations of the platform that changed rows of this database.';
comment on table apotheca.purged_tables is 'What purges removed, for putting it back.';

-- Rows that were removed are not the tenant's to read.
revoke all on apotheca.applied_operations, apotheca.purged_tables from apotheca_tenant;

-- Staff write names there.
comment on column public.athena_ndc_whitelists.reason is 'identifier: free text';

-- Every column that existed before this version was looked at: what has no comment does not identify a person. A later column
-- without a comment has no rule, and anonymising refuses it.
do $$
declare
  target record;
begin
  for target in
    select c.relname as table_name, a.attname as column_name
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and col_description(c.oid, a.attnum) is null
  loop
    execute format('comment on column public.%I.%I is %L', target.table_name, target.column_name, 'not identifying');
  end loop;
end $$;
