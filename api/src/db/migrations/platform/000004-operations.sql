-- Operations that take long (DECISIONS §8): what people see of them. The queue that runs them is pg-boss's own schema, pgboss.

create table operations (
  id               uuid        not null,
  kind             text        not null,
  -- No foreign key: an operation is remembered longer than its database.
  database_id      uuid        not null,
  database_name    text        not null,
  -- What it was asked to do, as its kind reads it; never a secret.
  input            jsonb       not null,
  actor_id         uuid,
  actor_name       text        not null,
  address          text        not null,
  state            text        not null,
  -- What it does one after another, in words, and the index of what it is at.
  steps            text[]      not null,
  step             integer     not null default 0,
  percent          integer     not null default 0,
  -- Whether it can still be given up without harm.
  cancellable      boolean     not null default true,
  cancel_requested boolean     not null default false,
  attempts         integer     not null default 0,
  size_bytes       bigint      not null,
  expected_ms      integer,
  message          text        not null default '',
  result           jsonb,
  -- { code, message, errors, result } of a failure.
  error            jsonb,
  created_at       timestamptz not null,
  started_at       timestamptz,
  heartbeat_at     timestamptz,
  finished_at      timestamptz,
  constraint operations__id primary key (id),
  constraint operations__state check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  constraint operations__percent check (percent between 0 and 100)
);
create index operations__created_at__idx on operations (created_at desc);
create index operations__database_id__created_at__idx on operations (database_id, created_at desc);
create index operations__unfinished__idx on operations (created_at) where state in ('queued', 'running');
create index operations__kind__finished_at__idx on operations (kind, finished_at desc) where state = 'succeeded';

-- The databases that an unfinished operation works on: never two operations on one.
create table operation_claims (
  database_id  uuid not null,
  operation_id uuid not null,
  constraint operation_claims__database_id primary key (database_id),
  constraint operation_claims__database_id__databases foreign key (database_id) references databases on delete cascade,
  constraint operation_claims__operation_id foreign key (operation_id) references operations on delete cascade
);
create index operation_claims__operation_id__idx on operation_claims (operation_id);

-- Backups: the archives lie in the data folder, named after their id.
create table backups (
  id             uuid        not null,
  -- null: uploaded, or its database is gone.
  database_id    uuid,
  database_name  text        not null,
  origin         text        not null,
  -- 'writing' until the archive is whole.
  state          text        not null,
  size_bytes     bigint      not null default 0,
  -- Lower-case hex; empty while it is written.
  sha256         text        not null default '',
  schema_version integer     not null default 0,
  -- Rows by table in the archive's own snapshot; null for an uploaded one, which does not tell.
  row_counts     jsonb,
  created_by     uuid,
  created_at     timestamptz not null,
  constraint backups__id primary key (id),
  constraint backups__database_id foreign key (database_id) references databases on delete set null,
  constraint backups__origin check (origin in ('made', 'uploaded')),
  constraint backups__state check (state in ('writing', 'ready'))
);
create index backups__database_id__created_at__idx on backups (database_id, created_at desc);

-- What the list shows without asking every database: measured now and then. Databases made before were made of version 8.
alter table databases
  add column size_bytes     bigint,
  add column measured_at    timestamptz,
  add column schema_version integer not null default 8;
alter table databases alter column schema_version drop default;
