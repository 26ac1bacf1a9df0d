-- The audit trail (DECISIONS §12): each entry's hash covers the one before it, and audit_head remembers the newest.

create table audit_entries (
  id           bigint      not null,
  at           timestamptz not null,
  actor_id     uuid,
  actor_name   text        not null,
  action       text        not null,
  entity       text        not null,
  entity_id    text        not null,
  address      text        not null,
  -- json, not jsonb: the hash is taken over this very text.
  changes      json        not null,
  hash         bytea       not null,
  constraint audit_entries__id primary key (id)
);
create index audit_entries__entity__entity_id__idx on audit_entries (entity, entity_id);

create table audit_head (
  only_row  boolean not null default true,
  last_id   bigint  not null,
  last_hash bytea   not null,
  constraint audit_head__only_row primary key (only_row),
  constraint audit_head__only_row__true check (only_row)
);
insert into audit_head (last_id, last_hash) values (0, '\x');

-- Marks of things done once in this installation, such as the demo data.
create table installation_marks (
  name     text        not null,
  made_at  timestamptz not null default now(),
  constraint installation_marks__name primary key (name)
);
