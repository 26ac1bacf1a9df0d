-- The archive of the embedded PostgreSQL's WAL, by which one tenant can be restored as it was at a moment (decision 043). What is in the
-- archive only pgBackRest knows; this is what servers and screens go by.
create table wal_archive (
  is_only          boolean       not null default true,
  -- Of the setting, when the newest backup was made.
  folder           text        not null default '',
  -- Start of the first backup of the cluster since which no WAL is missing; null: there is none.
  unbroken_since   timestamptz,
  earliest_moment  timestamptz,
  newest_backup_at timestamptz,
  -- Of the last attempt at a backup; null after a success.
  failed_at        timestamptz,
  failure          text        not null default '',
  constraint wal_archive__pkey primary key (is_only),
  constraint wal_archive__is_only check (is_only)
);
insert into wal_archive default values;
