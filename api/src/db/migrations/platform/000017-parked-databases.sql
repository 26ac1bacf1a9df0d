-- Databases that were deleted or replaced are kept for a while, closed, so that they can be put back (decision 035).
alter table databases
  drop constraint databases__state,
  add constraint databases__state check (state in ('creating', 'ready', 'deleting', 'parked'));

-- What putting a parked database back needs. Its row in `databases` has neither name nor tenant, so both can be used again.
create table parked_databases (
  database_id  uuid        not null,
  -- The name that it had.
  name         text        not null collate case_insensitive,
  -- The database that took its place; null: it was deleted.
  replaced_by  uuid,
  -- The row of the tenant that was deleted with it.
  tenant       jsonb,
  parked_at    timestamptz not null,
  -- It is removed for good after this moment.
  kept_until   timestamptz not null,
  constraint parked_databases__database_id primary key (database_id),
  constraint parked_databases__database_id__databases foreign key (database_id) references databases on delete cascade,
  constraint parked_databases__replaced_by foreign key (replaced_by) references databases on delete restrict,
  constraint parked_databases__tenant check (tenant is null or replaced_by is null)
);
create index parked_databases__replaced_by__idx on parked_databases (replaced_by);
call track_changes('parked_databases');
