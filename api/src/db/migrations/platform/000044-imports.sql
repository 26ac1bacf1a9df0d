-- CSV files that people import (decision 057).

create table imports (
  id           uuid        not null default gen_random_uuid(),
  -- Whose records they are.
  subject      text        not null,
  created_by   uuid        not null,
  -- The newest operation that writes its rows; null while there is only a plan.
  operation_id uuid,
  -- The permissions of the API key that has started that operation; null: it was no key.
  scopes       text[],
  created_at   timestamptz not null,
  constraint imports__id primary key (id),
  constraint imports__created_by foreign key (created_by) references users on delete cascade,
  -- Operations are forgotten after 90 days, and what they imported with them. An import names its operation before that is there.
  constraint imports__operation_id foreign key (operation_id) references operations on delete cascade deferrable initially deferred,
  constraint imports__subject check (subject in ('tenants', 'users', 'faqs'))
);
create index imports__created_by__idx on imports (created_by);
create index imports__operation_id__idx on imports (operation_id);

create table import_rows (
  import_id uuid    not null,
  -- The line of the file that it begins on.
  line      integer not null,
  -- What stands in the cells that are not empty, by field.
  cells     jsonb   not null,
  record    text    not null,
  -- As planned, with the version of the record that it would change.
  outcome   text    not null,
  version   integer,
  changes   jsonb   not null,
  reasons   jsonb   not null,
  -- 'begun' is noted before it is written, and what became of it afterwards: so the run that follows a kill finds out about this one row.
  state     text    not null default 'waiting',
  constraint import_rows__import_id__line primary key (import_id, line),
  constraint import_rows__import_id foreign key (import_id) references imports on delete cascade,
  constraint import_rows__outcome check (outcome in ('create', 'change', 'same', 'refused')),
  constraint import_rows__state check (state in ('waiting', 'begun', 'done', 'failed'))
);
