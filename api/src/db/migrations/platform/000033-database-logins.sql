-- The roles by which programs log in to tenants' databases (decision 052). A database's own role (databases.role_name) has its rights;
-- a login is a member of it, or of the role that may only read, and can be replaced while programs go on.
create table database_logins (
  id           uuid        not null,
  database_id  uuid        not null,
  access       text        not null,
  role_name    text        not null,
  -- AES-256-GCM under a key derived from APOTHECA_SECRET.
  password     bytea       not null,
  created_at   timestamptz not null,
  -- When it ends, after a rotation; null: it is the current one.
  valid_until  timestamptz,
  constraint database_logins__id primary key (id),
  constraint database_logins__database_id foreign key (database_id) references databases on delete cascade,
  constraint database_logins__role_name unique (role_name),
  constraint database_logins__access check (access in ('write', 'read')),
  constraint database_logins__role_name__identifier check (role_name ~ '^[a-z][a-z0-9_]{0,62}$')
);
create index database_logins__database_id__idx on database_logins (database_id);
create unique index database_logins__database_id__access__current on database_logins (database_id, access)
  where valid_until is null;
create index database_logins__valid_until__idx on database_logins (valid_until) where valid_until is not null;

-- What every login of a database may use; null: the server's setting, and no limit of time.
alter table databases
  add column connection_limit integer,
  add column statement_timeout_seconds integer,
  add constraint databases__connection_limit check (connection_limit > 0),
  add constraint databases__statement_timeout_seconds check (statement_timeout_seconds > 0);
