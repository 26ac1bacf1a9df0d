-- Keys for programs, of people and of service accounts (decision 049).

-- A service account is a user who never signs in: without a password, and without an address that mail could reach.
alter table users add column is_service boolean not null default false;
alter table users add constraint users__is_service check (not is_service or (password_hash is null and email = ''));

create table api_keys (
  id                 uuid        not null default gen_random_uuid(),
  user_id            uuid        not null,
  name               text        not null collate case_insensitive,
  -- The part of a key by which it is found. It is no secret.
  public_id          text        not null,
  -- SHA-256 of the whole key. After a rotation the one before it counts until previous_until.
  secret_hash        bytea       not null,
  previous_hash      bytea,
  previous_until     timestamptz,
  -- Identifiers of permissions. The role of the key's owner must have them too, whenever the key is used.
  scopes             text[]      not null,
  -- Addresses and ranges from which it may be used; empty: any.
  addresses          text[]      not null default '{}',
  created_at         timestamptz not null,
  created_by         uuid,
  expires_at         timestamptz not null,
  last_used_at       timestamptz,
  last_used_address  text        not null default '',
  -- When the audit trail last noted that a use was refused.
  refused_at         timestamptz,
  revoked_at         timestamptz,
  constraint api_keys__id primary key (id),
  constraint api_keys__user_id foreign key (user_id) references users on delete cascade,
  constraint api_keys__created_by foreign key (created_by) references users on delete set null,
  constraint api_keys__public_id unique (public_id),
  constraint api_keys__previous_hash__previous_until check ((previous_hash is null) = (previous_until is null)),
  constraint api_keys__scopes check (cardinality(scopes) > 0)
);
create index api_keys__user_id__idx on api_keys (user_id);
create index api_keys__created_by__idx on api_keys (created_by);
create index api_keys__expires_at__idx on api_keys (expires_at);
