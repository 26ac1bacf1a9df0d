-- Databases from elsewhere that were inspected to be adopted. A row is gone when its database was adopted, or a day later.
create table adoption_sources (
  id         uuid        not null,
  -- What was found in it: names and numbers, no values of rows.
  inspection jsonb       not null,
  -- How to connect to its server, encrypted under a key that is not in the database; null: it is an archive.
  connection bytea,
  created_at timestamptz not null,
  constraint adoption_sources__id primary key (id)
);
create index adoption_sources__created_at__idx on adoption_sources (created_at);
