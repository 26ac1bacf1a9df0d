-- Database servers (decision 071): the PostgreSQL servers that tenants' databases live on.

create table database_servers (
  id                uuid        not null default gen_random_uuid(),
  name              text        not null collate case_insensitive,
  -- null: the control database's own server, which DATABASE_URL names.
  host              text        collate case_insensitive,
  port              integer,
  region            text        not null default '',
  -- How many tenants' databases it takes; null: any number.
  capacity          integer,
  state             text        not null default 'active',
  tls               text        not null default 'disable',
  ca_certificate    text        not null default '',
  user_name         text        not null default '',
  -- The administrator's password, encrypted under a key that is not in the database.
  password          bytea,
  -- By which PostgreSQL tells one cluster from another; null: it does not say.
  system_identifier text,
  version           integer     not null default 1,
  created_by        uuid,
  updated_by        uuid,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  constraint database_servers__id primary key (id),
  constraint database_servers__name unique (name),
  constraint database_servers__host__port unique (host, port),
  constraint database_servers__created_by foreign key (created_by) references users on delete set null,
  constraint database_servers__updated_by foreign key (updated_by) references users on delete set null,
  constraint database_servers__capacity check (capacity > 0),
  constraint database_servers__state check (state in ('active', 'draining', 'retired')),
  constraint database_servers__tls check (tls in ('disable', 'require', 'verify-full')),
  -- The home server has no address of its own and is never retired; every other one has all that it is reached by.
  constraint database_servers__host__id check (
    case when id = '00000000-0000-4000-8000-000000000001'
      then host is null and port is null and password is null and state <> 'retired'
      else host is not null and port is not null and password is not null end
  )
);
create index database_servers__created_by__idx on database_servers (created_by);
create index database_servers__updated_by__idx on database_servers (updated_by);

insert into database_servers (id, name) values ('00000000-0000-4000-8000-000000000001', 'Home');
call track_changes('database_servers');

-- What was last found out about each. A table of its own: it changes all the time, and the list of databases reads the other one.
create table database_server_health (
  server_id    uuid        not null,
  checked_at   timestamptz not null,
  -- Since when it has not answered; null: it does.
  away_since   timestamptz,
  problem      text        not null default '',
  sessions     integer,
  max_sessions integer,
  standbys     integer,
  lag_seconds  double precision,
  constraint database_server_health__server_id primary key (server_id),
  constraint database_server_health__server_id__fk foreign key (server_id) references database_servers on delete cascade
);

-- Nothing has ever read the text that stood here.
alter table databases drop column server;
alter table databases add column server_id uuid not null default '00000000-0000-4000-8000-000000000001';
alter table databases add constraint databases__server_id foreign key (server_id) references database_servers on delete restrict;
create index databases__server_id__idx on databases (server_id);
